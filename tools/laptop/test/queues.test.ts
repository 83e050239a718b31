/** What a kill leaves of a queue, and the mapping between a queue and a function. What SQS answers: `compared/`. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type FakeClock, fakeClock } from "../../../test/unit/local-time.ts";
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

const redrive = (queue: string): QueueProperties => ({
  RedrivePolicy: { deadLetterTargetArn: arnOf(queue), maxReceiveCount: 2 },
});
const bodies = (messages: readonly { readonly body: string }[]) => messages.map(({ body }) => body);
const numbers = Array.from({ length: 40 }, (_, index) => `${index}`);
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
    disorder,
  });
  open.push(() => mapping.close());
  return { mapping, batches };
}

test("batches are no larger and no more at a time than the mapping says", async () => {
  const given = givenQueues();
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await nextTurn();
    running -= 1;
  };
  const { mapping, batches } = givenMapping(given, work, { BatchSize: 4, ScalingConfig: { MaximumConcurrency: 2 } });
  for (const number of numbers) given.mail.send(number);
  await mapping.settled();
  expect([most, Math.max(...batches.map((batch) => batch.length)), batches.flat().length]).toEqual([2, 4, 40]);
});

test("a function that fails gets its batch again after the visibility timeout, and then the dead-letter queue does", async () => {
  const given = givenQueues({ VisibilityTimeout: 180, ...redrive("MailDead") });
  const { mapping, batches } = givenMapping(given, failing);
  const { messageId, sentAt } = given.mail.send("A");
  for (let receipt = 1; receipt <= 2; receipt += 1) {
    await mapping.settled();
    clock.advance(179_999);
    await mapping.settled();
    expect(batches).toHaveLength(receipt);
    clock.advance(1);
  }
  await mapping.settled();
  expect(batches).toEqual([["A"], ["A"]]);
  expect(given.mail.visible + given.mail.inFlight).toBe(0);
  expect(given.dead.receive(10)).toMatchObject([{ messageId, sentAt, receiveCount: 3, sourceArn: arnOf("Mail") }]);
});

const reporting = { FunctionResponseTypes: ["ReportBatchItemFailures"] };
const report = (id = "") => ({ batchItemFailures: [{ itemIdentifier: id }] });

test.each<[string, object, (records: readonly SqsRecord[]) => unknown, string[]]>([
  ["one failed", reporting, ([, b]) => report(b?.messageId), ["B"]],
  ["unknown", reporting, () => report("nobody"), ["A", "B", "C"]],
  ["none failed", reporting, () => ({ batchItemFailures: [] }), []],
  ["control: nobody asked", {}, ([, b]) => report(b?.messageId), []],
])("only messages that the function reports as failed come again: %s", async (_, properties, answer, again) => {
  const given = givenQueues();
  const { mapping, batches } = givenMapping(given, (_bodies, records) => answer(records), properties);
  for (const body of ["A", "B", "C"]) given.mail.send(body);
  await mapping.settled();
  expect(batches).toEqual([["A", "B", "C"]]);
  clock.advance(30_000);
  expect(given.mail.list().map(({ body }) => body)).toEqual(again);
});

test("after a kill messages that were not deleted can be received at once, with their counts", async () => {
  const directory = await givenFolder(open);
  const first = givenQueues({ VisibilityTimeout: 180 }, directory);
  first.mail.send("A");
  first.mail.send("B");
  const [a] = first.mail.receive(2);
  first.mail.delete(a?.receiptHandle ?? "");
  // A kill closes nothing and may cut the last line short.
  await appendFile(join(directory, "Mail.jsonl"), '{"gone":"');
  // Each start replaces the file by the lines of the present state.
  for (const receiveCount of [2, 3]) {
    const { mail } = givenQueues({ VisibilityTimeout: 180 }, directory);
    expect(mail.visible).toBe(1);
    expect(mail.receive(10)).toMatchObject([{ body: "B", receiveCount }]);
  }
});

test.each([undefined, 1])("in disorder (seed %p) messages come in any order, some of them twice", async (seed) => {
  const disorder = seed === undefined ? undefined : new Disorder(seed);
  const given = givenQueues({ VisibilityTimeout: 60 }, undefined, disorder);
  const seen = new Set<string>();
  const failsFirst = (messages: string[]) => {
    const isFresh = messages.some((message) => !seen.has(message));
    for (const message of messages) seen.add(message);
    if (isFresh) failing();
  };
  const { mapping, batches } = givenMapping(given, failsFirst, {}, disorder);
  for (const number of numbers) given.mail.send(number);
  await mapping.settled();
  const twice = batches.flat().filter((one, index, all) => all.indexOf(one) < index);
  expect(new Set(twice).size).toBe(twice.length);
  expect(twice.length > 0).toBe(disorder !== undefined);
  expect(isDeepStrictEqual([...seen], numbers)).toBe(disorder === undefined);
  // A message is deleted when its copy succeeds, although its first delivery failed.
  expect(given.mail.inFlight).toBe(numbers.length - twice.length);
});
