/** EventBridge: which entries are accepted, what reaches the targets of the rules, and what patterns match. */
import {
  CreateEventBusCommand,
  DescribeRuleCommand,
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  PutRuleCommand,
  PutTargetsCommand,
  TestEventPatternCommand,
} from "@aws-sdk/client-eventbridge";
import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect } from "@jest/globals";
import { startBus } from "../../bus/index.ts";
import { matchesPattern } from "../../patterns/event-pattern.ts";
import { compareWithMiniStack, type Difference, laptopClient, type Operation } from "./compare.ts";
import { patterns } from "./patterns.ts";

interface Side {
  readonly client: EventBridgeClient;
  /** What the targets have got since the last call, once all that was sent has arrived. */
  delivered(): Promise<readonly unknown[]>;
  matches(pattern: object, event: object): Promise<boolean>;
  close(): unknown;
}

const queueArn = "arn:aws:sqs:us-west-2:000000000000:Mail";
const registration = { source: ["club.events"], "detail-type": [{ prefix: "registration." }] };
const typed = (type: string) => ({ "detail-type": [type] });
const Targets = [{ Id: "Target0", Arn: queueArn }];
const rules = [
  { Name: "Mail", EventBusName: "club", EventPattern: registration, Targets },
  { Name: "Off", EventBusName: "club", EventPattern: typed("off"), State: "DISABLED" as const, Targets },
  { Name: "Default", EventPattern: typed("default"), Targets },
  { Name: "Daily", ScheduleExpression: "rate(1 day)", Targets },
];

const entry = (more: Partial<PutEventsRequestEntry> = {}): PutEventsRequestEntry => ({
  EventBusName: "club",
  Source: "club.events",
  DetailType: "registration.registered",
  Detail: JSON.stringify({ data: { email: "ada@student.example" } }),
  ...more,
});
const put = async ({ client }: Side, ...Entries: readonly PutEventsRequestEntry[]) => {
  const answer = await client.send(new PutEventsCommand({ Entries: [...Entries] }));
  return [answer.FailedEntryCount, ...(answer.Entries ?? []).map(({ ErrorCode, EventId }) => ErrorCode ?? !!EventId)];
};
const event = {
  version: "0",
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  "detail-type": "registration.registered",
  source: "club.events",
  account: "000000000000",
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  region: "us-west-2",
  resources: [],
  detail: { data: { email: "ada@student.example" } },
};
const large = (bytes: number) => entry({ Detail: JSON.stringify({ text: "x".repeat(bytes) }) });

const delivery = (name: string, sent: Partial<PutEventsRequestEntry>, answer: readonly unknown[]): Operation<Side> => [
  name,
  async (side) => [await put(side, entry(sent)), ...(await side.delivered())],
  [[0, true], ...answer],
];
const refusal = (name: string, sent: Partial<PutEventsRequestEntry>, code: string): Operation<Side> => [
  `refuses ${name}, and not the others`,
  async (side) => [await put(side, entry(), entry(sent), entry()), (await side.delivered()).length],
  [[1, true, code, true], 2],
];
const whole = (name: string, entries: readonly PutEventsRequestEntry[]): Operation<Side> => [
  `refuses a request of ${name} as a whole`,
  (side) => put(side, ...entries),
  "ValidationException",
];

const operations: readonly Operation<Side>[] = [
  delivery("delivers an event to the rule that wants it", {}, [event]),
  delivery(
    "delivers time and resources as they were sent",
    { Time: new Date("2026-03-01T12:00:00Z"), Resources: ["arn:aws:club:::thing"] },
    [{ ...event, time: "2026-03-01T12:00:00Z", resources: ["arn:aws:club:::thing"] }],
  ),
  delivery("delivers no event of another type", { DetailType: "event.created" }, []),
  delivery("delivers no event on another bus", { EventBusName: undefined }, []),
  delivery("delivers no event for a rule that is switched off", { DetailType: "off" }, []),
  delivery("has a default bus, with schedules that get no events", { EventBusName: undefined, DetailType: "default" }, [
    { ...event, "detail-type": "default" },
  ]),
  [
    "switches rules off and on",
    async (side) => {
      const { client } = side;
      const rule = { Name: "Mail", EventBusName: "club" };
      const state = async () => (await client.send(new DescribeRuleCommand(rule))).State;
      await client.send(new DisableRuleCommand(rule));
      const off = [await state(), await put(side, entry({ DetailType: "registration.off" }))];
      await client.send(new EnableRuleCommand(rule));
      return [off, await state(), await put(side, entry()), await side.delivered()];
    },
    [["DISABLED", [0, true]], "ENABLED", [0, true], [event]],
  ],
  [
    "switches off no rule that there is not",
    async ({ client }) => {
      await client.send(new DisableRuleCommand({ Name: "Other" }));
      return "fine";
    },
    "ResourceNotFoundException",
  ],
  refusal("a detail that is no JSON", { Detail: "{" }, "MalformedDetail"),
  whole("no entries", []),
  whole(
    "eleven entries",
    Array.from({ length: 11 }, () => entry()),
  ),
  whole("1 MB", [entry(), large(1024 * 1024)]),
  [
    "delivers nothing of what is refused as a whole, and something less than 1 MB",
    async (side) => [await put(side, large(511 * 1024)), (await side.delivered()).length],
    [[0, true], 1],
  ],
  ...patterns.map(
    ([name, pattern, matching, other]): Operation<Side> => [
      `matches ${name}`,
      async (side) => [await side.matches(pattern, matching), await side.matches(pattern, other)],
      [true, false],
    ],
  ),
];

