/**
 * The worker of campaigns: no recipient gets two mails, and each gets one, except recipients in doubt after a death of
 * the worker.
 */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { batchesOf, progressOf, type Recipient } from "#domain/mail/campaigns/campaign.ts";
import type { Message } from "#outbox/messages.ts";
import { batchOf, Death, failuresOf, givenWorld, mutants, onTheBus, steps, world } from "./notification-world.ts";

const { handler, sendBatch } = await import("#consumers/send-campaign.ts");
const store = await import("#domain/mail/campaigns/store.ts");
const { readDeliveries } = await import("#domain/mail/campaigns/deliveries.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { writeOnce } = await import("#kit/table/execute.ts");
const { userKey } = await import("#domain/people/users/store.ts");
const { seam } = await import("#kit/seam.ts");
const { tableName } = await import("#kit/table/table.ts");
const { putSuppression } = await import("#domain/mail/suppressions.ts");

const { pause } = seam;
/** The pauses that the mail service asks for. They take no time here. */
let longPauses: number[] = [];
beforeEach(() => {
  givenWorld();
  longPauses = [];
  seam.pause = async (milliseconds) => {
    if (milliseconds < 1_000) await pause(milliseconds);
    else longPauses.push(milliseconds);
  };
});

const campaignId = "01CAMPAIGN";
const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ email: `p${n}@x.example`, fname: `P${n}` }));
const context = () => systemContext("r", world.now);
const send = () => sendBatch(first(), context());
const suppress = (email: string) =>
  writeOnce({ suppression: putSuppression({ email, createdAt: world.now }) }, context());
const requestNamed = (id: string) => ({ id, content: "c", countsFor: 300 });
/** @returns whether the campaign has begun */
const start = async (...of: Parameters<typeof store.startOf>) =>
  (await writeOnce(store.startOf(...of), context())) === undefined;

async function givenCampaign(count: number, recipients: readonly Recipient[] = people(count)) {
  const batches = batchesOf(recipients);
  const campaign = {
    campaignId,
    templateName: "t",
    recipients: count,
    batches: batches.length,
    audience: "emails",
    createdBy: "exec@club.example",
    createdAt: world.now,
  };
  const content = {
    subject: "Hi {{ fname }}",
    html: "<p>{{ fname }}, {{ event.ename }}</p>",
    text: "",
    event: { ename: "E" },
  };
  await store.storeBatches(campaign, content, batches, context());
  await start(campaign, requestNamed("f"), context());
  world.calls = 0;
}

function messageOf<T extends "campaign.started" | "campaign.batch">(type: T, data: Message<T>["data"]): Message<T> {
  return { type, id: "01", occurredAt: world.now, actor: "exec@club.example", requestId: "r", data };
}
const first = () => messageOf("campaign.batch", { campaignId, batch: 0 });
const started = () => messageOf("campaign.started", { campaignId, recipients: 0 });

const mailed = () => world.mails.map(({ Destinations }) => Destinations.join());
async function progress() {
  const campaign = await store.readCampaign(campaignId);
  if (!campaign) throw new Error("no campaign");
  return progressOf(campaign, await readDeliveries(campaignId), world.now);
}
const diesAt = async (call: number, carriedOut: boolean) => {
  world.death = { call: world.calls + call, carriedOut };
  const died = await send().then(
    () => false,
    (error: unknown) => error instanceof Death || world.death !== undefined,
  );
  world.revive();
  return died;
};

/**
 * Expects one mail for each recipient, and none or one for each listed as unconfirmed. @returns the unconfirmed
 * recipients
 */
async function expectAtMostOnce(count: number) {
  const sent = mailed();
  expect(new Set(sent).size).toBe(sent.length);
  const { state, unconfirmedRecipients, pending } = await progress();
  expect({ state, pending }).toEqual({ state: "done", pending: 0 });
  for (const { email } of people(count)) {
    if (!unconfirmedRecipients.includes(email)) expect(sent).toContain(email);
  }
  return unconfirmedRecipients;
}

test("a batch goes to each recipient by name, with a way to unsubscribe, and is not sent again", async () => {
  await givenCampaign(3);
  expect(failuresOf(await handler(batchOf(onTheBus(first()), onTheBus(first())) as never))).toEqual([]);
  expect(mailed()).toEqual(people(3).map(({ email }) => email));
  const mail = await simpleParser(world.mails[1]?.RawMessage.Data ?? "");
  expect(mail).toMatchObject({ subject: "Hi P1", html: expect.stringContaining("<body") });
  expect(mail.html).toContain("\n<p>P1, E</p>\n");
  expect(mail.headers.get("list")).toMatchObject({
    unsubscribe: { mail: "unsubscribe@club.example?subject=unsubscribe" },
  });
  expect(await progress()).toMatchObject({ state: "done", sent: 3, pending: 0 });
});

