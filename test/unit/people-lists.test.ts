/** Searching users and members (`docs/contract.md`, "Lists and pages"): who is found, in pages, at a bounded cost. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { caller, query, table } from "./mocked-table.ts";
import { StoredLists } from "./stored-lists.ts";

const { handler: users } = await import("#api/users/index.ts");
const { handler: members } = await import("#api/members/index.ts");
const { isFound, searchFor } = await import("#domain/people/list.ts");
const { encodeCursor } = await import("#kit/lists/cursor.ts");
const calls = { "/users": caller(users), "/members": caller(members) };
type Path = keyof typeof calls;

interface Person {
  readonly email: string;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

const itemsOf = (people: readonly Person[], path: Path) =>
  people.map(({ email, first, last }) => ({
    PK: `USER#${email}`,
    SK: path === "/users" ? "USER" : "MEMBER",
    GSI1PK: path === "/users" ? "USERS#0" : "MEMBERS#0",
    GSI1SK: email,
    email,
    ...(path === "/users" ? { fname: first, lname: last, favEvents: [] } : { firstName: first, lastName: last }),
  }));

/** The table has exactly these people. */
function given(people: readonly Person[], path: Path, cut = 3_000): StoredLists {
  const lists = new StoredLists(itemsOf(people, path), cut);
  table.on(query).callsFake((input) => lists.answer(input) as never);
  return lists;
}

const get = async (path: Path, parameters: Record<string, string>) => {
  const { status, body, headers } = await calls[path](`GET ${path}`, { query: parameters });
  return {
    status,
    body,
    emails: Array.isArray(body) ? body.map(({ email }) => email as string) : [],
    next: (headers as Record<string, string>)["x-next-cursor"],
  };
};

/** All pages of a list. */
async function pagesOf(path: Path, parameters: Record<string, string>) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { status, emails, next } = await get(path, { ...parameters, ...(cursor !== undefined && { cursor }) });
    expect(status).toBe(200);
    pages.push(emails);
    // A list that begins again would never end.
    expect(next === undefined || next !== cursor).toBe(true);
    cursor = next;
  } while (cursor !== undefined);
  return pages;
}

beforeEach(() => {
  table.reset();
});

describe("a text finds", () => {
  const found = (q: string, person: Omit<Person, "email"> & { email?: string }) =>
    isFound(searchFor(q), { email: "zoe+club@unit.example", ...person });

  test.each<[string, string, Person["first"], Person["last"]]>([
    ["a first name", "ad", "Ada", "Lovelace"],
    ["a whole name", "Ada Lovelace", "Ada", "Lovelace"],
    ["the second word of a last name that begins so", "van der", "Ada", "van der Berg"],
    ["a name with accents, without them", "renee", "Renée", undefined],
    ["a name in other code points", "Ame\u0301lie", "Am\u00e9lie", undefined],
    ["a sharp s by ss", "gross", undefined, "Groß"],
    ["an email's beginning", "zoe+c", undefined, undefined],
    ["an email whose + arrived as a space", "zoe club@un", undefined, undefined],
  ])("%s", (_, q, first, last) => {
    expect(found(q, { first, last })).toBe(true);
  });

  test.each<[string, string, Person["first"], Person["last"]]>([
    ["the middle of a name", "da", "Ada", "Lovelace"],
    ["a name with an @, because that is an email", "ada@", "ada@home", undefined],
  ])("not by %s", (_, q, first, last) => {
    expect(found(q, { first, last })).toBe(false);
  });
});

/** Letters that a plain comparison of the collator knows, each one code point in either form. */
const letters = fc.string({ unit: fc.constantFrom(..."aábeéèBEnñ"), minLength: 1, maxLength: 4 });
const collator = new Intl.Collator("en", { sensitivity: "base" });
/** Whether a text begins so, said by another authority than the code. */
const beginsWith = (text: string, start: string) => collator.compare(text.slice(0, start.length), start) === 0;

