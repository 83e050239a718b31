/**
 * Reads the attributes of a source row, and notes every value that the import changes or omits. Pure.
 */
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { manyLines, oneLine } from "#kit/text/text.ts";
import { momentOf, UnclearDate } from "./dates.ts";

/** A row of the previous backend, without DynamoDB's types. */
export type Row = Readonly<Record<string, unknown>>;

/** One value that the import changes. */
export interface Change {
  /** The attribute, with `*` for list indexes: `registrationQuestions/*\/choices`. */
  readonly field: string;
  /** What is done and why, with the same text for all rows, so that the summary can count it. */
  readonly why: string;
  /** The value of the source, and the one of the record: `null` when it is left out. Absent, when there is no value in the source. */
  readonly was?: unknown;
  readonly became?: unknown;
}

/** A row as a record of the service, or the reason why it is refused. */
export type Mapped<R> =
  | { readonly record: R; readonly changes: readonly Change[] }
  | { readonly refused: string; readonly changes: readonly Change[] };

/** The row is not taken; the message says why. */
export class Refused extends Error {}

/** The message of a refusal by the service's rules. */
function sentenceOf({ details, message }: ValidationFailed): string {
  const { issues = [] } = (details ?? {}) as { readonly issues?: readonly Issue[] };
  return issues.map(({ path, message: why }) => `${path.slice(1)} ${why}`.trim()).join("; ") || message;
}

/** Maps a row, or says why it is refused: with `Refused`, or by the service's rules. @throws any other error */
export function mapped<R>(row: Row, recordOf: (reading: Reading) => R): Mapped<R> {
  const reading = new Reading(row);
  const { changes } = reading;
  try {
    return { record: recordOf(reading), changes };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message, changes };
    if (error instanceof ValidationFailed) return { refused: sentenceOf(error), changes };
    throw error;
  }
}

export const isMap = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** Plain decimal digits, not `1e9` or `0x10`. */
const digits = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;

const yes = new Set(["true", "yes", "y", "1"]);
const no = new Set(["false", "no", "n", "0"]);

/**
 * Seconds are between the first two bounds; milliseconds of the same years are above. From the last bound on they would have
 * fourteen digits, and would no longer sort as strings.
 */
const [firstSecond, lastSecond, tooLate] = [1e9, 1e11, 1e13];

export interface TextShape {
  /** Characters; longer text is truncated. */
  readonly most?: number;
  /** The text may have several lines. */
  readonly lines?: boolean;
}

/**
 * The attributes of one row. Attributes that are never read are omitted from the record, as `leftOut` notes. Blank values
 * count as absent, as in the service itself.
 */
export class Reading {
  readonly #row: Row;
  readonly #read = new Set<string>();
  readonly #prefix: string;
  readonly changes: Change[];

  constructor(row: Row, changes: Change[] = [], prefix = "") {
    this.#row = row;
    this.#prefix = prefix;
    this.changes = changes;
  }

