/** What all items have in common: keys that follow the patterns of their kind, and texts and numbers for times. Pure. */

declare const ofKind: unique symbol;

/** The texts of a key, also of an item of no kind: what is only read. */
export interface KeyTexts {
  readonly PK: string;
  readonly SK: string;
}

/** The key of an item. It is made by `keyFrom` or read from the table: the key of an item of no kind does not compile. */
export interface Key extends KeyTexts {
  readonly [ofKind]: true;
}

/** The key of an item that was read. */
export const keyIn = ({ PK, SK }: Key): Key => ({ PK, SK }) as Key;

/** The patterns of the keys of a kind. Words in small letters stand for values, the rest is literal. */
export type KeyPatterns = readonly [partition: string, sort: string];

type NameIn<Part extends string> = Part extends Uppercase<Part> ? never : Part;
type NamesIn<P extends string> = P extends `${infer Part}#${infer Rest}` ? NameIn<Part> | NamesIn<Rest> : NameIn<P>;

/** The values that a pattern names. */
export type ValuesOf<P extends string> = Readonly<Record<NamesIn<P>, string | number>>;

/** A pattern with its values. */
export const filled = <P extends string>(pattern: P, values: ValuesOf<P>): string =>
  pattern
    .split("#")
    .map((part) => (part === part.toUpperCase() ? part : values[part as keyof ValuesOf<P>]))
    .join("#");

/** The key of an item of the kind with these patterns. A missing value does not compile. */
export const keyFrom = <const P extends KeyPatterns>(
  [partition, sort]: P,
  values: ValuesOf<P[0]> & ValuesOf<P[1]>,
): Key => ({ PK: filled<P[0]>(partition, values), SK: filled<P[1]>(sort, values) }) as Key;

/** The kinds of items that the kit stores. */
export const kitKinds = {
  "request with a key": ["REQ#hash", "REQ"],
  "closed token": ["TOKEN#token", "CLOSED"],
} as const satisfies Readonly<Record<string, KeyPatterns>>;

/** Digits of epoch milliseconds, until the year 2286. */
const digitsOfTime = 13;

/** A time as text that sorts by time. @param time epoch milliseconds */
export const timeText = (time: number): string => `${time}`.padStart(digitsOfTime, "0");

/** Time to live: epoch seconds, so many days after a time. @param time epoch milliseconds */
export const ttlAfter = (time: number, days: number): number => Math.floor(time / 1_000) + days * 86_400;
