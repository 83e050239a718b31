/** Lists in pages (`docs/contract.md`, "Lists and pages"): a list reads, and pays for, no more than the page needs. */
import { beforeEach, expect, test } from "@jest/globals";
import { query, sent, table } from "./mocked-table.ts";

const { queryPage } = await import("#kit/pages.ts");
const { decodeCursor } = await import("#kit/cursor.ts");

const rows = (...names: string[]) => names.map((name) => ({ PK: "LIST", SK: name, name }));
const list = { KeyConditionExpression: "PK = :list", ExpressionAttributeValues: { ":list": "LIST" } };
const sortKeyOf = ({ name }: { readonly name: string }) => name;

beforeEach(() => {
  table.reset();
});

test("a page reads one row more than it shows, and continues behind the last shown row", async () => {
  table.on(query).resolves({ Items: rows("a", "b", "c"), LastEvaluatedKey: { PK: "LIST", SK: "c" } } as never);
  const page = await queryPage<{ readonly name: string }>(list, { limit: 2, sortKeyOf });
  expect(page.rows.map(sortKeyOf)).toEqual(["a", "b"]);
  expect(decodeCursor(page.next, () => true)).toBe("b");
  expect(sent.queries()).toMatchObject([{ Limit: 3 }]);
});

test("the last page has no cursor", async () => {
  table.on(query).resolves({ Items: rows("a", "b") } as never);
  const page = await queryPage<{ readonly name: string }>(list, { limit: 2, sortKeyOf });
  expect(page).toEqual({ rows: rows("a", "b") });
});

test("without a limit the list is read to its end", async () => {
  table
    .on(query)
    .resolvesOnce({ Items: rows("a"), LastEvaluatedKey: { PK: "LIST", SK: "a" } } as never)
    .resolvesOnce({ Items: rows("b") } as never);
  const page = await queryPage<{ readonly name: string }>(list, { sortKeyOf });
  expect(page).toEqual({ rows: rows("a", "b") });
  expect(sent.queries().map(({ Limit }) => Limit)).toEqual([undefined, undefined]);
});

test("without a cursor a list starts at its beginning", () => {
  expect(decodeCursor(undefined, () => true)).toBeUndefined();
});
