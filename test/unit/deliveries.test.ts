/** Every consumer of the queues takes each message as if it had come once (`docs/design.md`, "Messages and consumers"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { RequestContext } from "#kit/request/context.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { functionEntries } from "../../lib/entries.ts";
import { type Delivered, faultsOf, fresh, givenServices } from "./deliveries.ts";
import { eventItem, eventRecord, registrationItem, seatsItem } from "./given.ts";

process.env.REFUNDS = "automatic";
beforeAll(givenServices);

const [ada, bob] = ["ada@unit.example", "bob@unit.example"];
const time = Date.parse("2029-11-30T12:00:00Z");
const key = (n: number) => `${time + n}#01PS0S8H00ZK7M2V9Q4D6T8XB${n}`;
const metadata = {
  id: "01PS0S8H00ZK7M2V9Q4D6T8XBE",
  version: 1,
  actor: "exec@unit.example",
  correlationId: "r",
  occurredAt: "2029-12-01T11:59:00.000Z",
};
const message = (type: string, data: object) => ({
  source: "club.events",
  "detail-type": type,
  detail: { metadata, data },
});

const gala = eventRecord({ startDate: "2030-01-01T18:00:00Z", capac: 2, scheduleVersion: 1 });
const event = [eventItem(gala), seatsItem(gala, { seats: 1, registered: 1 } as never)];
const account = { PK: `USER#${ada}`, SK: "USER", email: ada, fname: "Ada", isMember: true, favEvents: [] };
const seat = registrationItem({ email: ada, queueKey: key(1), createdAt: time, scheduleVersion: 1 } as never);
const fact = {
  eventID: "gala",
  year: 2030,
  generation: "i",
  email: ada,
  fname: "Ada",
  registrationStatus: "registered",
  version: 1,
  isPartner: false,
};
const gone = { PK: "EVENT#gala#2030", SK: "GONE#i", id: "gala", year: 2030, generation: "i", ename: "Gala" };
const eventFact = { id: "gala", year: 2030, generation: "i", ename: "Gala", version: 2 };
const bounce = {
  timestamp: "2029-12-01T11:00:00.000Z",
  bounceType: "Permanent",
  bounceSubType: "NoEmail",
  bouncedRecipients: [{ emailAddress: ada }],
};
const checkout = {
  ...{ id: "01PS0S8H00D5R2Y8C1V6K9N4QA", email: ada, purpose: { kind: "membership", form: { firstName: "Ada" } } },
  ...{
    product: "Membership",
    amount: 1_000,
    currency: "cad",
    successUrl: "https://a.example",
    cancelUrl: "https://a.example",
  },
  ...{ createdAt: time, expiresAt: time + 1e9, sessionId: "cs_1", url: "https://pay.example/cs_1", ttl: 2e9 },
};
const payment = {
  ...{ PK: "PAY#pi_1", SK: "PAYMENT", paymentId: "cs_1", email: ada, as: "seat", settledAt: time, version: 1 },
  ...{ money: { amount: 500, currency: "CAD", paymentIntent: "pi_1" }, purpose: { kind: "membership" } },
};
const reserved = {
  "01PS0R1C4XGT8M2J6W9E3B5KZN": { amount: 500, state: "reserved", at: time + 86_400_000 - 60_000, by: "system" },
};
const paid = {
  amount: 500,
  currency: "CAD",
  paymentIntent: "pi_1",
  paymentId: "cs_1",
  email: ada,
  purpose: "membership",
};
const campaign = [
  {
    PK: "CMP",
    SK: "n",
    campaignId: "n",
    templateName: "t",
    recipients: 2,
    batches: 1,
    audience: "emails",
    createdBy: ada,
    createdAt: time,
  },
  { PK: "CMP#n", SK: "CONTENT", subject: "Hi", html: "<p>Hi {{ fname }}</p>", text: "" },
  {
    PK: "CMP#n",
    SK: "BATCH#00000",
    recipients: [
      { email: ada, fname: "Ada" },
      { email: bob, fname: "Bob" },
    ],
  },
];

type Messages = readonly Omit<Delivered, "load">[];

const messages: Readonly<Record<string, Messages>> = {
  announce: [
    { items: [...event, seat], body: message("event.rescheduled", { ...eventFact, changed: [], scheduleVersion: 1 }) },
  ],
  "clear-up": [
    {
      items: [gone, seat, registrationItem({ email: bob, queueKey: key(2) })],
      body: message("event.deleted", eventFact),
    },
  ],
  "close-checkout": [
    {
      items: [
        account,
        { PK: `USER#${ada}`, SK: "CHECKOUT#MEMBER", ...checkout },
        { PK: `PAY#${checkout.id}`, SK: "CHECKOUT", ...checkout },
      ],
      body: message("member.granted", { email: ada }),
    },
  ],
  "forget-user": [
    {
      items: [...event, seat, { PK: `USER#${ada}`, SK: "POINTS", email: ada, points: 7 }],
      body: message("user.deleted", { email: ada, origin: "self/account" }),
    },
  ],
  "keep-books": [
    { items: [payment], body: message("payment.refundRequired", { ...paid, reason: "nothing to pay" }) },
    {
      items: [{ ...payment, refunds: reserved }],
      body: message("payment.refundOrdered", { ...paid, refundId: Object.keys(reserved)[0] }),
    },
  ],
  promoter: [
    {
      items: [
        ...[eventItem(gala), seatsItem(gala, { seats: 1, registered: 1, gate: "queued" } as never), seat],
        registrationItem({ email: bob, queueKey: key(2), status: "waitlist" }),
        { PK: "WAIT#gala#2030", SK: key(2), email: bob, generation: "i", fname: "Bob", choices: {}, version: 1 },
      ],
      body: message("registration.cancelled", { ...fact, registrationStatus: "cancelled", followUps: ["promote"] }),
    },
  ],
  "send-campaign": [
    { items: campaign, body: message("campaign.batch", { campaignId: "n", batch: 0 }), atMostOnce: /^CMPR#/ },
    { items: campaign, body: message("campaign.started", { campaignId: "n", recipients: 2 }) },
  ],
  "send-chat": [
    {
      items: [...event, seat],
      body: message("registration.registered", { ...fact, notice: "registered" }),
      atMostOnce: /^SENT#chat/,
    },
  ],
  "send-mail": [
    { items: [...event, seat], body: message("registration.registered", { ...fact, notice: "registered" }) },
  ],
  "suppress-address": [
    {
      items: [],
      body: {
        id: "e",
        "detail-type": "Email Bounced",
        source: "aws.ses",
        detail: { mail: { messageId: "m", destination: [ada] }, bounce },
      },
    },
  ],
};

/** What no queue delivers, and the test of what happens when it comes again. */
const elsewhere: Readonly<Record<string, string>> = {
  relay: "The stream repeats a batch, and each row may reach the bus twice: relay.test.ts",
  "cache-header": "The bucket's events: images-store.test.ts",
  "pre-sign-up": "The user pool waits for its answer: sign-up.test.ts",
  reconcile: "The next night goes on: test/model/reconciliation.test.ts",
  sweeper: "The next minute goes on: sweeper.test.ts, test/model/forgotten.test.ts",
};

