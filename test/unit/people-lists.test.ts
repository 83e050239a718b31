/** Searching users and members (`docs/contract.md`, "Lists and pages"): who is found, in pages, at a bounded cost. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { caller, query, sent, table } from "./mocked-table.ts";
import { StoredLists } from "./stored-lists.ts";

const { handler: users } = await import("#api/users/index.ts");
const { handler: members } = await import("#api/members/index.ts");
const { isFound, searchFor } = await import("#domain/people/search.ts");
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
    ["a last name", "LOVE", "Ada", "Lovelace"],
    ["first and last name", "ada lov", "Ada", "Lovelace"],
    ["a whole name", "Ada Lovelace", "Ada", "Lovelace"],
    ["a name with other spaces", "ada  lovelace", " Ada", "Lovelace "],
    ["the second word of a last name that begins so", "van der", "Ada", "van der Berg"],
    ["a name with accents, without them", "renee", "Renée", undefined],
    ["a name without accents, with them", "Rénée", "Renee", undefined],
    ["a name in other code points", "Ame\u0301lie", "Am\u00e9lie", undefined],
    ["a sharp s by ss", "gross", undefined, "Groß"],
    ["a dotted capital", "ilker", "İlker", undefined],
    ["another script", "Мар", "Мария", undefined],
    ["a syllable of hangul", "김", "김민준", undefined],
    ["an email's beginning", "zoe+c", undefined, undefined],
    ["an email whose + arrived as a space", "zoe club@un", undefined, undefined],
    ["an email in capitals", "ZOE+CLUB@UNIT.EXAMPLE", undefined, undefined],
  ])("%s", (_, q, first, last) => {
    expect(found(q, { first, last })).toBe(true);
  });

  test.each<[string, string, Person["first"], Person["last"]]>([
    ["the middle of a name", "da", "Ada", "Lovelace"],
    ["the end of a name", "lace", "Ada", "Lovelace"],
    ["last and first name", "lovelace ada", "Ada", "Lovelace"],
    ["the domain", "unit", "Ada", "Lovelace"],
    ["a name with an @, because that is an email", "ada@", "ada@home", undefined],
    ["accents alone", "\u0301\u0302", "Ada", "Lovelace"],
    ["pattern characters", ".*", "Ada", "Lovelace"],
    ["an empty name", "undefined", undefined, undefined],
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
  { weight: 1, arbitrary: fc.constantFrom(1_999, 2_000, 2_001, 4_321) },
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
    { numRuns: 60 },
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
    const lists = given(many(4_500), at);
    const pages: number[] = [];
    let cursor: string | undefined;
    do {
      const before = lists.read;
      const { emails, next } = await get(at, { q: "zz", ...(cursor !== undefined && { cursor }) });
      expect(emails).toEqual([]);
      pages.push(lists.read - before);
      cursor = next;
    } while (cursor !== undefined);
    expect(pages).toEqual([2_000, 2_000, 500]);
  });

  test("a search with a limit reads little when many people are found", async () => {
    const lists = given(many(4_500), at);
    const { emails, next } = await get(at, { q: "oth", limit: "10" });
    expect([emails.length, typeof next]).toEqual([10, "string"]);
    expect(lists.read).toBe(100);
    expect(sent.queries()).toHaveLength(1);
  });

  test("a search with a limit never reads more than 2,000 records", async () => {
    for (const limit of ["1", "100", "500"]) {
      const lists = given(many(4_500), at);
      await get(at, { q: "zz", limit });
      expect(lists.read).toBe(2_000);
    }
  });

  test("a page that reads 5 MB ends there, and the next one goes on", async () => {
    const people = many(60).map((person) => ({ ...person, first: "x".repeat(200_000) }));
    const lists = given(people, at, 5);
    const { emails, next } = await get(at, { q: "zz" });
    expect([emails, typeof next]).toEqual([[], "string"]);
    // 200 KB each: the row behind 5 MB tells that there is more, and a call reads five.
    expect(lists.read).toBeLessThanOrEqual(30);
    expect((await pagesOf(at, { q: "oth" })).flat()).toEqual(people.map(({ email }) => email));
  });

  test("the beginning of an email reads only who has it", async () => {
    const lists = given(many(4_500), at);
    const { emails } = await get(at, { q: "P000007@Un" });
    expect(emails).toEqual(["p000007@unit.example"]);
    expect(lists.read).toBe(1);
  });

  test.each([
    ["in another script", "김@"],
    ["longer than any key of the table", `${"\uFDFA".repeat(252)}@`],
  ])("an email's beginning %s finds no person and reads nothing", async (_, q) => {
    given(many(10), at);
    expect(await get(at, { q })).toMatchObject({ status: 200, body: [] });
    expect(sent.queries()).toEqual([]);
  });

  test.each([
    ["", "must be a single line that is not blank or only dots"],
    ["  ", "must be a single line that is not blank or only dots"],
    ["a\nb", "must be a single line that is not blank or only dots"],
    ["a\u0000", "must be a single line that is not blank or only dots"],
    ["x".repeat(255), "must have at most 254 characters"],
  ])("q=%j is a 400", async (q, message) => {
    given(many(1), at);
    expect(await get(at, { q })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION", issues: [{ path: "/q", message }] },
    });
    expect(sent.queries()).toEqual([]);
  });

  test("a misspelled name of the parameter is a 400 that says the right one", async () => {
    expect(await get(at, { Q: "ada" })).toMatchObject({ status: 400, body: { message: "Q must be spelled q." } });
  });

  test("a cursor goes on with its own search only", async () => {
    given(many(3, "Other"), at);
    const ofSearch = (await get(at, { q: "oth", limit: "1" })).next ?? "";
    const ofAll = (await get(at, { limit: "1" })).next ?? "";
    const ofPrefix = (await get(at, { q: "p00000@", limit: "1" })).next;
    expect(ofPrefix).toBeUndefined();
    const status = async (parameters: Record<string, string>) => (await get(at, parameters)).status;
    expect(await status({ q: "oth", cursor: ofSearch })).toBe(200);
    expect(await status({ q: " OTH", cursor: ofSearch })).toBe(200);
    expect(await status({ q: "oth", limit: "7", cursor: ofSearch })).toBe(200);
    expect(await status({ q: "othe", cursor: ofSearch })).toBe(400);
    expect(await status({ q: "oth@", cursor: ofSearch })).toBe(400);
    expect(await status({ cursor: ofSearch })).toBe(400);
    expect(await status({ cursor: ofAll })).toBe(200);
    expect(await status({ q: "oth", cursor: ofAll })).toBe(400);
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
