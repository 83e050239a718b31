/** Messages reach their consumers, whatever fails on the way (`docs/design.md`, "Messages and consumers"). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterEach, expect, jest, test } from "@jest/globals";
import type { SQSEvent } from "aws-lambda";
import Stripe from "stripe";
import { fakeClock } from "../unit/local-time.ts";
import { exec, user, year } from "./given.ts";
import { configurationSetOf, handToSes } from "./ses-client.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of open.splice(0).reverse()) await close();
});

interface BusEvent {
  readonly "detail-type": string;
  readonly detail: { readonly metadata: { readonly id: string }; readonly data: Record<string, unknown> };
}

const eventsOf = ({ Records }: SQSEvent): BusEvent[] => Records.map(({ body }) => JSON.parse(body));

/** A consumer that records its batches, and fails at the first `failures` of them. */
function spy(failures = 0) {
  const heard: BusEvent[][] = [];
  const consume = async (event: SQSEvent): Promise<unknown> => {
    heard.push(eventsOf(event));
    if (heard.length <= failures) throw new Error("not today");
    return { batchItemFailures: [] };
  };
  return { heard, consume };
}

const silent = { Mail: spy().consume, Chat: spy().consume, Promoter: spy().consume };

/** Without disorder: these tests count deliveries, also of messages that fail. */
async function givenPipeline(options: Parameters<typeof givenStage>[0] = {}): Promise<ServiceStage> {
  const stage = await givenStage({
    quiet: true,
    disorder: undefined,
    ...options,
    standIns: { ...silent, ...options.standIns },
  });
  open.push(() => stage.close());
  return stage;
}

const gala = { id: "gala", ename: "Gala", capac: 1 };

/**
 * USD for a million request units of an on-demand table in US West (Oregon), of November 2024, as looked up 2026-11-22;
 * other regions differ. https://aws.amazon.com/dynamodb/pricing/on-demand/
 */
const usdOfMillion = { writes: 0.625, reads: 0.125 };

/** Calls `look` until it returns a value. @throws Error after `milliseconds` */
async function eventually<T>(look: () => T | undefined, milliseconds = 20_000): Promise<T> {
  for (const deadline = Date.now() + milliseconds; ; await pause(20)) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error("It never came.");
  }
}

test("each message of a registration reaches its consumers once, in the form of the catalogue", async () => {
  const [mail, chat, promoter] = [spy(), spy(), spy()];
  const stage = await givenPipeline({
    standIns: { Mail: mail.consume, Chat: chat.consume, Promoter: promoter.consume },
  });
  await stage.givenEventWith([user, "late@student.example"], gala);
  await stage.settled();

  const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;
  const [registered] = mail.heard.flat();
  expect(registered).toEqual({
    version: "0",
    id: expect.any(String),
    account: "000000000000",
    region: "us-west-2",
    resources: [],
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    source: "club.events",
    "detail-type": "registration.registered",
    detail: {
      metadata: {
        id: expect.stringMatching(ulid),
        version: 1,
        occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: exec,
        correlationId: expect.any(String),
      },
      data: expect.objectContaining({ eventID: "gala", year, email: user, notice: "registered", version: 1 }),
    },
  });
  const types = (heard: BusEvent[][]) => heard.flat().map((one) => one["detail-type"]);
  expect(types(mail.heard)).toEqual(["registration.registered", "registration.waitlisted"]);
  expect(types(chat.heard)).toEqual(["registration.registered", "registration.waitlisted"]);
  expect(types(promoter.heard)).toEqual(["registration.waitlisted"]);
  expect(stage.deadLetters()).toEqual([]);
});

test("a consumer that fails gets the message again, the others do not", async () => {
  const [mail, chat] = [spy(2), spy()];
  const stage = await givenPipeline({ visibility: 1, standIns: { Mail: mail.consume, Chat: chat.consume } });
  await stage.givenEventWith([user], gala);
  await eventually(() => mail.heard[2]);
  await stage.settled();
  expect(new Set(mail.heard.flat().map(({ detail }) => detail.metadata.id)).size).toBe(1);
  expect(chat.heard).toHaveLength(1);
  expect(stage.deadLetters()).toEqual([]);
});

test("a message that a consumer fails at five times ends unchanged in its dead-letter queue", async () => {
  const chat = spy(Number.POSITIVE_INFINITY);
  const stage = await givenPipeline({ visibility: 1, standIns: { Chat: chat.consume } });
  await stage.givenEventWith([user], gala);
  const letter = await eventually(() => stage.deadLetters()[0]);
  expect(chat.heard).toHaveLength(5);
  expect(letter).toEqual({ queue: "ChatFailures", body: chat.heard[0]?.[0], attributes: {} });
});

