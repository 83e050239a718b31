/** The items of a copy, compared with those of a table, and put into it. */
import "../../../test/unit/environment.ts";

import { type AttributeValue, PutItemCommand, ScanCommand, ThrottlingException } from "@aws-sdk/client-dynamodb";
import { beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import type { WholeCopy } from "../../kit/copy/whole-copy.ts";

const { client } = await import("#kit/table/table.ts");
const { compared, emptiedFirst, expectedOf, itemsFor, putItems } = await import("../copied-items.ts");

type Item = Record<string, AttributeValue>;

const table = mockClient(client as never);
beforeEach(() => void table.reset());

const past = { N: "1000" };
const key = (PK: string, SK: string) => ({ PK: { S: PK }, SK: { S: SK } });
const prize = {
  ...key("PRIZE", "1"),
  tags: { SS: ["a", "b"] },
  picture: { B: "AQL/" },
  parts: { L: [{ M: { url: { S: "https://old.example/a.png" }, all: { BS: ["AQ=="] } } }] },
};
const row = { ...key("OUT#2030010108#3", "1"), detailType: { S: "event.created" } };
const count = { ...key("SIGNUPS#2030010108", "ALL"), count: { N: "3" } };
const ended = { ...key("PRIZE", "2"), ttl: past };

/** A copy of these items, of a stage with another address of images. */
const copyOf = (...items: object[]) =>
  ({
    index: { imagesUrl: "https://old.example" },
    async *items() {
      yield items;
    },
  }) as unknown as WholeCopy;
const pagesOf = (...items: object[]) => itemsFor(copyOf(...items), "https://new.example");

/** The same prize as DynamoDB answers it, with the address of the new images. */
const stored = {
  parts: { L: [{ M: { all: { BS: [new Uint8Array([1])] }, url: { S: "https://new.example/a.png" } } }] },
  picture: { B: new Uint8Array([1, 2, 255]) },
  tags: { SS: ["b", "a"] },
  ...key("PRIZE", "1"),
} as Item;

async function comparedWith(...Items: object[]) {
  table.on(ScanCommand as never).resolves({ Items } as never);
  const { same, wrong, missing, digest } = await compared(await expectedOf(pagesOf(prize, row, count, ended)));
  return { same: same.size, wrong: Object.fromEntries(wrong), missing: Object.fromEntries(missing), digest };
}

test("items are the same in any order of their fields and sets, and of an empty table all is missing", async () => {
  const { digest, ...whole } = await comparedWith(stored, row, count);
  expect(whole).toEqual({ same: 3, wrong: {}, missing: {} });
  expect((await comparedWith(row, count, stored)).digest).toBe(digest);
  expect(await comparedWith()).toMatchObject({ same: 0, wrong: {}, missing: { prize: 1, "outbox row": 1 } });
});

test.each<readonly [name: string, item: object, wrong: object]>([
  ["another value", { ...stored, tags: { SS: ["a", "c"] } }, { prize: 1 }],
  ["other bytes", { ...stored, picture: { B: new Uint8Array([1, 2, 254]) } }, { prize: 1 }],
  ["another item", { ...stored, ...key("PRIZE", "3") }, { prize: 1 }],
  ["an item of no kind", { ...stored, ...key("WHAT", "3") }, { "no kind": 1 }],
  ["a row of the outbox that is not in the copy", key("OUT#2030010108#3", "2"), { "outbox row": 1 }],
  ["a row of the outbox that has only its key", key("OUT#2030010108#3", "1"), {}],
  ["a count of another hour", { ...count, ...key("SIGNUPS#2030010109", "ALL") }, {}],
])("%s", async (_, item, wrong) => {
  expect((await comparedWith(item)).wrong).toEqual(wrong);
});

const puts = (): object[] =>
  table
    .commandCalls(PutItemCommand as never)
    .map(({ args }) => (args[0] as unknown as PutItemCommand).input.Item ?? {});

test("what is missing is put with its bytes, a row of the outbox first with nothing but its key", async () => {
  table
    .on(PutItemCommand as never)
    .rejectsOnce(new ThrottlingException({ message: "too fast", $metadata: {} }))
    .resolves({});
  const there = (await expectedOf(pagesOf(count))).keys();
  const how = { putting: emptiedFirst, put: () => undefined, stop: undefined };
  expect(await putItems(pagesOf(prize, row, count, ended), new Set(there), how)).toBe(true);
  const emptied = key("OUT#2030010108#3", "1");
  const bytes = expect.objectContaining({ picture: { B: Buffer.from([1, 2, 255]) } });
  expect(puts()).toEqual([emptied, emptied, bytes, row]);
});

test("an interrupted command puts no more", async () => {
  const how = { putting: emptiedFirst, put: () => undefined, stop: AbortSignal.abort() };
  expect(await putItems(pagesOf(prize), new Set(), how)).toBe(false);
  expect(puts()).toEqual([]);
});
