/** Lists in pages (`docs/contract.md`, "Lists and pages"): a list reads, and pays for, no more than the page needs. */
import { beforeEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { query, sent, table } from "./mocked-table.ts";

const { merged, queryPage, takeTexts } = await import("#kit/lists/pages.ts");
const { decodeCursor } = await import("#kit/lists/cursor.ts");

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

test("sorted lists are one sorted list, which reads only what is taken", async () => {
  const sorted = fc.array(fc.string({ unit: "grapheme-ascii" })).map((keys) => keys.sort());
  await fc.assert(
    fc.asyncProperty(fc.array(sorted, { maxLength: 5 }), fc.nat(20), async (lists, wanted) => {
      let read = 0;
      async function* counted(keys: readonly string[]) {
        for (const key of keys) {
          read += 1;
          yield key;
        }
      }
      const taken: string[] = [];
      for await (const key of merged(lists.map(counted), (key) => key)) {
        if (taken.length === wanted) break;
        taken.push(key);
      }
      expect(taken).toEqual(lists.flat().sort().slice(0, wanted));
      expect(read).toBeLessThanOrEqual(lists.length + wanted);
    }),
  );
});

test("a page fits into the answer of a function also when each of its characters is escaped there", async () => {
  const quotes = '"'.repeat(1_000_000);
  const texts = Array.from({ length: 8 }, (_, n) => `${n}${quotes}`);
  const { rows: taken, next } = await takeTexts(texts, { sortKeyOf: (text) => text.slice(0, 1) }, String);
  const answer = JSON.stringify({ statusCode: 200, body: `[${taken.join()}]` });
  // Lambda takes 6 MB.
  expect(Buffer.byteLength(answer)).toBeLessThan(6 * 1_024 * 1_024);
  expect([taken.length, decodeCursor(next, () => true)]).toEqual([2, "1"]);
});
