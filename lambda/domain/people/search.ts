/** Finds people by the beginning of a name or an email (`docs/contract.md`, "Lists and pages"). Pure. */
import { markOf } from "#kit/cursor.ts";
import { oneLine } from "#kit/text.ts";

/** The facts by which a person is found. */
export interface Searched {
  readonly email: string;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** A search for people, made of the text that a caller gives. */
export interface PeopleSearch {
  /** The text in the form in which equal searches are equal. */
  readonly text: string;
  /** The beginning of the email. Absent: the text may also be the beginning of a name. */
  readonly emailPrefix?: string;
  /** Binds the cursors of its pages to the search. */
  readonly mark: string;
}

/**
 * Ignores case, accents that Unicode can take off, and the width of spaces. Upper case comes first because it joins
 * letters that lower case keeps apart, such as the German sharp s and `ss`.
 */
const folded = (text: string): string =>
  oneLine(text).normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase().replace(/\s+/g, " ").trim();

/** A space in a query value may stand for `+`, which no email has in another form. */
const asEmail = (text: string): string => text.replaceAll(" ", "+");

/** A text with an `@` can only be the beginning of an email. */
export function searchFor(text: string): PeopleSearch {
  // A text of accents alone would be folded to nothing, and nothing is the beginning of every name.
  const wanted = folded(text) || text;
  const search = { text: wanted, mark: markOf({ q: wanted }) };
  return wanted.includes("@") ? { ...search, emailPrefix: asEmail(wanted) } : search;
}

/** Whether a person is found. A text that is no email is looked for in the first name, the last name and both. */
export function isFound({ text, emailPrefix }: PeopleSearch, { email, first = "", last = "" }: Searched): boolean {
  if (emailPrefix !== undefined) return email.startsWith(emailPrefix);
  const beginnings = [`${first} ${last}`, last].map(folded);
  return email.startsWith(asEmail(text)) || beginnings.some((name) => name.startsWith(text));
}

/** Whether an email can begin so. Other texts find no person, and the table refuses a key of more than 1,024 bytes. */
export const canBeginEmail = (prefix: string): boolean => prefix.length <= 254 && /^[!-~]+$/.test(prefix);
