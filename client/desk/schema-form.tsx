/** Forms made from the schemas of the API's reference. Entries stay in the tab until they are sent. */

import { schemas } from "desk:schemas";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Refused } from "../shared/call.ts";
import { Frame, type FrameProps, focusFirst, tied } from "../shared/field.tsx";
import { settings } from "../shared/settings.ts";
import { keep, readKept } from "../shared/store.ts";
import { Select, Small } from "./parts.tsx";
import type { Entries, Entry, Path, Schema, SchemaName } from "./schema.ts";
import { bodyOf, changesOf, entriesOf, entryAt, hasItems, labelOf, pointerOf, withEntry } from "./schema.ts";

/** How the fields of a form look. Names are those of the API, the last of a path. */
export interface Look {
  /** Instead of the name. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Instead of the description in the reference. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Names that are not shown. */
  readonly hidden?: readonly string[];
  /** What an item of a list does not need. @param siblings the entries of the item */
  hides?(name: string, siblings: Entries): boolean;
}

export interface SchemaForm {
  readonly schema: Schema;
  readonly entries: Entries;
  readonly problems: Readonly<Record<string, string>>;
  readonly look: Look;
  /** Something was entered that is not sent. */
  readonly isChanged: boolean;
  set(path: Path, entry: Entry): void;
  /** The body of a POST. */
  body(): Record<string, unknown>;
  /** The body of a PATCH: what differs from the stored record. */
  changes(): Record<string, unknown>;
  /** Shows beside each field what the API says about it. @throws the problem, whose sentence the form says */
  complain(problem: unknown): never;
  /** What was entered is sent, or given up. */
  clear(): void;
}

export interface FormOptions extends Look {
  /** The key of the draft. */
  readonly draft: string;
  /** The stored record, as the API answers it. */
  readonly stored?: object | undefined;
  /** Entries of a new record. */
  readonly usual?: Entries;
}

/** @param name of the body's schema */
export function useSchemaForm(name: SchemaName, { draft, stored, usual = {}, ...look }: FormOptions): SchemaForm {
  const schema = schemas[name];
  const key = `draft/${draft}`;
  const before = stored ? entriesOf(schema, stored, settings.timeZone) : usual;
  /** By the name of the field, what was entered. The rest is as it is stored, also when that changes. */
  const [entered, setEntered] = useState<Entries>(() => readKept<Entries>(key) ?? {});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const entries: Entries = { ...before, ...entered };
  return {
    ...{ schema, entries, problems, look, isChanged: Object.keys(entered).length > 0 },
    set: (path, entry) => {
      const [field = ""] = path;
      setEntered((kept) => {
        const all = withEntry({ ...before, ...kept }, path, entry) as Entries;
        // Empty entries stay: JSON has no undefined.
        const next = { ...kept, [field]: all[field] ?? "" };
        keep(key, next);
        return next;
      });
      const at = pointerOf(path);
      setProblems((shown) => Object.fromEntries(Object.entries(shown).filter(([pointer]) => pointer !== at)));
    },
    body: () => bodyOf(schema, entries),
    changes: () => changesOf(schema, before, entries),
    complain: (problem) => {
      const issues = problem instanceof Refused ? problem.issues : [];
      setProblems(Object.fromEntries(issues.map(({ path, message }) => [path, message])));
      // The fields describe their problems only once they are drawn.
      setTimeout(() => focusFirst(issues.map(({ path }) => path)));
      throw problem;
    },
    clear: () => {
      keep(key, undefined);
      setEntered({});
      setProblems({});
    },
  };
}

interface PartsProps {
  readonly form: SchemaForm;
  readonly path: Path;
  readonly schema: Schema;
}

interface FieldProps extends PartsProps {
  readonly isRequired: boolean;
  /** Its label, the description in the reference, what is wrong. */
  readonly frame: FrameProps;
  readonly entry: Entry;
  /** The entry, if it is a text. */
  readonly value: string;
  set(entry: Entry): void;
}

const text = (entry: Entry): string => (typeof entry === "string" ? entry : "");

/** A date, and a time if it is not a whole day. */
function DateField({ frame, value, set }: FieldProps) {
  const [date = "", time = ""] = value.split("T");
  const enter = (day: string, hour: string) => set(hour ? `${day}T${hour}` : day);
  return (
    <Frame {...frame}>
      <span class="pair">
        <input
          {...{ ...tied(frame), type: "date", value: date }}
          onInput={({ currentTarget }) => enter(currentTarget.value, time)}
        />
        <input
          {...{ type: "time", "aria-label": `${frame.label}: time`, value: time }}
          onInput={({ currentTarget }) => enter(date, currentTarget.value)}
        />
      </span>
    </Frame>
  );
}

/** More characters than these are written into a large field. */
const longLine = 500;