test("a mail that its consumer fails at is tried 72 times more, one every hour, and then is a dead letter", async () => {
  const mail = spy(Number.POSITIVE_INFINITY);
  const clock = fakeClock();
  const stage = await givenPipeline({ clock, standIns: { Mail: mail.consume } });
  await stage.givenEventWith([user], gala);
  await stage.settled();
  const pass = async (minutes: number) => {
    clock.advance(minutes * 60_000);
    await stage.settled();
  };
  // The fifth failure moves it to the queue of later tries, where it is tried at once.
  for (let tries = 1; tries <= 5; tries += 1) {
    expect(mail.heard).toHaveLength(tries);
    await pass(3);
  }
  for (let tries = 6; tries <= 5 + 72; tries += 1) {
    expect(mail.heard).toHaveLength(tries);
    expect(stage.deadLetters()).toEqual([]);
    await pass(59);
    expect(mail.heard).toHaveLength(tries);
    await pass(1);
  }
  expect(mail.heard).toHaveLength(5 + 72);
  expect(stage.deadLetters()).toEqual([{ queue: "MailFailures", body: mail.heard[0]?.[0], attributes: {} }]);
});

test("a row that the bus does not take ends in the relay's dead-letter queue, and the others get through", async () => {
  const complaint = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const relayed: string[] = [];
  const Relay = async ({ Records }: { Records: { dynamodb: { SequenceNumber: string } }[] }) => {
    const numbers = Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
    relayed.push(...numbers);
    const [bad] = relayed;
    return { batchItemFailures: numbers.includes(bad as string) ? [{ itemIdentifier: bad }] : [] };
  };
  const stage = await givenPipeline({ retryDelay: 1, standIns: { Relay } });
  await stage.givenEvent(gala);
  const letter = await eventually(() => stage.deadLetters()[0]);
  expect(letter).toMatchObject({
    queue: "RelayFailures",
    body: {
      requestContext: { condition: "RetryAttemptsExhausted" },
      DDBStreamBatchInfo: { batchSize: 1, startSequenceNumber: relayed[0], endSequenceNumber: relayed[0] },
    },
  });
  expect(complaint).toHaveBeenCalledWith(expect.stringContaining("1 stream records were given up"));
  expect((await stage.registerByAdmin("gala", user)).status).toBe(201);
  await stage.settled();
  expect(new Set(relayed).size).toBeGreaterThan(1);
  expect(stage.deadLetters()).toHaveLength(1);
});

test("a message that was not handled before a stop is handled after the next start", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pipeline-"));
  open.push(() => rm(directory, { recursive: true, force: true }));
  const [never, mail] = [spy(Number.POSITIVE_INFINITY), spy()];
  const kept = { directory, memory: false, visibility: 1 };
  const first = await givenPipeline({ ...kept, standIns: { Mail: never.consume } });
  const key = first.environmentOf("Mail").TICKET_KEY_SECRET;
  const before = await secretOf(first, key);
  await first.givenEventWith([user], gala);
  await eventually(() => never.heard[0]);
  await first.close();
  const second = await givenPipeline({ ...kept, standIns: { Mail: mail.consume } });
  await eventually(() => mail.heard[0]);
  await second.settled();
  expect(mail.heard).toEqual([never.heard[0]]);
  expect(await secretOf(second, key)).toBe(before);
});

async function secretOf(stage: ServiceStage, SecretId: string | undefined): Promise<string | undefined> {
  const client = new SecretsManagerClient({
    region: stage.outputs.region,
    endpoint: stage.endpoint("SECRETS_MANAGER"),
    credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
  });
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  client.destroy();
  return SecretString;
}

test("functions find their secrets: a generated ticket key, and the chat's address", async () => {
  const stage = await givenPipeline();
  expect(await secretOf(stage, stage.environmentOf("Registrations").TICKET_KEY_SECRET)).toMatch(/^[A-Za-z0-9]{64}$/);
  expect(await secretOf(stage, stage.environmentOf("Chat").CHAT_WEBHOOK_SECRET)).toBe(`${stage.outputs.chatUrl}/hook`);
});

test("functions know the payment provider and its keys, and the provider knows the webhook's address", async () => {
  const stage = await givenPipeline();
  const { payments, outputs } = stage;
  expect([outputs.paymentsUrl, outputs.webhookSecret]).toEqual([payments.url, payments.webhookSecret]);
  expect(stage.environmentOf("Events").PAYMENTS_ENDPOINT_URL).toBe(payments.url);
  expect(JSON.parse((await secretOf(stage, "club-events/local/payments")) ?? "")).toEqual({
    apiKey: payments.apiKey,
    webhookSecrets: [payments.webhookSecret],
  });
  const { hostname, port } = new URL(payments.url);
  const stripe = new Stripe(payments.apiKey, { host: hostname, port, protocol: "http", telemetry: false });
  const price_data = { currency: "cad", unit_amount: 1500, product_data: { name: "Dinner" } };
  const { id } = await stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [{ price_data, quantity: 1 }],
    success_url: "http://localhost:3000/paid",
  });
  payments.pay(id);
  await stage.settled();
  expect(payments.deliveries()).toMatchObject([{ sessionId: id, outcome: expect.stringMatching(/^\d{3}$/) }]);
});

