/** Entries of a form and the body that they make, by the schema of the API's reference. Pure. */
import { localTime, zoneOf } from "../shared/dates.ts";

/** What the desk needs of a schema (`tools/build/desk-schemas.ts`). */
export interface Schema {
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly isDate?: boolean;
  readonly isCents?: boolean;
  /** An object of which the reference names no fields: it is entered as JSON. */
  readonly isJson?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export type SchemaName =
  | "NewEvent"
  | "EventCopy"
  | "NewCode"
  | "CodeChanges"
  | "NewTemplate"
  | "NewSuppression"
  | "NewPaymentByHand"
  | "NewReversal"
  | "NewRefund"
  | "MoneyDecision"
  | "NewClosing"
  | "NewMember"
  | "MemberChanges"
  | "NewUser"
  | "UserChanges"
  | "NewPrize"
  | "NewProject"
  | "PhaseBump"
  | "Investment"
  | "Seed"
  | "Reset"
  | "RegistrationForm";

/**
 * What is in a field: a text, also of a number or an amount; a date `yyyy-mm-dd`, or `yyyy-mm-ddThh:mm` of the stage's zone; a
 * ticked box; fields by name; the items of a list, which is a text of one line each if these are not objects.
 */
export type Entry = string | boolean | undefined | readonly Entry[] | { readonly [name: string]: Entry };
export type Entries = Readonly<Record<string, Entry>>;

/** Names of fields, or numbers of items, from the whole body on. */
export type Path = readonly string[];

/** A JSON pointer, as the API's `issues` have it. It is the id of the field, too. */
export const pointerOf = (path: Path): string =>
  path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Whether a list has fields of its own for each item. */
export const hasItems = ({ type, items }: Schema): boolean => type === "array" && items?.type === "object";

/** The entry of a stored value. @param timeZone of the record @param wholeDay the date alone, where one was entered */
function entryOf(schema: Schema, value: unknown, timeZone: string, wholeDay?: string): Entry {
  if (value === undefined || value === null) return undefined;
  if (schema.type === "boolean") return value === true;
  if (schema.type === "object") return isFields(value) ? entriesOf(schema, value, timeZone) : undefined;
  if (schema.type === "array") {
    const items = Array.isArray(value) ? value : [];
    const { items: of } = schema;
    return of && hasItems(schema) ? items.map((one) => entryOf(of, one, timeZone)) : items.join("\n");
  }
  if (schema.isDate) return wholeDay ?? localTime(String(value), timeZone);
  if (schema.isCents) return (Number(value) / 100).toFixed(2);
  return schema.isJson ? JSON.stringify(value, undefined, 2) : String(value);
}

/** The entries of a stored record. Fields that the schema does not know are left out. @param stageZone IANA name */
export function entriesOf({ properties = {} }: Schema, record: object, stageZone: string): Entries {
  const timeZone = zoneOf(record, stageZone);
  const given = record as Readonly<Record<string, unknown>>;
  const wholeDays = isFields(given.wholeDays) ? given.wholeDays : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const entry = entryOf(schema, given[name], timeZone, wholeDays[name] as string | undefined);
      return entry === undefined ? [] : [[name, entry]];
    }),
  );
}

/** Where a comma or point may stand between thousands: `1,000` seats are not one, and `1,234` is not 1.23. */
const isAmbiguous = (text: string, { isCents, type }: Schema): boolean =>
  (isCents ? /[.,]\d{3}/ : type === "integer" ? /[.,]/ : /,\d{3}$/).test(text);

const numberOf = (text: string, schema: Schema): number | string => {
  const { isCents } = schema;
  const number = Number(text.trim().replace(",", "."));
  // What is no number, or which one is not clear, is sent as it is: the API says what is wrong with it.
  if (Number.isNaN(number) || isAmbiguous(text.trim(), schema)) return text;
  return isCents ? Math.round(number * 100) : number;
};

/** What is no JSON is sent as it is: the API says what is wrong with it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The value of an entry; undefined when nothing was entered. */
function jsonOf(schema: Schema, entry: Entry): unknown {
  if (schema.type === "boolean") return entry;
  if (schema.type === "object") {
    const fields = isFields(entry) ? bodyOf(schema, entry as Entries) : {};
    return Object.keys(fields).length > 0 ? fields : undefined;
  }
  const { items } = schema;
  if (items && hasItems(schema)) {
    const list = Array.isArray(entry) ? entry.map((one) => jsonOf(items, one) ?? {}) : [];
    return list.length > 0 ? list : undefined;
  }
  if (typeof entry !== "string" || entry.trim() === "") return undefined;
  if (items) {
    const lines = entry.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => jsonOf(items, line));
  }
  if (schema.isJson) return parsed(entry);
  return schema.type === "integer" || schema.type === "number" ? numberOf(entry, schema) : entry;
}

/** The body of all entries. A box that has to be answered and is not ticked says no. */
export const bodyOf = ({ properties = {}, required = [] }: Schema, entries: Entries): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const usual = schema.type === "boolean" && required.includes(name) ? false : undefined;
      const value = jsonOf(schema, entries[name] ?? usual);
      return value === undefined ? [] : [[name, value]];
    }),
  );

const isSame = (one: Entry = "", other: Entry = ""): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The body of a PATCH: the fields whose entries differ, `null` for those that are empty now. */
export function changesOf({ properties = {} }: Schema, before: Entries, entries: Entries): Record<string, unknown> {
  const changed = Object.keys(properties).filter((name) => !isSame(before[name], entries[name]));
  return Object.fromEntries(changed.map((name) => [name, jsonOf(properties[name] as Schema, entries[name]) ?? null]));
}

/** The entry at a path. */
export const entryAt = (entries: Entry, path: Path): Entry =>
  path.reduce<Entry>((at, part) => (isFields(at) ? (at as Readonly<Record<string, Entry>>)[part] : undefined), entries);

/** The entries with another one at a path. */
export function withEntry(entries: Entry, [part, ...rest]: Path, entry: Entry): Entry {
  if (part === undefined) return entry;
  const next = withEntry(entryAt(entries, [part]), rest, entry);
  if (Array.isArray(entries)) return entries.with(Number(part), next);
  return { ...(isFields(entries) ? (entries as Entries) : {}), [part]: next };
}

/** `startDate` as `Start date`. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z]+)/g, (_, end: string, begin: string) =>
    begin.length > 1 ? `${end} ${begin}` : `${end} ${begin.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