function LineField({ schema: { items, maxLength = 0, type }, frame, value, set }: FieldProps) {
  const given = {
    ...{ ...tied(frame), value, autocomplete: "off" },
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      set(currentTarget.value),
  };
  const isLong = items !== undefined || (maxLength > longLine && !frame.id.endsWith("Url"));
  const isNumber = type === "integer" || type === "number";
  return (
    <Frame {...frame} hint={items ? `${frame.hint ?? ""} One a line.` : frame.hint}>
      {isLong ? (
        <textarea rows={items ? 3 : 5} {...given} />
      ) : (
        <input inputMode={isNumber ? "decimal" : "text"} {...given} />
      )}
    </Frame>
  );
}

const BoxField = ({ frame: { id, label, hint, problem }, entry, set }: FieldProps) => (
  <div class="field" data-field={id}>
    <label class="choice">
      <input
        {...{ ...tied({ id, label, required: false, problem }), type: "checkbox", checked: entry === true }}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
    <span class="hint" id={`${id}-hint`}>
      {hint}
    </span>
    <span class="problem" id={`${id}-problem`} role="alert">
      {problem}
    </span>
  </div>
);

const ChoiceField = ({ form, schema, isRequired, frame, value, set }: FieldProps) => (
  <Select
    {...{ ...frame, value, set, none: !isRequired ? "As usual" : value === "" ? "Please choose" : undefined }}
    choices={(schema.enum ?? []).map((choice) => [choice, form.look.labels?.[choice] ?? choice])}
  />
);

/** The fields of a field, or of an item. */
function Parts({ form, path, schema: { required = [], properties = {} } }: PartsProps) {
  const { hidden = [], hides } = form.look;
  const siblings = (entryAt(form.entries, path) ?? {}) as Entries;
  return (
    <>
      {Object.entries(properties).map(([name, one]) =>
        hidden.includes(name) || hides?.(name, siblings) ? null : (
          <SchemaField
            key={name}
            {...{ form, path: [...path, name], schema: one, isRequired: required.includes(name) }}
          />
        ),
      )}
    </>
  );
}

const GroupField = (props: FieldProps) => (
  <Frame {...props.frame} isGroup>
    <Parts {...props} />
  </Frame>
);

/** A list whose items have fields of their own. */
function ListField({ form, path, schema, frame, entry, set }: FieldProps) {
  const items: readonly Entry[] = Array.isArray(entry) ? entry : [];
  const one = frame.label.replace(/s$/, "").toLowerCase();
  const move = (from: number, to: number) => set(items.toSpliced(from, 1).toSpliced(to, 0, items[from]));
  return (
    <Frame {...frame} isGroup>
      {items.map((item, index) => {
        const of = `${index + 1}. ${text((item as Entries)?.label) || one}`;
        return (
          <fieldset class="item" key={String(index)}>
            <legend>{of}</legend>
            <Parts {...{ form, path: [...path, String(index)], schema: schema.items as Schema }} />
            <div class="buttons">
              {index > 0 && <Small {...{ of, text: "Up", onPress: () => move(index, index - 1) }} />}
              {index < items.length - 1 && <Small {...{ of, text: "Down", onPress: () => move(index, index + 1) }} />}
              <Small {...{ of, text: "Remove", onPress: () => set(items.toSpliced(index, 1)) }} />
            </div>
          </fieldset>
        );
      })}
      <button type="button" class="small" onClick={() => set([...items, {}])}>
        Add a {one}
      </button>
    </Frame>
  );
}

function kindOf(schema: Schema) {
  if (schema.enum) return ChoiceField;
  if (schema.type === "boolean") return BoxField;
  if (schema.type === "object") return GroupField;
  if (hasItems(schema)) return ListField;
  return schema.isDate ? DateField : LineField;
}

function SchemaField(props: PartsProps & Pick<FieldProps, "isRequired">) {
  const { form, path, schema, isRequired: required } = props;
  const { look, problems, entries } = form;
  const [id, name, entry] = [pointerOf(path), path.at(-1) ?? "", entryAt(entries, path)];
  const hint = (look.hints?.[name] ?? schema.description)?.replaceAll("`", "");
  const frame = { id, label: look.labels?.[name] ?? labelOf(name), required, problem: problems[id], hint };
  const Kind = kindOf(schema);
  return <Kind {...{ ...props, frame, entry, value: text(entry), set: (next) => form.set(path, next) }} />;
}

interface FieldsProps {
  readonly form: SchemaForm;
  /** Absent: all that are not hidden. */
  readonly names?: readonly string[];
}

/** Fields of a form, by their names in the API. */
export function Fields({ form, names }: FieldsProps): ComponentChildren {
  const { properties = {}, required = [] } = form.schema;
  const shown = names ?? Object.keys(properties);
  return shown.map((name) => {
    const schema = properties[name];
    return schema && !form.look.hidden?.includes(name) ? (
      <SchemaField key={name} {...{ form, path: [name], schema, isRequired: required.includes(name) }} />
    ) : null;
  });
}
