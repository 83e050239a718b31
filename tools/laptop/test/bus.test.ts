/** The event bus: accepted events, their targets, and events that cannot be delivered. */
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type FakeClock, fakeClock, until } from "../../../test/unit/local-time.ts";
import {
  type BusEvent,
  type BusOptions,
  DeliveryRefused,
  type RuleProperties,
  type RuleTarget,
  startBus,
} from "../bus/index.ts";
import { Throttled } from "../functions/concurrency.ts";
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

const EventPattern = { source: ["club.events"], "detail-type": [{ prefix: "registration." }] };
const failing = () => Promise.reject(new Error("no room"));

/** A bus with the rule `Mail` for registrations, and its deliveries. */
async function givenBus(
  target: Partial<RuleTarget> = {},
  more: { rule?: RuleProperties; deliver?: BusOptions["deliver"]; directory?: string; disorder?: Disorder } = {},
) {
  const delivered: [string, unknown][] = [];
  const dead: [string, unknown, Readonly<Record<string, string>>][] = [];
  const Targets = [{ Id: "Target0", Arn: queueArn, ...target }];
  const bus = await startBus({
    region: "us-west-2",
    accountId: "000000000000",
    buses: ["club"],
    rules: [{ name: "Mail", arn: ruleArn, properties: { EventBusName: "club", EventPattern, Targets, ...more.rule } }],
    deliver: async (arn, payload) => {
      delivered.push([arn, payload]);
      await more.deliver?.(arn, payload);
    },
    deadLetter: async (arn, body, attributes) => void dead.push([arn, JSON.parse(body), attributes]),
    directory: more.directory,
    retryDelay: 100,
    clock,
    disorder: more.disorder,
  });
  open.push(() => bus.close());
  return { bus, delivered, dead };
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly __type?: string;
    readonly message?: string;
    readonly FailedEntryCount?: number;
    readonly Entries?: readonly { readonly EventId?: string; readonly ErrorCode?: string; ErrorMessage?: string }[];
  };
}

async function request(url: string, target: string, body: string): Promise<Answer> {
  const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": target };
  const response = await fetch(url, { method: "POST", headers, body });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

const putEvents = ({ url }: { url: string }, ...Entries: object[]) =>
  request(url, "AWSEvents.PutEvents", JSON.stringify({ Entries }));

const entry = (more: object = {}) => ({
  EventBusName: "club",
  Source: "club.events",
  DetailType: "registration.registered",
  Detail: JSON.stringify({ data: { email: "ada@student.example" } }),
  ...more,
});

test("an event for a rule with a schedule reaches no target", async () => {
  const { bus, delivered } = await givenBus({}, { rule: { EventPattern: undefined } });
  await putEvents(bus, entry());
  await bus.settled();
  expect(delivered).toEqual([]);
});

test("an event for an unknown bus is reported", async () => {
  const { bus } = await givenBus();
  await putEvents(bus, entry({ EventBusName: "other" }));
  expect(complaints).toHaveBeenCalledWith(expect.stringContaining("no event bus other"));
});

test("other operations and other bodies are refused with a name", async () => {
  const { bus } = await givenBus();
  expect((await request(bus.url, "AWSEvents.PutRule", "{}")).body.__type).toBe("UnknownOperationException");
  expect((await request(bus.url, "AWSEvents.PutEvents", "[")).body.__type).toBe("SerializationException");
  expect(new URL(bus.url).hostname).toBe("127.0.0.1");
});

test("a part that is not there is null", async () => {
  const { bus, delivered } = await givenBus({ InputPath: "$.detail.nothing.there" });
  await putEvents(bus, entry());
  await bus.settled();
  expect(delivered).toEqual([[queueArn, null]]);
});

test("a target with an input transformer does not start", async () => {
  await expect(givenBus({ InputTransformer: { InputTemplate: "<x>" } })).rejects.toThrow(
    "Mail: the local stage has no",
  );
});

test("services send events that PutEvents would refuse, to the default bus", async () => {
  const rule = { EventBusName: undefined, EventPattern: { source: ["aws.s3"] } };
  const { bus, delivered } = await givenBus({ Arn: functionArn }, { rule });
  const id = bus.send({ source: "aws.s3", "detail-type": "Object Created", detail: { reason: "PutObject" } });
  await bus.settled();
  expect(delivered).toEqual([[functionArn, expect.objectContaining({ id, source: "aws.s3" })]]);
});

test("a delivery that fails is repeated after growing delays, and then goes to the dead-letter queue", async () => {
  const target = { RetryPolicy: { MaximumRetryAttempts: 2 }, DeadLetterConfig: { Arn: deadArn } };
  const { bus, delivered, dead } = await givenBus(target, { deliver: failing });
  await putEvents(bus, entry());
  await bus.settled();
  for (const delay of [100, 200]) {
    const before = delivered.length;
    clock.advance(delay - 1);
    await bus.settled();
    expect(delivered).toHaveLength(before);
    clock.advance(1);
    await bus.settled();
    expect(delivered).toHaveLength(before + 1);
  }
  expect(dead).toEqual([
    [
      deadArn,
      expect.objectContaining({ source: "club.events", detail: expect.anything() }),
      {
        RULE_ARN: ruleArn,
        TARGET_ARN: queueArn,
        ERROR_CODE: "ERROR_FROM_TARGET",
        ERROR_MESSAGE: "no room",
        RETRY_ATTEMPTS: "2",
        EXHAUSTED_RETRY_CONDITION: "MaximumRetryAttempts",
      },
    ],
  ]);
});

test("control: a delivery that succeeds at last does not go to the dead-letter queue", async () => {
  let failures = 2;
  const target = { RetryPolicy: { MaximumRetryAttempts: 2 }, DeadLetterConfig: { Arn: deadArn } };
  const deliver = () => (failures-- > 0 ? failing() : Promise.resolve());
  const { bus, delivered, dead } = await givenBus(target, { deliver });
  await putEvents(bus, entry());
  for (const delay of [100, 200]) {
    await bus.settled();
    clock.advance(delay);
  }
  await bus.settled();
  expect([delivered.length, dead]).toEqual([3, []]);
  expect(clock.waiting).toBe(0);
});

test("an event that gets too old is given up", async () => {
  const target = { RetryPolicy: { MaximumEventAgeInSeconds: 60 }, DeadLetterConfig: { Arn: deadArn } };
  const { bus, dead } = await givenBus(target, { deliver: failing });
  await putEvents(bus, entry());
  await bus.settled();
  clock.advance(60_000);
  await bus.settled();
  expect(dead[0]?.[2]).toMatchObject({ EXHAUSTED_RETRY_CONDITION: "MaximumEventAgeInSeconds" });
});

test("a target that does not exist is not tried again", async () => {
  const refused = () => Promise.reject(new DeliveryRefused("NO_RESOURCE", "no such queue"));
  const { bus, delivered, dead } = await givenBus({ DeadLetterConfig: { Arn: deadArn } }, { deliver: refused });
  await putEvents(bus, entry());
  await bus.settled();
  expect(delivered).toHaveLength(1);
  expect(dead[0]?.[2]).toEqual({
    RULE_ARN: ruleArn,
    TARGET_ARN: queueArn,
    ERROR_CODE: "NO_RESOURCE",
    ERROR_MESSAGE: "no such queue",
    RETRY_ATTEMPTS: "0",
  });
});

test("a function is called three times at most, and its failure does not reach the rule's dead-letter queue", async () => {
  const target = { Arn: functionArn, DeadLetterConfig: { Arn: deadArn } };
  const { bus, delivered, dead } = await givenBus(target, { deliver: failing });
  await putEvents(bus, entry());
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await bus.settled();
    clock.advance(60_000);
  }
  expect([delivered.length, dead]).toEqual([3, []]);
  expect(complaints).toHaveBeenCalledWith(expect.stringContaining("no room"));
});