test.each([
  ["no name", {}, "Hi Grace"],
  ["a first name", { fname: "Ada" }, "Hi Ada"],
])(
  "a recipient with %s has the names of the account only if the audience has given none",
  async (_, names, subject) => {
    await givenCampaign(1, [{ email: "p1@x.example", ...names }]);
    const account = { ...userKey("p1@x.example"), email: "p1@x.example", fname: "Grace", lname: "Hopper" };
    await writeOnce({ account: { Put: { TableName: tableName, Item: account } } }, context());
    expect(failuresOf(await handler(batchOf(onTheBus(first())) as never))).toEqual([]);
    expect((await simpleParser(world.mails[0]?.RawMessage.Data ?? "")).subject?.trim()).toBe(subject);
  },
);

test("of two campaigns of one request only the first begins; without the request's name both would", async () => {
  const campaign = { templateName: "t", recipients: 1, batches: 1, audience: "emails", createdBy: "e", createdAt: 0 };
  const begin = (campaignId: string, request: string, outdated?: string) =>
    start({ ...campaign, campaignId }, requestNamed(request), context(), outdated);
  expect(await Promise.all([begin("A", "same"), begin("B", "same")])).toEqual([true, false]);
  expect(await Promise.all([begin("C", "one"), begin("D", "other")])).toEqual([true, true]);
  // Only one new campaign takes the place of an outdated one, however many requests ask.
  expect(await Promise.all([begin("E", "same", "A"), begin("F", "same", "A")])).toEqual([true, false]);
});

