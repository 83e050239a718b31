/** The number of people who wait is counted at most once in five seconds, for all callers. */
import "./environment.ts";
import type { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";

const { client } = await import("#kit/table/table.ts");
const { recentCount } = await import("#domain/capacity/recent-count.ts");

const event = { id: "gala", year: 2030 };
let now = Date.now();
let waiting = 7;
let queries: QueryCommand["input"][];
/** Runs before the table answers. */
let meanwhile: () => Promise<void>;

beforeEach(() => {
  // No test finds a number that another one has kept.
  now += 60_000;
  queries = [];
  meanwhile = async () => undefined;
  jest.spyOn(client, "send").mockImplementation((async (command: QueryCommand) => {
    queries.push(command.input);
    const Count = waiting;
    await meanwhile();
    return { Count };
  }) as never);
});
afterEach(() => void jest.restoreAllMocks());

test("a number is kept for five seconds, and then the line is counted again", async () => {
  waiting = 7;
  expect(await recentCount(event, { generation: "i" }, now)).toBe(7);
  waiting = 8;
  for (const later of [0, 2_500, 2_499]) {
    now += later;
    expect(await recentCount(event, { generation: "i" }, now)).toBe(7);
  }
  expect(queries).toMatchObject([{ ConsistentRead: false, ExpressionAttributeValues: { ":generation": "i" } }]);
  now += 1;
  expect(await recentCount(event, { generation: "i" }, now)).toBe(8);
  expect(queries).toHaveLength(2);
});

test("all who ask while the line is counted share one query", async () => {
  waiting = 7;
  const answers = await Promise.all(Array.from({ length: 20 }, () => recentCount(event, { generation: "i" }, now)));
  expect(answers).toEqual(Array.from({ length: 20 }, () => 7));
  expect(queries).toHaveLength(1);
});

test("each event, each generation and each pool has its own number", async () => {
  type Line = Parameters<typeof recentCount>[1];
  const i: Line = { generation: "i" };
  const counted = async (one: typeof event, line: Line, number: number) => {
    waiting = number;
    return recentCount(one, line, now);
  };
  expect(await counted(event, i, 1)).toBe(1);
  expect(await counted(event, { generation: "later" }, 2)).toBe(2);
  expect(await counted({ ...event, year: 2031 }, i, 3)).toBe(3);
  expect(await counted({ ...event, id: "ball" }, i, 4)).toBe(4);
  expect(await counted(event, { ...i, pool: "partners" }, 6)).toBe(6);
  expect(await counted(event, i, 5)).toBe(1);
});