test("a function that is throttled is called again until the event is too old", async () => {
  let throttled = 5;
  const deliver = async () => {
    throttled -= 1;
    if (throttled >= 0) throw new Throttled();
  };
  const { bus, delivered, dead } = await givenBus(
    { Arn: functionArn, DeadLetterConfig: { Arn: deadArn } },
    { deliver },
  );
  await putEvents(bus, entry());
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await bus.settled();
    clock.advance(60_000);
  }
  expect([delivered.length, dead]).toEqual([6, []]);
  expect(complaints).not.toHaveBeenCalled();
});

test("after a kill accepted events are delivered, and delivered events are not repeated", async () => {
  const directory = await givenFolder(open);
  const first = await givenBus({}, { directory, deliver: failing });
  const { body } = await putEvents(first.bus, entry());
  await first.bus.settled();
  expect(first.delivered).toHaveLength(1);
  // The first process is killed: it closes nothing, and its retries never come.
  const second = await givenBus({}, { directory });
  await second.bus.settled();
  expect(second.delivered).toEqual([[queueArn, expect.objectContaining({ id: body.Entries?.[0]?.EventId })]]);
  const third = await givenBus({}, { directory });
  await third.bus.settled();
  expect(third.delivered).toEqual([]);
});

test("events for a target that the template has no more are dropped", async () => {
  const directory = await givenFolder(open);
  const first = await givenBus({}, { directory, deliver: failing });
  await putEvents(first.bus, entry());
  await first.bus.settled();
  const second = await givenBus({ Id: "Target1" }, { directory });
  await second.bus.settled();
  const third = await givenBus({}, { directory });
  await third.bus.settled();
  expect([second.delivered, third.delivered]).toEqual([[], []]);
});

test("a closed bus gives up waiting at once, and its events wait for the next start", async () => {
  const directory = await givenFolder(open);
  const first = await givenBus({}, { directory, deliver: failing });
  await putEvents(first.bus, entry());
  await until(() => clock.waiting === 1);
  await first.bus.close();
  expect(clock.waiting).toBe(0);
  const second = await givenBus({}, { directory });
  await second.bus.settled();
  expect([first.delivered.length, second.delivered.length]).toEqual([1, 1]);
});

test.each([
  ["without disorder", undefined, 40, 40],
  ["in disorder", 1, 41, 80],
  ["with another seed", 2, 41, 80],
])("%s, each event reaches its target, once or twice", async (_name, seed, least, most) => {
  const disorder = seed === undefined ? undefined : new Disorder(seed);
  const { bus, delivered } = await givenBus({}, disorder && { disorder });
  const sent = Array.from({ length: 40 }, () =>
    bus.send({ source: "club.events", "detail-type": "registration.registered", detail: {} }, "club"),
  );
  await bus.settled();
  const ids = delivered.map(([, event]) => (event as BusEvent).id);
  expect(new Set(ids)).toEqual(new Set(sent));
  expect(ids.length).toBeGreaterThanOrEqual(least);
  expect(ids.length).toBeLessThanOrEqual(most);
  for (const id of sent) expect(ids.filter((one) => one === id).length).toBeLessThanOrEqual(2);
});