const consumersIn = (entries: Readonly<Record<string, string>>) =>
  Object.keys(entries).filter((name) => entries[name]?.startsWith("lambda/consumers/"));
const withoutMessages = (entries: Readonly<Record<string, string>>) =>
  consumersIn(entries).filter((name) => !messages[name] && !elsewhere[name]);

test("every consumer is here; add the messages of the one that is missing", () => {
  expect(withoutMessages(functionEntries)).toEqual([]);
  expect(withoutMessages({ ...functionEntries, "send-fax": "lambda/consumers/send-fax.ts" })).toEqual(["send-fax"]);
});

describe.each(Object.entries(messages))("%s leaves the same", (name, all) => {
  const path = functionEntries[name as keyof typeof functionEntries].replace("lambda/", "#");
  test.each(all.map((one) => [(one.body as { "detail-type": string })["detail-type"], one] as const))(
    "after %s",
    async (_, one) => expect(await faultsOf({ ...one, load: fresh(path) })).toEqual([]),
  );
});

/** The ways to give a point and to send a message about it. */
async function ways() {
  const { writeOnce } = await import("#kit/table/execute.ts");
  const { putNew } = await import("#kit/table/table.ts");
  const Key = { PK: `USER#${ada}`, SK: "POINTS" };
  const added = { UpdateExpression: "ADD points :one", ExpressionAttributeValues: { ":one": 1 } };
  return {
    writeOnce,
    points: { Update: { TableName: "Unit", Key, ...added } },
    mark: putNew({ ...keyOf("marker of a notice", { channel: "mail", email: ada, notice: "n" }) }),
    row: putNew({
      ...keyOf("outbox row", { hour: "2029120112", shard: 0, ulid: metadata.id }),
      detailType: "registration.updated",
    }),
    seen: new Set<string>(),
  };
}
type Ways = Awaited<ReturnType<typeof ways>>;

/** Consumers of a student, and the first fault that is found in each. */
const students: Readonly<
  Record<string, readonly [act: (by: Ways, at: RequestContext) => Promise<unknown>, fault?: string]>
> = {
  "does all in one conditional transaction": [
    ({ writeOnce, mark, points, row }, at) => writeOnce({ mark, points, row }, at),
  ],
  "swallows errors": [
    ({ writeOnce, mark, points, row }, at) => writeOnce({ mark, points, row }, at).catch(() => undefined),
    "killed before call 1: the table is not the same",
  ],
  "remembers in a module": [
    async ({ writeOnce, points, seen }, at) => {
      if (!seen.has(at.requestId)) await writeOnce({ points }, at);
      seen.add(at.requestId);
    },
    "delivered twice: the table is not the same",
  ],
  "adds without a condition": [
    ({ writeOnce, points }, at) => writeOnce({ points }, at),
    "delivered twice: the table is not the same",
  ],
  "writes the message after the commit": [
    async ({ writeOnce, mark, points, row }, at) => (await writeOnce({ mark, points }, at)) ?? writeOnce({ row }, at),
    "killed after call 1: the table is not the same",
  ],
};

test.each(Object.entries(students))("a consumer that %s", async (_, [act, fault]) => {
  const load = async () => {
    const [by, { consumer }] = [await ways(), await import("#consumers/consumer.ts")];
    const read = () => ({ id: "1", type: "t", requestId: "r" });
    return consumer(read, async (_message, context) => void (await act(by, context)));
  };
  const [first] = await faultsOf({ load: load as Delivered["load"], items: [], body: {} });
  expect(first).toBe(fault);
});
