/** A form about a stored record that several executives may change at once. */
import { useState } from "preact/hooks";
import { Focused, Press } from "../shared/parts.tsx";
import { settings } from "../shared/settings.ts";
import { keep, readKept } from "../shared/store.ts";
import { type AsRead, changeAsRead } from "./calls.ts";
import { conflictsOf, entryText, refuse } from "./events/rules.ts";
import { Small } from "./parts.tsx";
import { type Entries, entriesOf, labelOf, type SchemaName } from "./schema.ts";
import { type FormOptions, type SchemaForm, useSchemaForm } from "./schema-form.tsx";

interface EditorOptions extends FormOptions, AsRead {
  readonly stored: object;
}

/** The form of a record, and what another executive has changed of the same fields since its entries began. */
export function useEditor(name: SchemaName, { tag, reload, ...options }: EditorOptions) {
  const { draft, stored, labels = {} } = options;
  const entered = useSchemaForm(name, options);
  const { schema, entries: mine, isChanged } = entered;
  const theirs = entriesOf(schema, stored, settings.timeZone);
  /** The version with which the entries of this tab began. */
  type Version = Pick<AsRead, "tag"> & { readonly entries: Entries };
  const [base, setKept] = useState(() => readKept<Version>(`base/${draft}`));
  const setBase = (next: (kept: Version | undefined) => Version | undefined) =>
    setKept((kept) => {
      keep(`base/${draft}`, next(kept));
      return next(kept);
    });
  const form: SchemaForm = {
    ...entered,
    set: (path, entry) => {
      if (!isChanged) setBase(() => ({ tag, entries: theirs }));
      entered.set(path, entry);
    },
    clear: () => {
      setBase(() => undefined);
      entered.clear();
    },
  };
  const isOld = isChanged && base !== undefined && base.tag !== tag;
  const conflicts = isOld ? conflictsOf(base.entries, mine, theirs) : [];
  return {
    ...{ form, mine, theirs, conflicts, labelFor: (field: string) => labels[field] ?? labelOf(field) },
    keepMine: (field: string) =>
      setBase((kept) => kept && { ...kept, entries: { ...kept.entries, [field]: theirs[field] } }),
    takeTheirs: (field: string) =>
      entered.set([field], theirs[field] ?? (schema.properties?.[field]?.type === "boolean" ? false : "")),
    /** Sends what differs, and reads it then. @returns undefined when nothing does @throws as `changeAsRead` */
    save: async <T,>(path: string, bodyOf = (changes: Record<string, unknown>) => changes): Promise<T | undefined> => {
      if (conflicts.length > 0) throw refuse("First choose above what is to be saved.");
      const body = bodyOf(form.changes());
      const isSent = Object.keys(body).length > 0;
      const saved = isSent
        ? await changeAsRead<T>({ tag, reload }, "PATCH", path, body).catch(form.complain)
        : undefined;
      if (isSent) await reload();
      form.clear();
      return saved;
    },
  };
}

type ConflictsProps = ReturnType<typeof useEditor> & {
  /** What the record is. */
  readonly what: string;
};

/** Both versions of what two executives have changed. */
export function Conflicts({ what, mine, theirs, conflicts, labelFor, keepMine, takeTheirs }: ConflictsProps) {
  if (conflicts.length === 0) return null;
  return (
    <section class="panel">
      <Focused text={`Another executive has changed this ${what} meanwhile`} />
      <p>You have both changed what stands here. Choose what is to be saved, then save.</p>
      {conflicts.map((name) => (
        <fieldset class="group" key={name}>
          <legend>{labelFor(name)}</legend>
          <p class="prose">Theirs, as it is saved: {entryText(theirs[name])}</p>
          <p class="prose">Yours: {entryText(mine[name])}</p>
          <div class="buttons">
            <Small text="Keep mine" of={labelFor(name)} onPress={() => keepMine(name)} />
            <Small text="Take theirs" of={labelFor(name)} onPress={() => takeTheirs(name)} />
          </div>
        </fieldset>
      ))}
      <div class="buttons">
        <Press text="Take all theirs" onPress={() => conflicts.map(takeTheirs)} />
      </div>
    </section>
  );
}
