/** Lists of people by email, in pages: accounts and memberships (`docs/contract.md`, "Lists and pages"). */
import { decodeCursor, part } from "#kit/lists/cursor.ts";
import { type Page, queryPage } from "#kit/lists/pages.ts";
import type { Key, Query } from "#kit/table/table.ts";
import { canBeginEmail, isFound, type Searched, searchFor } from "./search.ts";

export interface PeopleRequest {
  readonly limit?: number;
  readonly cursor?: string;
  /** The beginning of a name or an email. Absent: all people. */
  readonly q?: string;
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
 * @param namesOf the names of a person
 * @throws ValidationFailed the cursor is not one of this list and search
 */
export async function pageOfPeople<T extends { readonly email: string }>(
  list: string,
  { limit, cursor, q }: PeopleRequest,
  namesOf: (person: T) => Omit<Searched, "email">,
): Promise<Page<T & Key>> {
  const search = q === undefined ? undefined : searchFor(q);
  const prefix = search?.emailPrefix ?? "";
  const isOfList = (sortKey: string) => part.email(sortKey) && sortKey.startsWith(prefix);
  const after = decodeCursor(cursor, isOfList, search?.filterHash);
  if (prefix !== "" && !canBeginEmail(prefix)) return { rows: [] };
  return queryPage<T>(peopleIn(list, prefix, after), {
    limit,
    sortKeyOf: ({ email }) => email,
    filterHash: search?.filterHash,
    isWanted:
      search && prefix === "" ? (person) => isFound(search, { email: person.email, ...namesOf(person) }) : undefined,
  });
}
