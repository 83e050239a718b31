/** Forms made from the schemas of the API's reference. Entries stay in the tab until they are sent. */

import { schemas } from "desk:schemas";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Refused } from "../shared/call.ts";
import { Frame, focusFirst, tied } from "../shared/field.tsx";
import { settings } from "../shared/settings.ts";
import { keep, readKept } from "../shared/store.ts";
import { Select, Small } from "./parts.tsx";
import {
  bodyOf,
  changesOf,
  type Entries,
  type Entry,
  entriesOf,
  entryAt,
  hasItems,
  labelOf,
  type Path,
  pointerOf,
  type Schema,
  type SchemaName,
  withEntry,
} from "./schema.ts";

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

interface FieldProps {
  readonly form: SchemaForm;
  readonly path: Path;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The frame of a field: its label, the description in the reference, what is wrong. */
function frameOf({ form: { look, problems }, path, schema, isRequired }: FieldProps) {
  const name = path.at(-1) ?? "";
  const hint = look.hints?.[name] ?? schema.description;
  return {
    id: pointerOf(path),
    label: look.labels?.[name] ?? labelOf(name),
    required: isRequired,
    problem: problems[pointerOf(path)],
    hint: hint?.replaceAll("`", ""),
  };
}

const text = (entry: Entry): string => (typeof entry === "string" ? entry : "");

/** A date, and a time if it is not a whole day. */
function DateField(props: FieldProps) {
  const { form, path } = props;
  const frame = frameOf(props);
  const [date = "", time = ""] = text(entryAt(form.entries, path)).split("T");
  const set = (day: string, hour: string) => form.set(path, hour ? `${day}T${hour}` : day);
  return (
    <Frame {...frame}>
      <span class="pair">
        <input {...tied(frame)} type="date" value={date} onInput={({ currentTarget: { value } }) => set(value, time)} />
        <input
          type="time"
          aria-label={`${frame.label}: time`}
          value={time}
          onInput={({ currentTarget: { value } }) => set(date, value)}
        />
      </span>
    </Frame>
  );
}

/** More characters than these are written into a large field. */
const longLine = 500;

function LineField(props: FieldProps) {
  const { form, path, schema } = props;
  const frame = frameOf(props);
  const given = {
    ...tied(frame),
    value: text(entryAt(form.entries, path)),
    autocomplete: "off",
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      form.set(path, value),
  };
  const isLong = schema.items !== undefined || ((schema.maxLength ?? 0) > longLine && !frame.id.endsWith("Url"));
  const isNumber = schema.type === "integer" || schema.type === "number";
  return (
    <Frame {...frame} hint={schema.items ? `${frame.hint ?? ""} One a line.` : frame.hint}>
      {isLong ? (
        <textarea rows={schema.items ? 3 : 5} {...given} />
      ) : (
        <input inputMode={isNumber ? "decimal" : "text"} {...given} />
      )}
    </Frame>
  );
}

function BoxField(props: FieldProps) {
  const { form, path } = props;
  const { id, label, hint, problem } = frameOf(props);
  return (
    <div class="field" data-field={id}>
      <label class="choice">
        <input
          {...tied({ id, label, required: false, problem })}
          type="checkbox"
          checked={entryAt(form.entries, path) === true}
          onChange={({ currentTarget }) => form.set(path, currentTarget.checked)}
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
}

function ChoiceField(props: FieldProps) {
  const { form, path, schema, isRequired } = props;
  const value = text(entryAt(form.entries, path));
  const none = isRequired ? "Please choose" : "As usual";
  return (
    <Select
      {...{ ...frameOf(props), value, none: isRequired && value !== "" ? undefined : none }}
      choices={(schema.enum ?? []).map((choice) => [choice, form.look.labels?.[choice] ?? choice])}
      set={(choice) => form.set(path, choice)}
    />
  );
}

/** The fields of a field, or of an item. */
function Parts({ form, path, schema: { required = [], properties = {} } }: Omit<FieldProps, "isRequired">) {
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
  <Frame {...frameOf(props)} isGroup>
    <Parts {...props} />
  </Frame>
);

/** A list whose items have fields of their own. */
function ListField(props: FieldProps) {
  const { form, path, schema } = props;
  const frame = frameOf(props);
  const entry = entryAt(form.entries, path);
  const items: readonly Entry[] = Array.isArray(entry) ? entry : [];
  const one = frame.label.replace(/s$/, "").toLowerCase();
  const move = (from: number, to: number) => {
    const moved = items.filter((_, index) => index !== from);
    form.set(path, moved.toSpliced(to, 0, items[from]));
  };
  return (
    <Frame {...frame} isGroup>
      {items.map((item, index) => {
        const place = `${index + 1}`;
        const said = text((item as Entries)?.label) || one;
        return (
          <fieldset class="item" key={place}>
            <legend>
              {place}. {said}
            </legend>
            <Parts {...{ form, path: [...path, String(index)], schema: schema.items as Schema }} />
            <div class="buttons">
              {index > 0 && <Small text="Up" of={`${place}. ${said}`} onPress={() => move(index, index - 1)} />}
              {index < items.length - 1 && (
                <Small text="Down" of={`${place}. ${said}`} onPress={() => move(index, index + 1)} />
              )}
              <Small text="Remove" of={`${place}. ${said}`} onPress={() => form.set(path, items.toSpliced(index, 1))} />
            </div>
          </fieldset>
        );
      })}
      <button type="button" class="small" onClick={() => form.set(path, [...items, {}])}>
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

function SchemaField(props: FieldProps) {
  const Kind = kindOf(props.schema);
  return <Kind {...props} />;
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
