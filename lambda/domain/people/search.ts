/** Finds people by the prefix of a name or email (`docs/contract.md`, "Lists and pages"). Pure. */
import { filterHashOf } from "#kit/lists/cursor.ts";
import { oneLine } from "#kit/text/text.ts";

/** The searched fields of a person. */
export interface Searched {
  readonly email: string;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

export interface PeopleSearch {
  /** The normalized text. */
  readonly text: string;
  /** The prefix of the email. Absent: the text may also be the prefix of a name. */
  readonly emailPrefix?: string;
  /** Binds the cursors of its pages to the search. */
  readonly filterHash: string;
}

/**
 * Ignores case, combining accents and the width of spaces. Upper case comes first because it unifies letters that lower
 * case distinguishes, such as the German sharp s and `ss`.
 */
const folded = (text: string): string =>
  oneLine(text).normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase().replace(/\s+/g, " ").trim();

/** A space in a query value may be a decoded `+`; emails contain no spaces. */
const asEmail = (text: string): string => text.replaceAll(" ", "+");

/** A text with an `@` can only be the prefix of an email. */
export function searchFor(text: string): PeopleSearch {
  // A text of accents only would be normalized to the empty prefix of all names.
  const wanted = folded(text) || text;
  const search = { text: wanted, filterHash: filterHashOf({ q: wanted }) };
  return wanted.includes("@") ? { ...search, emailPrefix: asEmail(wanted) } : search;
}

/** Whether a person matches. A text that is no email is compared with the first name, the last name and both. */
export function isFound({ text, emailPrefix }: PeopleSearch, { email, first = "", last = "" }: Searched): boolean {
  if (emailPrefix !== undefined) return email.startsWith(emailPrefix);
  const beginnings = [`${first} ${last}`, last].map(folded);
  return email.startsWith(asEmail(text)) || beginnings.some((name) => name.startsWith(text));
}

/** Whether an email can have this prefix. Others match nobody, and DynamoDB rejects keys above 1,024 bytes. */
export const canBeginEmail = (prefix: string): boolean => prefix.length <= 254 && /^[!-~]+$/.test(prefix);
