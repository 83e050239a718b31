/**
 * Cleans text from people: removes characters that headers, mails and calendars must not contain, and splits lists. Pure.
 */

/** Keys that access an object's prototype, refused in bodies at every depth (`docs/contract.md`, "Conventions"). */
export const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const loneSurrogate = /\p{Surrogate}/gu;
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const otherControl = /[^\P{Cc}\n\t]/gu;
/**
 * Characters that reverse the following text, including the service's own. Marks that scripts need (LRM, RLM, joiners) are
 * kept.
 */
const bidiOverride = /[\u202A-\u202E\u2066-\u2069]/g;

/** Several lines, separated by `\n`. */
export const manyLines = (text: string): string =>
  text.replace(loneSurrogate, "\uFFFD").replace(lineBreak, "\n").replace(otherControl, "").replace(bidiOverride, "");

/** Truncates a text to so many characters, never within a surrogate pair. */
export function shortened(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  return `${characters
    .slice(0, longest - 1)
    .join("")
    .trimEnd()}…`;
}

/** Quotes a person's text in a sentence: one line, shortened. */
export const quoted = (text: string): string => `"${shortened(oneLine(text), 80)}"`;

/** A single line. Each run of white space becomes one space. */
export const oneLine = (text: string): string => manyLines(text).replace(/\s+/g, " ").trim();

/** The last millisecond of a `Date` (ECMA-262, "Time Values and Time Range"). */
const lastTime = 8.64e15;

/** A stored time as ISO 8601 in UTC. One beyond the range of dates is the last or first date. @param at epoch milliseconds */
export const isoText = (at: number): string => new Date(Math.min(Math.max(at, -lastTime), lastTime)).toISOString();

/** A value of a record as people read it: a time, which has a name such as `paidAt`, as ISO 8601; anything else unchanged. */
export const readable = (name: string, value: unknown): unknown =>
  /(?:At|Until)$|^at$/.test(name) && typeof value === "number" && value > 0 ? isoText(value) : value;

/** The entries of a list or a comma-separated string: trimmed, without blank ones. */
export const entriesIn = (given: string | readonly string[]): string[] =>
  (typeof given === "string" ? given.split(",") : given).map((entry) => entry.trim()).filter(Boolean);

/** The same, without duplicates. */
export const distinctEntriesIn = (given: string | readonly string[]): string[] => [...new Set(entriesIn(given))];
