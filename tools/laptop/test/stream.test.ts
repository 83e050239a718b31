/** The event source mapping between a table's stream and a function. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type FakeClock, fakeClock, until } from "../../../test/unit/local-time.ts";
import type { StreamRecord } from "../dynamodb/index.ts";
import { Throttled } from "../service-kit/concurrency.ts";
import { Disorder } from "../service-kit/disorder.ts";
import {
  type DiscardedBatch,
  type StreamMapping,
  type StreamMappingOptions,
  type StreamMappingProperties,
  startStreamMapping,
} from "../stream/index.ts";

const streamArn = "arn:aws:dynamodb:us-west-2:000000000000:table/Club/stream/local";
const functionArn = "arn:aws:lambda:us-west-2:000000000000:function:Relay";
const queueArn = "arn:aws:sqs:us-west-2:000000000000:Discarded";
const open: (() => Promise<unknown>)[] = [];
let clock: FakeClock;

beforeEach(() => {
  clock = fakeClock();
  jest.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  jest.restoreAllMocks();
});

/** A stream in memory, which tests append to. */
function givenStream(...first: string[]) {
  const records: StreamRecord[] = [];
  const listeners = new Set<(records: readonly StreamRecord[]) => void>();
  const stream = {
    read: async (after = "", limit = 100) =>
      records.filter(({ dynamodb }) => dynamodb.SequenceNumber > after).slice(0, limit),
    onAppend(listener: (records: readonly StreamRecord[]) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Appends the insertion of items with these partition keys, and announces them together. */
    append(...partitions: string[]) {
      const added = partitions.map((partition, index) => insertion(partition, records.length + index + 1));
      records.push(...added);
      for (const listener of listeners) listener(added);
    },
  };
  stream.append(...first);
  return stream;
}

function insertion(partition: string, number: number): StreamRecord {
  const Keys = { PK: { S: partition }, SK: { S: "-" } };
  return {
    eventID: partition,
    eventName: "INSERT",
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "us-west-2",
    eventSourceARN: streamArn,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(clock.now() / 1000),
      Keys,
      NewImage: Keys,
      SequenceNumber: `${number}`.padStart(21, "0"),
      SizeBytes: 10,
      StreamViewType: "NEW_AND_OLD_IMAGES",
    },
  };
}

type Stream = ReturnType<typeof givenStream>;
type Invoke = StreamMappingOptions["invoke"];
const partitionOf = ({ dynamodb }: StreamRecord): string => String(dynamodb.Keys.PK?.S);

/** A mapping, the batches that its function got, and the records that it gave up. */
async function givenMapping(
  stream: Stream,
  properties: Partial<StreamMappingProperties> = {},
  invoke: (partitions: string[], records: readonly StreamRecord[]) => unknown = () => null,
  { directory, disorder }: { directory?: string; disorder?: Disorder | undefined } = {},
) {
  const batches: string[][] = [];
  const discarded: [string, DiscardedBatch][] = [];
  const mapping: StreamMapping = await startStreamMapping({
    name: "Relay",
    properties: { EventSourceArn: streamArn, ...properties },
    stream,
    functionArn,
    invoke: (async ({ Records }) => {
      const partitions = Records.map(partitionOf);
      batches.push(partitions);
      return invoke(partitions, Records);
    }) as Invoke,
    onDiscarded: async (destination, batch) => void discarded.push([destination, batch]),
    directory,
    retryDelay: 100,
    clock,
    disorder,
  });
  open.push(() => mapping.close());
  return { mapping, batches, discarded };
}

const failing = () => {
  throw new Error("no");
};
const throttled = () => {
  throw new Throttled();
};
const fails =
  (...bad: string[]) =>
  (partitions: string[], _: readonly StreamRecord[]): unknown =>
    partitions.some((one) => bad.includes(one)) ? failing() : null;
/** Reports the records of these partitions as failed. */
const reports =
  (...bad: string[]) =>
  (_: string[], records: readonly StreamRecord[]) => ({
    batchItemFailures: records
      .filter((record) => bad.includes(partitionOf(record)))
      .map((record) => ({ itemIdentifier: record.dynamodb.SequenceNumber })),
  });