  note(field: string, why: string, ...values: [] | [was: unknown, became: unknown]): void {
    const [was, became = null] = values;
    this.changes.push({ field: this.#prefix + field, why, ...(was !== undefined && { was, became }) });
  }

  /** The unchanged value. */
  raw(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.#row, name) ? this.#row[name] : undefined;
  }

  text(name: string, { most = 200, lines = false }: TextShape = {}): string | undefined {
    const value = this.raw(name);
    if (isBlank(value)) return undefined;
    if (typeof value === "object") {
      this.note(name, "left out: not a text", value, null);
      return undefined;
    }
    const given = String(value);
    const clean = lines ? manyLines(given) : oneLine(given);
    const cut = [...clean].slice(0, most).join("");
    const text = cut.trim() === "" ? undefined : cut;
    const note = (why: string) => this.note(name, why, value, text);
    if (typeof value !== "string") note(`text instead of a ${typeof value}`);
    if (clean !== (lines ? given : given.trim())) note("without control characters and line breaks");
    if (cut.length < clean.length) note(`cut to ${most} characters`);
    return text;
  }

  number(name: string): number | undefined {
    const value = this.raw(name);
    if (isBlank(value)) return undefined;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value === "string" && digits.test(value.trim())) {
      this.note(name, "a number instead of a text", value, Number(value));
      return Number(value);
    }
    this.note(name, "left out: not a number", value, null);
    return undefined;
  }

  /** A whole number within bounds. */
  whole(name: string, least: number, most: number): number | undefined {
    const value = this.number(name);
    if (value === undefined) return undefined;
    const fits = Math.min(most, Math.max(least, Math.trunc(value)));
    if (fits !== value) this.note(name, `a whole number from ${least} to ${most}`, value, fits);
    return fits;
  }

  flag(name: string): boolean | undefined {
    const value = this.raw(name);
    if (isBlank(value)) return undefined;
    if (typeof value === "boolean") return value;
    const word = String(value).trim().toLowerCase();
    if (yes.has(word) || no.has(word)) {
      this.note(name, `true or false instead of a ${typeof value}`, value, yes.has(word));
      return yes.has(word);
    }
    this.note(name, "left out: neither true nor false", value, null);
    return undefined;
  }

  /** Distinct entries of a list, a set, or a comma-separated string. */
  list(name: string, { most = 100, longest = 200 }: { most?: number; longest?: number } = {}): string[] | undefined {
    const value = this.raw(name);
    if (isBlank(value)) return undefined;
    if (!Array.isArray(value) && typeof value !== "string") {
      this.note(name, "left out: not a list", value, null);
      return undefined;
    }
    const entries = (typeof value === "string" ? value.split(",") : value).filter(
      (entry): entry is string | number | boolean => !isBlank(entry) && typeof entry !== "object",
    );
    const cleaned = entries.map((entry) => [...oneLine(String(entry))].slice(0, longest).join("").trim());
    const each = [...new Set(cleaned)].filter((entry) => entry !== "");
    const list = each.slice(0, most);
    const note = (why: string) => this.note(name, why, value, list);
    if (typeof value === "string") note("a list instead of a text with commas");
    if (each.length > most) note(`at most ${most} entries`);
    else if (typeof value !== "string" && each.length !== value.length) note("each entry once");
    else if (cleaned.some((entry, index) => entry !== String(entries[index]).trim())) {
      note("shorter entries, or without control characters");
    }
    return list;
  }

  /**
   * A time in epoch milliseconds.
   * @param timeZone of texts without a zone
   * @throws Refused
   */
  time(name: string, timeZone: string): number | undefined {
    const value = this.raw(name);
    if (isBlank(value)) return undefined;
    const isDate = typeof value === "string" && !digits.test(value.trim());
    const number = isDate
      ? (this.moment(name, value, timeZone) ?? Number.NaN)
      : typeof value === "object"
        ? Number.NaN
        : Number(value);
    if (!Number.isFinite(number) || number < firstSecond || number >= tooLate) {
      this.note(name, "left out: not a time", value, null);
      return undefined;
    }
    const milliseconds = Math.trunc(number < lastSecond ? number * 1_000 : number);
    if (milliseconds !== value) this.note(name, "a time in milliseconds", value, milliseconds);
    return milliseconds;
  }

  /** Epoch milliseconds of a text; undefined when it is no date. @throws Refused */
  moment(name: string, text: string, timeZone: string): number | undefined {
    try {
      return momentOf(text, timeZone);
    } catch (error) {
      if (!(error instanceof UnclearDate)) throw error;
      throw new Refused(`${this.#prefix}${name} is ${error.message}`);
    }
  }

  /** When the row was made and changed, epoch milliseconds; 0 when it does not say. @throws Refused */
  times(timeZone: string): { readonly createdAt: number; readonly updatedAt: number } {
    const createdAt = this.time("createdAt", timeZone) ?? this.time("updatedAt", timeZone) ?? 0;
    return { createdAt, updatedAt: this.time("updatedAt", timeZone) ?? createdAt };
  }

  /** The texts of these names. */
  texts<Name extends string>(names: readonly Name[]): Partial<Record<Name, string>> {
    return Object.fromEntries(names.map((name) => [name, this.text(name)])) as Partial<Record<Name, string>>;
  }

  /** The canonical email that is the row's key. @throws Refused */
  key(): string {
    const email = this.email("id", "email");
    for (const name of ["id", "email"]) this.raw(name);
    if (email === undefined) throw new Refused("the id is no email address");
    return email;
  }

  /** The canonical email. @param names the first one with a value counts */
  email(...names: readonly string[]): string | undefined {
    const name = names.find((one) => !isBlank(this.raw(one))) ?? names[0] ?? "";
    const value = this.raw(name);
    const email = typeof value === "string" ? canonicalEmail(value) : undefined;
    if (email !== undefined && email !== value) this.note(name, "the email's usual spelling", value, email);
    return email;
  }

  /** A map of the row, as a reading whose changes are noted here too. */
  map(name: string): Reading | undefined {
    const value = this.raw(name);
    if (isBlank(value)) return undefined;
    const parsed = typeof value === "string" ? jsonOf(value) : value;
    if (!isMap(parsed)) {
      this.note(name, "left out: not a map", value, null);
      return undefined;
    }
    if (typeof value === "string") this.note(name, "a map instead of a text", value, parsed);
    return new Reading(parsed, this.changes, `${this.#prefix}${name}/`);
  }

  get names(): string[] {
    return Object.keys(this.#row);
  }

  /** Notes unread attributes with a value. @param silent redundant attributes */
  leftOut(silent: readonly string[] = []): void {
    for (const name of this.names) {
      const value = this.#row[name];
      const isEmpty = isBlank(value) || (typeof value === "object" && value && Object.keys(value).length === 0);
      if (!this.#read.has(name) && !silent.includes(name) && !isEmpty) {
        this.note(name, "left out: the service has no such field", value, null);
      }
    }
  }
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A student number, a number or a string in the source; 0 means none. */
export const studentNumber = (reading: Reading, name: string): string | undefined => {
  const value = reading.raw(name);
  return value === 0 || value === "0" ? undefined : reading.text(name);
};