const page = "https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents";
const accepted = (operation: string, delivered: number): Difference => [
  `refuses ${operation}, and not the others`,
  [[0, true, true, true], delivered],
  `${page}RequestEntry.html: an entry without Source, DetailType or Detail fails; Detail is a JSON object`,
];
const differences: readonly Difference[] = [
  [
    "delivers time and resources as they were sent",
    [[0, true], { ...event, resources: ["arn:aws:club:::thing"], time: expect.not.stringContaining("2026-03-01") }],
    `${page}RequestEntry.html: Time is the time of the event; that of the call only when there is none`,
  ],
  accepted("a detail that is no JSON", 3),
  [
    "switches off no rule that there is not",
    "fine",
    `${page.replace("PutEvents", "DisableRule")}.html: ResourceNotFoundException, an entity that does not exist`,
  ],
  ["refuses a request of no entries as a whole", [0], `${page}.html: Entries has 1 to 10 items`],
  [
    "refuses a request of 1 MB as a whole",
    [0, true, true],
    `${page}.html: the entries of a request have less than 1 MB`,
  ],
  [
    "delivers nothing of what is refused as a whole, and something less than 1 MB",
    [[0, true], 3],
    `${page}.html: the entries of a request have less than 1 MB`,
  ],
];

compareWithMiniStack<Side>({
  operations,
  differences,
  ours: async () => {
    let delivered: unknown[] = [];
    const bus = await startBus({
      region: "us-west-2",
      accountId: "000000000000",
      buses: ["club"],
      rules: rules.map(({ Name, ...properties }) => ({ name: Name, arn: `arn:${Name}`, properties })),
      deliver: async (_arn, payload) => void delivered.push(payload),
      deadLetter: async () => undefined,
    });
    const client = new EventBridgeClient(laptopClient(bus.url));
    return {
      client,
      delivered: async () => {
        await bus.settled();
        const some = delivered;
        delivered = [];
        return some;
      },
      matches: async (pattern, matched) => matchesPattern({ detail: pattern }, { detail: matched }),
      close: async () => {
        client.destroy();
        await bus.close();
      },
    };
  },
  theirs: async (partner) => {
    const client = new EventBridgeClient(partner.client);
    const queues = new SQSClient(partner.client);
    const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: "Mail" }));
    await client.send(new CreateEventBusCommand({ Name: "club" }));
    for (const { Targets, EventPattern, ...rule } of rules) {
      await client.send(new PutRuleCommand({ ...rule, EventPattern: EventPattern && JSON.stringify(EventPattern) }));
      await client.send(new PutTargetsCommand({ Rule: rule.Name, EventBusName: rule.EventBusName, Targets }));
    }
    return {
      client,
      /** One more event ends the wait: it arrives after the others. */
      delivered: async () => {
        await client.send(new PutEventsCommand({ Entries: [entry({ DetailType: "registration.last" })] }));
        const some: unknown[] = [];
        for (let polls = 0; polls < 20; polls += 1) {
          const { Messages = [] } = await queues.send(
            new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
          );
          const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));
          if (Entries.length > 0) await queues.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
          const got = Messages.map(({ Body = "" }) => JSON.parse(Body));
          some.push(...got.filter((one) => one?.["detail-type"] !== "registration.last"));
          if (got.some((one) => one?.["detail-type"] === "registration.last")) return some;
        }
        throw new Error("the last event does not arrive");
      },
      matches: async (pattern, detail) => {
        const { detail: _data, ...rest } = event;
        const whole = { ...rest, id: "00000000-0000-0000-0000-000000000000", time: "2026-03-01T12:00:00Z", detail };
        const { Result } = await client.send(
          new TestEventPatternCommand({
            EventPattern: JSON.stringify({ detail: pattern }),
            Event: JSON.stringify(whole),
          }),
        );
        return Result === true;
      },
      close: () => {
        client.destroy();
        queues.destroy();
      },
    };
  },
});