const reporting = { FunctionResponseTypes: ["ReportBatchItemFailures"] };
const sends = { DestinationConfig: { OnFailure: { Destination: queueArn } } };

test("only records that match one of the filters reach the function, and none of another table", async () => {
  const pattern = (prefix: string) => ({
    Pattern: JSON.stringify({ eventName: ["INSERT"], dynamodb: { Keys: { PK: { S: [{ prefix }] } } } }),
  });
  const stream = givenStream();
  const FilterCriteria = { Filters: [pattern("OUT#"), pattern("LINE#")] };
  const { mapping, batches } = await givenMapping(stream, { FilterCriteria });
  const other = await givenMapping(stream, { EventSourceArn: `${streamArn}-of-another` });
  stream.append("OUT#1", "REG#1", "LINE#1");
  await mapping.settled();
  await other.mapping.settled();
  expect(batches).toEqual([["OUT#1", "LINE#1"]]);
  expect(other.batches).toEqual([]);
});

const whole = ["A", "B", "C", "D"];
const bisecting = { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1, ...sends };
const unknown = (itemIdentifier: string) => () => ({ batchItemFailures: [{ itemIdentifier }] });

/** What a function answers to each call, and then nothing; the batches that it gets of four records; and how many are given up. */
test.each<[string, Partial<StreamMappingProperties>, readonly ReturnType<typeof fails>[], string[][], number]>([
  [
    "a failed batch holds up the next",
    { BatchSize: 2 },
    [failing],
    [
      ["A", "B"],
      ["A", "B"],
      ["C", "D"],
    ],
    0,
  ],
  [
    "after its retries it is given up",
    { ...bisecting, BisectBatchOnFunctionError: false },
    [failing, failing],
    [whole, whole],
    1,
  ],
  [
    "a throttled call is neither cut nor counted",
    { ...bisecting, MaximumRetryAttempts: 0 },
    [throttled],
    [whole, whole],
    0,
  ],
  ["the first reported failure cuts the batch", reporting, [reports("D", "B")], [whole, ["B", "C", "D"]], 0],
  ["no reported failures", reporting, [reports()], [whole], 0],
  ["an empty identifier", reporting, [unknown("")], [whole, whole], 0],
  ["an identifier of nothing in the batch", reporting, [unknown("7")], [whole, whole], 0],
  ["failures that were not asked for", {}, [unknown("")], [whole], 0],
  [
    "a cut in the middle costs no retry",
    bisecting,
    Array(5).fill(fails("C")),
    [whole, ["A", "B"], ["C", "D"], ["C"], ["C"], ["D"]],
    1,
  ],
])("%s", async (_, properties, answers, expected, givenUp) => {
  let calls = 0;
  const answer: ReturnType<typeof fails> = (...call) => answers[calls++]?.(...call) ?? null;
  const { mapping, batches, discarded } = await givenMapping(givenStream(...whole), properties, answer);
  await mapping.settled();
  while (clock.waiting > 0) {
    clock.advance(100);
    await mapping.settled();
  }
  expect(batches).toEqual(expected);
  expect(discarded).toHaveLength(givenUp);
});

test("retries come later and later, and what is given up is reported by its place in the stream", async () => {
  const times: number[] = [];
  const { mapping, discarded } = await givenMapping(
    givenStream("A", "B"),
    { MaximumRetryAttempts: 2, ...sends },
    () => {
      times.push(clock.now());
      failing();
    },
  );
  for (let passed = 0; passed <= 300; passed += 1) {
    await mapping.settled();
    clock.advance(1);
  }
  expect(times.map((time) => time - Number(times[0]))).toEqual([0, 100, 300]);
  const [[destination, report] = []] = discarded;
  expect(destination).toBe(queueArn);
  expect(report).toMatchObject({
    requestContext: { functionArn, condition: "RetryAttemptsExhausted", approximateInvokeCount: 3 },
    responseContext: { statusCode: 200, functionError: "Unhandled" },
    DDBStreamBatchInfo: {
      startSequenceNumber: "000000000000000000001",
      endSequenceNumber: "000000000000000000002",
      approximateArrivalOfFirstRecord: "2026-03-01T12:00:00Z",
      batchSize: 2,
      streamArn,
    },
  });
});

