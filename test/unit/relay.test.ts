/**
 * The relay sends committed rows to the bus in order. A row that cannot be sent blocks the others only for a limited
 * time.
 */
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from "@aws-sdk/client-eventbridge";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { DynamoDBRecord } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import "./environment.ts";

process.env.BUS_NAME = "club";
const { handler } = await import("#consumers/relay.ts");

/** The types of the mock know another version of the SDK. */
const bus = mockClient(EventBridgeClient as never) as unknown as ReturnType<typeof mockClient<never, never, never>>;
const putEvents = PutEventsCommand as never;

beforeEach(() => {
  bus.reset();
  bus.on(putEvents).callsFake(((input: { Entries: PutEventsRequestEntry[] }) => answer(input.Entries, {})) as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The numbers of the rows behind an entry or a request. */
const numberOf = ({ Detail }: PutEventsRequestEntry): number => JSON.parse(String(Detail)).data.number;
const requests = (): PutEventsRequestEntry[][] =>
  bus
    .commandCalls(putEvents)
    .map(({ args }) => (args[0] as unknown as { input: { Entries: PutEventsRequestEntry[] } }).input.Entries);
const sent = (): number[][] => requests().map((entries) => entries.map(numberOf));

/** The bus's answer that refuses the rows with these numbers, with these codes. */
function answer(entries: readonly PutEventsRequestEntry[], refused: Readonly<Record<number, string>>) {
  const Entries = entries.map((entry) => {
    const ErrorCode = refused[numberOf(entry)];
    return ErrorCode ? { ErrorCode, ErrorMessage: "no" } : { EventId: `event-${numberOf(entry)}` };
  });
  return { Entries, FailedEntryCount: Entries.filter(({ ErrorCode }) => ErrorCode).length };
}

/** The bus's answers in turn. The last answer is repeated. */
function givenAnswers(...refusals: Readonly<Record<number, string>>[]): void {
  let call = 0;
  bus.on(putEvents).callsFake(((input: { Entries: PutEventsRequestEntry[] }) => {
    call += 1;
    return answer(input.Entries, refusals[Math.min(call, refusals.length) - 1] as Readonly<Record<number, string>>);
  }) as never);
}

const email = "ada@student.example";

function givenRow(number: number, more: object = {}): DynamoDBRecord {
  const metadata = { id: `id-${number}`, version: 1, occurredAt: "2030-01-01T08:00:00.500Z", actor: email };
  const row = {
    PK: "OUT#2030010108#3",
    SK: `id-${number}`,
    detailType: "registration.registered",
    detail: { metadata, data: { number, email } },
    ttl: 2_000_000_000,
    ...more,
  };
  return {
    eventName: "INSERT",
    dynamodb: {
      SequenceNumber: `sequence-${number}`,
      Keys: marshall({ PK: row.PK, SK: row.SK }) as never,
      NewImage: marshall(row) as never,
    },
  };
}

const rows = (count: number): DynamoDBRecord[] => Array.from({ length: count }, (_, number) => givenRow(number));
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
const relay = async (Records: DynamoDBRecord[]): Promise<string[]> =>
  (await handler({ Records })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

/** A row of about this many bytes. */
const givenLargeRow = (number: number, bytes: number) =>
  givenRow(number, {
    detail: {
      metadata: { id: `id-${number}`, version: 1, occurredAt: "2030-01-01T08:00:00.500Z" },
      data: { number, text: "x".repeat(bytes) },
    },
  });

test("a row becomes the event that the catalogue describes", async () => {
  expect(await relay([givenRow(7)])).toEqual([]);
  expect(requests()).toEqual([
    [
      {
        EventBusName: "club",
        Source: "club.events",
        DetailType: "registration.registered",
        Detail: JSON.stringify({
          metadata: { id: "id-7", version: 1, occurredAt: "2030-01-01T08:00:00.500Z", actor: email },
          data: { number: 7, email },
        }),
        Time: new Date("2030-01-01T08:00:00.500Z"),
      },
    ],
  ]);
});

test("a batch is sent in its order, ten rows at a time", async () => {
  expect(await relay(rows(23))).toEqual([]);
  expect(sent()).toEqual([numbers(0, 10), numbers(10, 20), numbers(20, 23)]);
});

test("a request of the largest rows is smaller than 1 MB", async () => {
  expect(await relay(numbers(0, 10).map((number) => givenLargeRow(number, 65_000)))).toEqual([]);
  expect(sent()).toEqual([numbers(0, 10)]);
  expect(Buffer.byteLength(JSON.stringify(requests()))).toBeLessThan(1_000_000);
});

describe("an entry that the bus refuses", () => {
  test("once is sent again, without the entries that were accepted", async () => {
    givenAnswers({ 1: "ThrottlingException", 3: "InternalFailure" }, { 3: "ThrottlingException" }, {});
    expect(await relay(rows(5))).toEqual([]);
    expect(sent()).toEqual([[0, 1, 2, 3, 4], [1, 3], [3]]);
  });

  test("again and again is reported, and no row behind its request is sent", async () => {
    givenAnswers({ 12: "ThrottlingException", 14: "ThrottlingException" });
    expect(await relay(rows(30))).toEqual(["sequence-12"]);
    expect(sent()).toEqual([numbers(0, 10), numbers(10, 20), [12, 14], [12, 14]]);
  });

  test("for good is reported at once", async () => {
    givenAnswers({ 2: "MalformedDetail" });
    expect(await relay(rows(4))).toEqual(["sequence-2"]);
    expect(sent()).toEqual([[0, 1, 2, 3]]);
  });
});

test.each(["ThrottlingException"])("a request that fails with %s is reported from its first row on", async (name) => {
  let call = 0;
  bus.on(putEvents).callsFake(((input: { Entries: PutEventsRequestEntry[] }) => {
    call += 1;
    if (call === 1) return answer(input.Entries, {});
    throw Object.assign(new Error("no"), { name });
  }) as never);
  expect(await relay(rows(15))).toEqual(["sequence-10"]);
});

describe("a row that can never be sent", () => {
  test.each<[string, DynamoDBRecord]>([
    ["larger than a message", givenLargeRow(2, 64 * 1024)],
    ["without detail type", givenRow(2, { detailType: 7 })],
  ])("(%s) is reported, after the rows before it are sent", async (_, bad) => {
    expect(await relay([givenRow(0), givenRow(1), bad, givenRow(3)])).toEqual(["sequence-2"]);
    expect(sent()).toEqual([[0, 1]]);
  });
});

test("a row with nothing but its key is passed over: a restore fills it without an insert", async () => {
  const { dynamodb, ...record } = givenRow(2);
  const { Keys = {} } = dynamodb ?? {};
  const emptied = { ...record, dynamodb: { ...dynamodb, NewImage: Keys } };
  expect(await handler({ Records: [givenRow(1), emptied, givenRow(3)] })).toEqual({ batchItemFailures: [] });
  expect(sent()).toEqual([[1, 3]]);
  // Control: with anything else it is a row, which cannot be sent.
  const NewImage = { ...Keys, ttl: { N: "1" } };
  const damaged = { ...record, dynamodb: { ...dynamodb, NewImage } };
  expect((await handler({ Records: [damaged] })).batchItemFailures).toHaveLength(1);
});