test("a campaign that begins sends one message for each batch, however often its own message comes", async () => {
  await givenCampaign(130);
  const rows = new Map<string, unknown>();
  world.memory.onCommit = (changes) => {
    for (const { after } of changes) rows.set(String(after?.SK), after?.detail);
  };
  await handler(batchOf(onTheBus(started())) as never);
  expect(rows.size).toBe(6);
  await handler(batchOf(onTheBus(started())) as never);
  expect(rows.size).toBe(6);
  const batches = [...rows.values()].map((detail) => (detail as { data: { batch: number } }).data.batch);
  expect(batches.sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

describe("a worker that dies", () => {
  const count = 3;
  // Reading a batch takes three calls, each recipient four: claim, campaign and suppression, mail, mark.
  const calls = 3 + count * 4;

  test.each([false, true])("at any call, carried out: %s, and then again, sends no mail twice", async (carriedOut) => {
    for (let call = 0; call < calls; call += 1) {
      for (const second of [1, 4, 6]) {
        givenWorld();
        await givenCampaign(count);
        expect(await diesAt(call, carriedOut)).toBe(true);
        await diesAt(second, !carriedOut);
        await send();
        expect((await expectAtMostOnce(count)).length).toBeLessThanOrEqual(2);
      }
    }
  });

  test("would send some mails twice if there were no claim, or if it could be taken over", async () => {
    for (const changed of [mutants.unclaimed, mutants.takingOver]) {
      givenWorld();
      await givenCampaign(count);
      Object.assign(steps, changed);
      await diesAt(5, true);
      await send();
      expect(mailed().length).toBeGreaterThan(new Set(mailed()).size);
    }
  });
});

test("a recipient whom another run has just given back is not passed over: the batch comes again", async () => {
  await givenCampaign(1);
  world.sesSays = [says("AccountSendingPausedException")];
  await expect(send()).rejects.toMatchObject({ name: "AccountSendingPausedException" });
  // The clock of this run is behind the other run's.
  world.now -= 1_000;
  await expect(send()).rejects.toThrow(/given a recipient back/);
  world.now += 2_000;
  await send();
  expect(mailed()).toHaveLength(1);
});

test("after a stop at any moment only recipients who were claimed before get the mail", async () => {
  for (let call = 0; call < 3 + 4 * 3; call += 1) {
    givenWorld();
    await givenCampaign(3);
    let claimed = 0;
    const happens = async () => {
      claimed = (await readDeliveries(campaignId)).length;
      return store.stopCampaign(campaignId, context());
    };
    world.meanwhile = { call, happens };
    await send();
    expect(mailed().length).toBeLessThanOrEqual(claimed);
    expect(await progress()).toMatchObject({
      state: claimed === 3 && mailed().length === 3 ? "done" : "stopped",
      sent: mailed().length,
    });
    await send();
    expect(mailed().length).toBeLessThanOrEqual(claimed);
  }
});

test("a suppressed address gets no mail, also when it is suppressed during the batch", async () => {
  await givenCampaign(3);
  await suppress("p1@x.example");
  world.meanwhile = { call: world.calls + 8, happens: () => suppress("p2@x.example") };
  await send();
  expect(mailed()).toEqual(["p0@x.example"]);
  expect(await progress()).toMatchObject({ state: "done", sent: 1, suppressed: 2, pending: 0 });
});

const says = (name: string, httpStatusCode = 400, message = "secret") =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

describe("when the mail service", () => {
  test("refuses an address for good, that is recorded, and the other recipients get the mail", async () => {
    await givenCampaign(3);
    world.sesSays = [undefined, says("InvalidParameterValue")];
    await send();
    expect(mailed()).toEqual(["p0@x.example", "p2@x.example"]);
    expect(await progress()).toMatchObject({
      state: "done",
      failed: 1,
      failures: [{ email: "p1@x.example", message: "The mail service refuses it for good (InvalidParameterValue)." }],
    });
  });

  test("throttles for long, the message comes again, and each recipient gets one mail", async () => {
    await givenCampaign(3);
    world.sesSays = [undefined, ...Array.from({ length: 4 }, () => says("Throttling"))];
    await expect(send()).rejects.toMatchObject({ name: "Throttling" });
    expect(await progress()).toMatchObject({ state: "sending", sent: 1, pending: 2, unconfirmed: 0 });
    await send();
    await expectAtMostOnce(3);
    expect(mailed()).toHaveLength(3);
  });

  test("refuses all mails, the campaign pauses, and each recipient gets one mail later", async () => {
    await givenCampaign(10);
    world.sesSays = [undefined, ...Array.from({ length: 10 }, () => says("MessageRejected"))];
    expect(failuresOf(await handler(batchOf(onTheBus(first())) as never))).toEqual(["m0"]);
    expect(await progress()).toMatchObject({ state: "sending", sent: 1, failed: 0, unconfirmed: 0, pending: 9 });
    // After two refusals in a row the others are not even tried.
    expect(world.sesSays).toHaveLength(8);
    world.sesSays = [];
    await send();
    expect(mailed()).toHaveLength(10);
    expect(await expectAtMostOnce(10)).toEqual([]);
  });

  test("has sent its quota of the day, the campaign waits without a pause, and goes on later", async () => {
    await givenCampaign(3);
    const quota = () => says("Throttling", 400, "Daily message quota exceeded.");
    world.sesSays = [undefined, quota(), quota()];
    await expect(send()).rejects.toMatchObject({ name: "Throttling" });
    expect(longPauses).toEqual([]);
    expect(await progress()).toMatchObject({ state: "sending", sent: 1, failed: 0, pending: 2 });
    expect(world.sesSays).toHaveLength(1);
    world.sesSays = [];
    await send();
    expect(mailed()).toHaveLength(3);
    expect(await expectAtMostOnce(3)).toEqual([]);
  });

  test("does not answer, the outcome is unknown, and the mail is not tried again", async () => {
    await givenCampaign(2);
    world.sesSays = [says("InternalFailure", 500)];
    await send();
    await send();
    expect(mailed()).toEqual(["p1@x.example"]);
    expect((await progress()).unconfirmedRecipients).toEqual(["p0@x.example"]);
  });

  test("is down, the remaining recipients get their mail later", async () => {
    await givenCampaign(10);
    world.sesSays = Array.from({ length: 10 }, () => says("ServiceUnavailable", 503));
    await expect(send()).rejects.toThrow(/does not answer/);
    expect(await progress()).toMatchObject({ state: "sending", sent: 0, unconfirmed: 2, pending: 8 });
    world.sesSays = [undefined, says("ServiceUnavailable", 503), undefined, says("ServiceUnavailable", 503)];
    await send();
    expect(await expectAtMostOnce(10)).toHaveLength(4);
    expect(mailed()).toHaveLength(6);
  });
});

test("a batch of a campaign that is gone is skipped, and a message of another kind is not understood", async () => {
  await send();
  expect(world.mails).toEqual([]);
  const other = { ...onTheBus(first()), "detail-type": "event.created" };
  const incomplete = onTheBus({ ...first(), data: { campaignId } } as never);
  expect(failuresOf(await handler(batchOf("{", other, incomplete) as never))).toEqual(["m0", "m1", "m2"]);
});
