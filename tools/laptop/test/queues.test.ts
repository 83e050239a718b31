/** Queues, and the event source mapping between a queue and a function. */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type FakeClock, fakeClock, until } from "../../../test/unit/local-time.ts";
import {
  type QueueMappingProperties,
  type QueueProperties,
  type Queues,
  type SqsRecord,
  startQueueMapping,
  startQueues,
} from "../queues/index.ts";
import { Disorder } from "../service-kit/disorder.ts";

const arnOf = (name: string) => `arn:aws:sqs:us-west-2:000000000000:${name}`;
const open: (() => Promise<unknown>)[] = [];
let clock: FakeClock;

beforeEach(() => {
  clock = fakeClock();
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** The queues `Mail` and `MailDead`. */
function givenQueues(properties: QueueProperties = {}, directory?: string, disorder?: Disorder) {
  const queues: Queues = startQueues({
    queues: [
      { name: "Mail", arn: arnOf("Mail"), properties },
      { name: "MailDead", arn: arnOf("MailDead"), properties: {} },
    ],
    directory,
    clock,
    disorder,
  });
  open.push(() => queues.close());
  return { queues, mail: queues.of(arnOf("Mail")), dead: queues.of(arnOf("MailDead")) };
}

type Given = ReturnType<typeof givenQueues>;

const redrive = (maxReceiveCount: number): QueueProperties => ({
  RedrivePolicy: { deadLetterTargetArn: arnOf("MailDead"), maxReceiveCount },
});
const bodies = (messages: readonly { readonly body: string }[]) => messages.map(({ body }) => body);
const failing = (): never => {
  throw new Error("no");
};

/** A mapping of `Mail`, and the batches that its function got. */
function givenMapping(
  { mail }: Pick<Given, "mail">,
  answer: (bodies: string[], records: readonly SqsRecord[]) => unknown = () => null,
  properties: Partial<QueueMappingProperties> = {},
  disorder?: Disorder,
) {
  const batches: string[][] = [];
  const mapping = startQueueMapping({
    properties: { EventSourceArn: arnOf("Mail"), ...properties },
    queue: mail,
    invoke: async ({ Records }) => {
      batches.push(bodies(Records));
      return answer(bodies(Records), Records);
    },
    clock,
    disorder,
  });
  open.push(() => mapping.close());
  return { mapping, batches };
}

test("a message that was received too often goes to the dead-letter queue, with its id and its count", () => {
  const { mail, dead } = givenQueues({ VisibilityTimeout: 1, ...redrive(2) });
  const sent = mail.send("A");
  for (let receipt = 1; receipt <= 2; receipt += 1) {
    expect(mail.receive(10)).toHaveLength(1);
    clock.advance(1_000);
  }
  expect(dead.visible).toBe(0);
  expect(mail.receive(10)).toEqual([]);
  expect(mail.visible + mail.inFlight).toBe(0);
  expect(dead.receive(10)).toMatchObject([
    { messageId: sent.messageId, sentAt: sent.sentAt, receiveCount: 3, sourceArn: arnOf("Mail") },
  ]);
});

test("control: without a redrive policy it comes for ever, until its retention is over", () => {
  const { mail } = givenQueues({ VisibilityTimeout: 1, MessageRetentionPeriod: 60 });
  mail.send("A");
  for (let receipt = 1; receipt <= 59; receipt += 1) {
    expect(mail.receive(10)).toHaveLength(1);
    clock.advance(1_000);
  }
  clock.advance(1_000);
  expect(mail.visible).toBe(0);
});

test("queues that the local stage does not have are refused", () => {
  expect(() => givenQueues({ FifoQueue: true })).toThrow("standard queues only");
  const elsewhere = { RedrivePolicy: { deadLetterTargetArn: arnOf("Other"), maxReceiveCount: 1 } };
  expect(() => givenQueues(elsewhere)).toThrow("no queue");
});

test("the function gets SQS's event, and processed messages are deleted", async () => {
  const given = givenQueues();
  const events: SqsRecord[] = [];
  const { mapping } = givenMapping(given, (_, records) => void events.push(...records));
  const sentAt = clock.now();
  const { messageId } = given.mail.send('{"a":1}', {
    messageAttributes: { RULE_ARN: { dataType: "String", stringValue: "arn:rule" } },
  });
  await mapping.settled();
  expect(events).toEqual([
    {
      messageId,
      receiptHandle: expect.any(String),
      body: '{"a":1}',
      attributes: {
        ApproximateReceiveCount: "1",
        SentTimestamp: `${sentAt}`,
        SenderId: expect.any(String),
        ApproximateFirstReceiveTimestamp: `${sentAt}`,
      },
      messageAttributes: {
        RULE_ARN: { dataType: "String", stringValue: "arn:rule", stringListValues: [], binaryListValues: [] },
      },
      md5OfBody: "bb6cb5c68df4652941caf652a366f2d8",
      eventSource: "aws:sqs",
      eventSourceARN: arnOf("Mail"),
      awsRegion: "us-west-2",
    },
  ]);
  expect(given.mail.visible + given.mail.inFlight).toBe(0);
});

test("batches are no larger and no more at a time than the mapping says", async () => {
  const given = givenQueues();
  let running = 0;
  let most = 0;
  const { mapping, batches } = givenMapping(
    given,
    async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    },
    { BatchSize: 4, ScalingConfig: { MaximumConcurrency: 2 } },
  );
  for (let index = 0; index < 30; index += 1) given.mail.send(`${index}`);
  await mapping.settled();
  expect(most).toBe(2);
  expect(Math.max(...batches.map((batch) => batch.length))).toBe(4);
  expect(batches.flat()).toHaveLength(30);
});

test("a function that fails gets its batch again after the visibility timeout, and then the dead-letter queue does", async () => {
  const given = givenQueues({ VisibilityTimeout: 180, ...redrive(2) });
  const { mapping, batches } = givenMapping(given, failing);
  given.mail.send("A");
  for (let receipt = 1; receipt <= 2; receipt += 1) {
    await until(() => batches.length === receipt);
    await mapping.settled();
    clock.advance(179_999);
    await mapping.settled();
    expect(batches).toHaveLength(receipt);
    clock.advance(1);
  }
  await mapping.settled();
  expect(batches).toEqual([["A"], ["A"]]);
  expect(given.dead.visible).toBe(1);
});

test.each<[string, object, (records: readonly SqsRecord[]) => unknown, string[]]>([
  ["one failed", { FunctionResponseTypes: ["ReportBatchItemFailures"] }, ([, b]) => report(b?.messageId), ["B"]],
  ["unknown", { FunctionResponseTypes: ["ReportBatchItemFailures"] }, () => report("nobody"), ["A", "B", "C"]],
  ["none failed", { FunctionResponseTypes: ["ReportBatchItemFailures"] }, () => ({ batchItemFailures: [] }), []],
  ["control: nobody asked", {}, ([, b]) => report(b?.messageId), []],
])("only messages that the function reports as failed come again: %s", async (_, properties, answer, again) => {
  const given = givenQueues({ VisibilityTimeout: 30 });
  let first = true;
  const { mapping, batches } = givenMapping(
    given,
    (_bodies, records) => {
      const response = first ? answer(records) : null;
      first = false;
      return response;
    },
    properties,
  );
  for (const body of ["A", "B", "C"]) given.mail.send(body);
  await mapping.settled();
  clock.advance(30_000);
  await mapping.settled();
  expect(batches).toEqual([["A", "B", "C"], ...(again.length > 0 ? [again] : [])]);
  expect(given.mail.visible + given.mail.inFlight).toBe(0);
});

const report = (id = "") => ({ batchItemFailures: [{ itemIdentifier: id }] });

test("a batching window waits for more, and no longer than for a full batch", async () => {
  const given = givenQueues();
  const { mapping, batches } = givenMapping(given, undefined, { BatchSize: 3, MaximumBatchingWindowInSeconds: 5 });
  given.mail.send("A");
  await until(() => clock.waiting === 1);
  given.mail.send("B");
  clock.advance(4_999);
  expect(batches).toEqual([]);
  clock.advance(1);
  await mapping.settled();
  for (const body of ["C", "D", "E"]) given.mail.send(body);
  await mapping.settled();
  expect(batches).toEqual([
    ["A", "B"],
    ["C", "D", "E"],
  ]);
});

test("messages that no filter matches are deleted", async () => {
  const given = givenQueues();
  const Pattern = JSON.stringify({ body: { kind: ["mail"] } });
  const { mapping, batches } = givenMapping(given, undefined, { FilterCriteria: { Filters: [{ Pattern }] } });
  for (const body of ['{"kind":"mail"}', '{"kind":"chat"}', "text"]) given.mail.send(body);
  await mapping.settled();
  expect(batches).toEqual([['{"kind":"mail"}']]);
  expect(given.mail.visible + given.mail.inFlight).toBe(0);
});

test("after a kill messages that were not deleted can be received at once, with their counts", async () => {
  const directory = await givenFolder(open);
  const first = givenQueues({ VisibilityTimeout: 180, DelaySeconds: 0 }, directory);
  first.mail.send("A");
  first.mail.send("B");
  first.mail.send("C", { delaySeconds: 60 });
  const [a] = first.mail.receive(2);
  first.mail.delete(a?.receiptHandle ?? "");
  // A kill closes nothing and may cut the last line short.
  await appendFile(join(directory, "Mail.jsonl"), '{"gone":"');
  const second = givenQueues({ VisibilityTimeout: 180 }, directory);
  expect([second.mail.visible, second.mail.delayed]).toEqual([1, 1]);
  expect(second.mail.receive(10)).toMatchObject([{ body: "B", receiveCount: 2 }]);
  clock.advance(60_000);
  expect(bodies(second.mail.receive(10))).toEqual(["C"]);
});

test("a function that was killed with the process gets its message again", async () => {
  const directory = await givenFolder(open);
  const first = givenQueues({ VisibilityTimeout: 180 }, directory);
  const killed = givenMapping(first, () => new Promise(() => undefined));
  // The first process closes nothing.
  open.splice(1);
  first.mail.send("A");
  await until(() => killed.batches.length === 1);
  const second = givenMapping(givenQueues({ VisibilityTimeout: 180 }, directory));
  await second.mapping.settled();
  expect(second.batches).toEqual([["A"]]);
});

test("control: without a folder nothing is kept", () => {
  givenQueues().mail.send("A");
  expect(givenQueues().mail.visible).toBe(0);
});

test("the journal does not grow with deleted messages", async () => {
  const directory = await givenFolder(open);
  const { mail } = givenQueues({}, directory);
  mail.send("stays");
  for (let index = 0; index < 2_000; index += 1) {
    mail.send("goes");
    for (const { body, receiptHandle } of mail.receive(10)) if (body === "goes") mail.delete(receiptHandle);
  }
  const lines = (await readFile(join(directory, "Mail.jsonl"), "utf8")).trim().split("\n");
  expect(lines.length).toBeLessThan(1_100);
  expect(givenQueues({}, directory).mail.visible).toBe(1);
});

test("a mapping that is switched off or closed receives nothing", async () => {
  const given = givenQueues();
  const off = givenMapping(given, undefined, { Enabled: false });
  const closed = givenMapping(given);
  await closed.mapping.close();
  given.mail.send("A");
  await off.mapping.settled();
  expect([off.batches, closed.batches, given.mail.visible]).toEqual([[], [], 1]);
});

const numbers = Array.from({ length: 40 }, (_, index) => `${index}`);

/** Sends forty messages. @returns the order of their deliveries, and how often a message began while it was running */
async function deliveriesIn(disorder: Disorder | undefined) {
  const given = givenQueues({ VisibilityTimeout: 60 }, undefined, disorder);
  const running: string[] = [];
  let atOnce = 0;
  const work = async (messages: string[]) => {
    if (messages.some((message) => running.includes(message))) atOnce += 1;
    running.push(...messages);
    await setTimeout(20);
    for (const message of messages) running.splice(running.indexOf(message), 1);
  };
  const { mapping, batches } = givenMapping(given, work, { ScalingConfig: { MaximumConcurrency: 50 } }, disorder);
  for (const number of numbers) given.mail.send(number);
  await mapping.settled();
  return { delivered: batches.flat(), atOnce, left: given.mail.visible + given.mail.inFlight };
}

test("without disorder messages come once, in the order of sending", async () => {
  expect(await deliveriesIn(undefined)).toEqual({ delivered: numbers, atOnce: 0, left: 0 });
});

test.each([1, 2, 3])("in disorder (seed %i) messages come in any order, and some of them twice", async (seed) => {
  const { delivered, atOnce, left } = await deliveriesIn(new Disorder(seed));
  const times = numbers.map((number) => delivered.filter((one) => one === number).length);
  expect(new Set(times)).toEqual(new Set([1, 2]));
  expect([...new Set(delivered)]).not.toEqual(numbers);
  expect({ some: atOnce > 0, left }).toEqual({ some: true, left: 0 });
});

test("in disorder a message whose copy succeeds is deleted, even if its first delivery fails", async () => {
  const given = givenQueues({ VisibilityTimeout: 60 }, undefined, new Disorder(1));
  const seen = new Set<string>();
  const failsFirst = (messages: string[]) => {
    const fresh = messages.some((message) => !seen.has(message));
    for (const message of messages) seen.add(message);
    if (fresh) failing();
  };
  const { mapping, batches } = givenMapping(given, failsFirst, {}, new Disorder(1));
  for (const number of numbers) given.mail.send(number);
  await mapping.settled();
  const twice = batches.flat().length - numbers.length;
  expect(twice).toBeGreaterThan(0);
  expect(given.mail.inFlight).toBe(numbers.length - twice);
});
