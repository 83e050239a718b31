/** The event bus: retries, events that cannot be delivered, and what a kill leaves. Rules and patterns: `compared/`. */
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type FakeClock, fakeClock } from "../../../test/unit/local-time.ts";
import { type BusEvent, type BusOptions, DeliveryRefused, type RuleTarget, startBus } from "../bus/index.ts";
import { Throttled } from "../service-kit/concurrency.ts";
import { Disorder } from "../service-kit/disorder.ts";

const queueArn = "arn:aws:sqs:us-west-2:000000000000:Mail";
const deadArn = "arn:aws:sqs:us-west-2:000000000000:MailUndelivered";
const functionArn = "arn:aws:lambda:us-west-2:000000000000:function:CacheHeader";
const ruleArn = "arn:aws:events:us-west-2:000000000000:rule/club/Mail";
const open: (() => Promise<unknown>)[] = [];
let clock: FakeClock;
let complaints: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  clock = fakeClock();
  complaints = jest.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  jest.restoreAllMocks();
});

const failing = () => Promise.reject(new Error("no room"));
/** The dead-letter queue of every target. */
const DeadLetterConfig = { Arn: deadArn };

/** A bus with the rule `Mail`, and its deliveries with their times in milliseconds. */
async function givenBus(
  target: Partial<RuleTarget> = {},
  more: Partial<Pick<BusOptions, "deliver" | "directory" | "disorder">> = {},
) {
  const start = clock.now();
  const times: number[] = [];
  const delivered: string[] = [];
  const dead: [string, unknown, Readonly<Record<string, string>>][] = [];
  const properties = {
    EventBusName: "club",
    EventPattern: { source: ["club.events"] },
    Targets: [{ Id: "Target0", Arn: queueArn, DeadLetterConfig, ...target }],
  };
  const bus = await startBus({
    region: "us-west-2",
    accountId: "000000000000",
    buses: ["club"],
    rules: [{ name: "Mail", arn: ruleArn, properties }],
    deadLetter: async (arn, body, attributes) => void dead.push([arn, JSON.parse(body), attributes]),
    retryDelay: 100,
    clock,
    ...more,
    deliver: async (arn, payload) => {
      times.push(clock.now() - start);
      delivered.push((payload as BusEvent).id);
      await more.deliver?.(arn, payload);
    },
  });
  open.push(() => bus.close());
  const send = (busName = "club") => bus.send({ source: "club.events", "detail-type": "any", detail: {} }, busName);
  return { bus, send, times, delivered, dead };
}

const failed = { RULE_ARN: ruleArn, TARGET_ARN: queueArn, ERROR_CODE: "ERROR_FROM_TARGET", ERROR_MESSAGE: "no room" };
const refuse = () => Promise.reject(new DeliveryRefused("NO_RESOURCE", "no such queue"));

test.each<[string, Partial<RuleTarget>, () => Promise<never>, number[], object]>([
  [
    "as often as its target wants, after growing delays",
    { RetryPolicy: { MaximumRetryAttempts: 2 } },
    failing,
    [0, 100, 300],
    { ...failed, RETRY_ATTEMPTS: "2", EXHAUSTED_RETRY_CONDITION: "MaximumRetryAttempts" },
  ],
  [
    "until it is too old",
    { RetryPolicy: { MaximumEventAgeInSeconds: 60 } },
    failing,
    [0, 100, 300, 700, 1_500, 3_100, 6_300, 12_700, 25_500, 38_300, 51_100, 63_900],
    { ...failed, RETRY_ATTEMPTS: "11", EXHAUSTED_RETRY_CONDITION: "MaximumEventAgeInSeconds" },
  ],
  [
    "never where there is no target",
    {},
    refuse,
    [0],
    { ...failed, ERROR_CODE: "NO_RESOURCE", ERROR_MESSAGE: "no such queue", RETRY_ATTEMPTS: "0" },
  ],
])("a failed delivery is repeated %s, and then dead-lettered", async (_, target, deliver, times, attributes) => {
  const given = await givenBus(target, { deliver });
  const id = given.send();
  await settledAfterRetries(given);
  expect(given.times).toEqual(times);
  expect(given.dead).toEqual([[deadArn, expect.objectContaining({ id, source: "club.events" }), attributes]]);
});

test("a function is called three times at most, and its failure does not reach the rule's dead-letter queue", async () => {
  const given = await givenBus({ Arn: functionArn }, { deliver: failing });
  given.send();
  await settledAfterRetries(given);
  expect([given.times.length, given.dead]).toEqual([3, []]);
  expect(complaints).toHaveBeenCalledWith(expect.stringContaining("no room"));
});

test("a throttled call of a function does not count", async () => {
  let throttled = 5;
  const deliver = async () => {
    throttled -= 1;
    if (throttled >= 0) throw new Throttled();
  };
  const given = await givenBus({ Arn: functionArn }, { deliver });
  given.send();
  await settledAfterRetries(given);
  expect([given.times.length, given.dead]).toEqual([6, []]);
  expect(complaints).not.toHaveBeenCalled();
});

/** Moves the clock until no retry is left. */
async function settledAfterRetries({ bus }: Awaited<ReturnType<typeof givenBus>>): Promise<void> {
  await bus.settled();
  while (clock.waiting > 0) {
    clock.advance(100);
    await bus.settled();
  }
}

test("after a kill accepted events are delivered, and delivered events are not repeated", async () => {
  const directory = await givenFolder(open);
  const first = await givenBus({}, { directory, deliver: failing });
  const id = first.send();
  await first.bus.settled();
  expect(first.delivered).toEqual([id]);
  // The first process is killed: it closes nothing, and its retries never come.
  for (const expected of [[id], []]) {
    const next = await givenBus({}, { directory });
    await next.bus.settled();
    expect(next.delivered).toEqual(expected);
  }
});

test.each([undefined, 1])("in disorder (seed %p) each event reaches its target, once or twice", async (seed) => {
  const disorder = seed === undefined ? undefined : new Disorder(seed);
  const { bus, send, delivered } = await givenBus({}, { disorder });
  const sent = Array.from({ length: 40 }, () => send());
  await bus.settled();
  expect(new Set(delivered)).toEqual(new Set(sent));
  const times = sent.map((id) => delivered.filter((one) => one === id).length);
  expect(new Set(times)).toEqual(new Set(disorder ? [1, 2] : [1]));
});
