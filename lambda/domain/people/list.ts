/**
 * Lists of people by email, accounts and memberships, in pages; and their search by the prefix of a name or email
 * (`docs/contract.md`, "Lists and pages").
 */

import { decodeCursor, filterHashOf, part } from "#kit/lists/cursor.ts";
import { type Page, queryPage } from "#kit/lists/pages.ts";
import type { Key, Query } from "#kit/table/table.ts";
import { oneLine } from "#kit/text/text.ts";

/** The searched fields of a person. */
export interface Searched {
  readonly email: string;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

interface PeopleSearch {
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
export const folded = (text: string): string =>
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

/** Whether an email can have this prefix. Others match no person, and DynamoDB rejects keys above 1,024 bytes. */
const canBeginEmail = (prefix: string): boolean => prefix.length <= 254 && /^[!-~]+$/.test(prefix);

export interface PeopleRequest {
  readonly limit?: number;
  readonly cursor?: string;
  /** The beginning of a name or an email. Absent: all people. */
  readonly q?: string;
}

/** What else the people of a list have in common. */
interface Narrowed<T> {
  readonly namesOf: (person: T) => Omit<Searched, "email">;
  /** With its value in the request, to which the cursors are bound. */
  readonly only?: readonly [value: string, isWanted: (person: T) => boolean] | undefined;
}

/**
 * People of a list of the index, sorted by email.
 * @param prefix of their emails
 * @param after the list begins behind this email, which has the prefix
 */
export const peopleIn = (list: string, prefix = "", after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1PK = :list AND GSI1SK BETWEEN :from AND :to",
  ExpressionAttributeValues: {
    ":list": list,
    // All characters of emails sort between space and the control character 7F.
    ":from": after === undefined ? prefix || " " : `${after} `,
    ":to": `${prefix}\u007f`,
  },
});

/**
 * One page of a list of people. The prefix of an email is found by key; for a name the page reads the list.
 * @throws ValidationFailed the cursor is not one of this list and search
 */
export async function pageOfPeople<T extends { readonly email: string }>(
  list: string,
  { limit, cursor, q }: PeopleRequest,
  { namesOf, only }: Narrowed<T>,
): Promise<Page<T & Key>> {
  const search = q === undefined ? undefined : searchFor(q);
  const prefix = search?.emailPrefix ?? "";
  const isOfList = (sortKey: string) => part.email(sortKey) && sortKey.startsWith(prefix);
  const [value, isOnly] = only ?? [];
  const filterHash = value === undefined ? search?.filterHash : filterHashOf({ q: search?.text, only: value });
  const isFoundByName = search && prefix === "";
  const after = decodeCursor(cursor, isOfList, filterHash);
  if (prefix !== "" && !canBeginEmail(prefix)) return { rows: [] };
  return queryPage<T>(peopleIn(list, prefix, after), {
    limit,
    sortKeyOf: ({ email }) => email,
    filterHash,
    isWanted:
      isFoundByName || isOnly
        ? (person) =>
            (isOnly?.(person) ?? true) &&
            (!isFoundByName || isFound(search, { email: person.email, ...namesOf(person) }))
        : undefined,
  });
}
