/** Lists in pages (`contract.md`, section 0): nothing is read, and paid for, behind what was asked for. */
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

test("a page reads one row more than it shows, and goes on behind the last one shown", async () => {
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

test("no cursor is the beginning of the list", () => {
  expect(decodeCursor(undefined, () => true)).toBeUndefined();
});