const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(1_999, 2_000, 2_001) },
);
const names = fc.array(fc.tuple(fc.option(letters), fc.option(letters)), { minLength: 1, maxLength: 12 });
/** So many people, with emails in the order of their numbers and names in turn. */
const crowdOf = (count: number, inTurn: readonly (readonly [string | null, string | null])[]): Person[] =>
  Array.from({ length: count }, (_, n) => {
    const [first, last] = inTurn[n % inTurn.length] ?? [];
    return { email: `p${String(n).padStart(5, "0")}@unit.example`, first: first ?? undefined, last: last ?? undefined };
  });
const path = fc.constantFrom<Path>("/users", "/members");
const limit = fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 5 }), fc.constantFrom(99, 100, 500));
const limited = (most: number | undefined): Record<string, string> => (most ? { limit: String(most) } : {});

test("the pages of a search together are the people who are found, in any crowd and with any limit", async () => {
  const cuts = fc.integer({ min: 1, max: 3_000 });
  await fc.assert(
    fc.asyncProperty(size, names, letters, path, limit, cuts, async (count, inTurn, q, at, limit, cut) => {
      const people = crowdOf(count, inTurn);
      // Small pages of a large crowd would only repeat what small crowds show.
      const most = limit && count > 100 ? Math.max(limit, 90) : limit;
      given(people, at, count > 100 ? cut + 500 : cut);
      const pages = await pagesOf(at, { q, ...limited(most) });
      const expected = people.filter(
        ({ first = "", last = "" }) => beginsWith(first + (first && last && " ") + last, q) || beginsWith(last, q),
      );
      expect(pages.flat()).toEqual(expected.map(({ email }) => email));
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(most ?? Number.POSITIVE_INFINITY);
    }),
    { numRuns: 30 },
  );
});

test("the pages of an email's beginning together are the people whose email begins so", async () => {
  const part = fc.string({ unit: fc.constantFrom(..."ab+~.-!"), minLength: 1, maxLength: 4 });
  const address = part.map((text) => `${text}@a.example`).filter((email) => !/^\.|\.\.|\.@/.test(email));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(address, { maxLength: 30 }),
      fc.tuple(part, fc.constantFrom("@", "@a", "@a.example", "@b", "@é")).map((parts) => parts.join("")),
      path,
      limit,
      fc.integer({ min: 1, max: 40 }),
      async (emails, q, at, most, cut) => {
        given(
          emails.map((email) => ({ email })),
          at,
          cut,
        );
        const pages = await pagesOf(at, { q: q.toUpperCase(), ...limited(most) });
        expect(pages.flat()).toEqual(emails.filter((email) => email.startsWith(q)).sort());
        expect((await pagesOf(at, limited(most))).flat()).toEqual(emails.toSorted());
      },
    ),
  );
});

const many = (count: number, last = "Other"): Person[] =>
  Array.from({ length: count }, (_, n) => ({ email: `p${String(n).padStart(6, "0")}@unit.example`, last }));

describe.each<Path>(["/users", "/members"])("%s", (at) => {
  test("a search that finds no person reads 2,000 records, says where it was, and goes on there", async () => {
    const lists = given(many(2_100), at);
    expect(await pagesOf(at, { q: "zz" })).toEqual([[], []]);
    expect(lists.read).toBe(2_100);
  });

  test("a search with a limit never reads more than 2,000 records", async () => {
    const lists = given(many(2_100), at);
    await get(at, { q: "zz", limit: "1" });
    expect(lists.read).toBe(2_000);
  });

  test("the beginning of an email reads only who has it", async () => {
    const lists = given(many(50), at);
    const { emails } = await get(at, { q: "P000007@Un" });
    expect(emails).toEqual(["p000007@unit.example"]);
    expect(lists.read).toBe(1);
  });

  test("a forged cursor in front of an email's beginning is a 400, and no range that the table refuses", async () => {
    given(many(3), at);
    const { filterHash } = searchFor("p000001@");
    const status = async (sortKey: string) =>
      (await get(at, { q: "p000001@", cursor: encodeCursor(sortKey, filterHash) })).status;
    expect(await status("p000001@unit.example")).toBe(200);
    expect(await status("p000000@unit.example")).toBe(400);
    expect(await status("p000002@unit.example")).toBe(400);
    expect(await status("p000001@")).toBe(400);
  });
});