test("a client may put messages on the local bus by its address", async () => {
  const announcer = spy();
  const stage = await givenPipeline({ standIns: { Announcer: announcer.consume } });
  const client = new EventBridgeClient({
    region: stage.outputs.region,
    endpoint: stage.outputs.busUrl,
    credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
  });
  open.push(() => client.destroy());
  const entry = {
    EventBusName: stage.environmentOf("Relay").BUS_NAME,
    Source: "club.events",
    DetailType: "event.rescheduled",
    Detail: JSON.stringify({ metadata: { id: "x" }, data: { id: "gala" } }),
  };
  const { FailedEntryCount } = await client.send(new PutEventsCommand({ Entries: [entry] }));
  expect(FailedEntryCount).toBe(0);
  await stage.settled();
  expect(announcer.heard.flat()).toEqual([expect.objectContaining({ "detail-type": "event.rescheduled" })]);
});

test("a test can run the sweeper's schedule, and an unknown schedule is an error", async () => {
  const runs: unknown[] = [];
  const stage = await givenPipeline({ standIns: { Sweeper: async (run: unknown) => void runs.push(run) } });
  await stage.runSchedule("SweeperSchedule");
  expect(runs).toEqual([expect.objectContaining({ source: "aws.events", "detail-type": "Scheduled Event" })]);
  await expect(stage.runSchedule("Nothing")).rejects.toThrow("There is no schedule Nothing.");
});

test("with the real functions a registration sends one mail with a ticket and one chat message, within its budget", async () => {
  /** Units by the name of the function. */
  const spent: Record<string, { reads: number; writes: number }> = {};
  const stage = await givenStage({
    quiet: true,
    onTableCall: ({ accessKeyId, readUnits, writeUnits }) => {
      const name = /^LOCAL([A-Za-z]+?)[0-9A-F]{8}$/.exec(accessKeyId)?.[1] ?? accessKeyId;
      const { reads, writes } = spent[name] ?? { reads: 0, writes: 0 };
      spent[name] = { reads: reads + readUnits, writes: writes + writeUnits };
    },
  });
  open.push(() => stage.close());
  const id = await stage.givenEvent(gala);
  await stage.settled();
  for (const name of Object.keys(spent)) delete spent[name];
  await stage.register(id, user);
  await stage.settled();
  // The sweeper looks for holds every minute.
  const { Sweeper: _, ...caused } = spent;
  const writes = Object.fromEntries(Object.entries(caused).map(([name, units]) => [name, units.writes]));
  // Seven in the request: seats 2, registration 2 and its line in the index 1, message 2. Three behind it: claim and end
  // of the mail 2, claim of the chat message 1.
  expect(writes).toEqual({ Registrations: 7, Mail: 2, Chat: 1, CloseCheckout: 0 });
  const total = (kind: "reads" | "writes") => Object.values(caused).reduce((sum, units) => sum + units[kind], 0);
  expect(total("writes") * usdOfMillion.writes).toBeLessThan(7);
  expect(total("reads") * usdOfMillion.reads).toBeLessThan(1.5);
  expect(stage.mailbox.list().map(({ destination, subject }) => [destination.to, subject])).toEqual([
    [[user], expect.stringContaining("Gala")],
  ]);
  expect(stage.chat.list()).toHaveLength(1);
  expect(stage.deadLetters()).toEqual([]);
});

test("a bounce whose address is too long for an email ends in the dead letters, and the next bounce is handled", async () => {
  const clock = fakeClock();
  const stage = await givenPipeline({ clock });
  const configurationSet = configurationSetOf(stage);
  const tooLong = `bounce+${"a".repeat(60)}@simulator.amazonses.com`;
  for (const to of [tooLong, "bounce@simulator.amazonses.com"]) {
    await handToSes(stage, { to, configurationSet });
  }
  for (let tries = 1; tries <= 5; tries += 1) {
    await stage.settled();
    expect(stage.deadLetters()).toEqual([]);
    // Longer than a message of this queue stays hidden.
    clock.advance(10 * 60_000);
  }
  await stage.settled();
  expect(stage.deadLetters()).toMatchObject([
    { queue: "SuppressorFailures", body: { "detail-type": "Email Bounced" } },
  ]);
  const { body } = await stage.api("GET", "/emails/suppressions", { as: exec });
  expect(body).toMatchObject([{ email: "bounce@simulator.amazonses.com", reason: "bounce: General" }]);
});