test("after a stop delivered records do not come again, and the others do", async () => {
  const directory = await givenFolder(open);
  const stream = givenStream("A", "B");
  const first = await givenMapping(stream, reporting, reports("B"), { directory });
  await first.mapping.settled();
  await first.mapping.close();
  const second = await givenMapping(stream, {}, undefined, { directory });
  await second.mapping.settled();
  expect([first.batches, second.batches]).toEqual([[["A", "B"]], [["B"]]]);
  expect(JSON.parse(await readFile(join(directory, "Relay.checkpoint.json"), "utf8"))).toEqual({
    done: ["000000000000000000002"],
  });
});

test("records that the function was processing at a kill come again", async () => {
  const directory = await givenFolder(open);
  const stream = givenStream("A");
  // The first process: its function never ends, and the process closes nothing.
  const first = await givenMapping(stream, {}, () => new Promise(() => undefined), { directory });
  open.pop();
  await until(() => first.batches.length === 1);
  const second = await givenMapping(stream, {}, undefined, { directory });
  await second.mapping.settled();
  expect(second.batches).toEqual([["A"]]);
});

/** Appends this number of records of each of six keys, in groups. @returns the sequence numbers that were delivered, by key */
async function deliveredByKey(disorder: Disorder | undefined, each: number) {
  const stream = givenStream();
  const delivered: [string, string][] = [];
  let running = 0;
  let atOnce = 0;
  const { mapping } = await givenMapping(
    stream,
    { BatchSize: 3 },
    async (_partitions, records) => {
      running += 1;
      atOnce = Math.max(atOnce, running);
      await turn();
      delivered.push(...records.map((one): [string, string] => [partitionOf(one), one.dynamodb.SequenceNumber]));
      running -= 1;
    },
    { disorder },
  );
  for (let round = 0; round < each; round += 1) {
    stream.append("A", "B", "C", "D", "E", "F");
    if (round % 4 === 3) await mapping.settled();
  }
  await mapping.settled();
  const of = (key: string) => delivered.filter(([one]) => one === key).map(([, sequence]) => Number(sequence));
  return {
    all: delivered.map(([, sequence]) => Number(sequence)),
    byKey: ["A", "B", "C", "D", "E", "F"].map(of),
    atOnce,
  };
}

const increases = (numbers: readonly number[]) =>
  numbers.every((one, index) => index === 0 || one > Number(numbers[index - 1]));
/** The numbers in the order of their first occurrence. */
const firsts = (numbers: readonly number[]) => [...new Set(numbers)];

test("without disorder each record comes once, in the order of the stream", async () => {
  const { all, atOnce } = await deliveredByKey(undefined, 12);
  expect(all).toEqual(Array.from({ length: 72 }, (_, index) => index + 1));
  expect(atOnce).toBe(1);
});

test("in disorder shards overtake each other, and go back to repeat records", async () => {
  const { all, byKey, atOnce } = await deliveredByKey(new Disorder(1), 12);
  expect(new Set(all).size).toBe(72);
  expect(increases(firsts(all))).toBe(false);
  expect(atOnce).toBeGreaterThan(1);
  expect(all.length).toBeGreaterThan(72);
  expect(all.length).toBeLessThan(3 * 72);
  for (const [key, numbers] of byKey.entries()) {
    // New records of a key come in order. A lane that goes back repeats the earlier record and all that follow.
    expect(increases(firsts(numbers))).toBe(true);
    for (const [index, number] of numbers.entries()) {
      const next = numbers[index + 1];
      if (next !== undefined && next > number) expect({ key, next }).toEqual({ key, next: number + 6 });
    }
  }
});
