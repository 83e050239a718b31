/**
 * Campaigns at a time and of an event's rules go exactly once: whatever dies between the clock and the mails, however often
 * a message comes. Their people are those of that moment.
 */

import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { batchesOf, type CampaignRecord, type OpenAudience, progressOf } from "#domain/mail/campaigns/campaign.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationItem } from "./given.ts";
import { batchOf, givenEvent, givenWorld, registrationOf, world } from "./notification-world.ts";

const { handler } = await import("#consumers/send-campaign.ts");
const store = await import("#domain/mail/campaigns/store.ts");
const { beginRules, beginScheduled, dueRules } = await import("#domain/mail/campaigns/begin-due.ts");
const { unstored } = await import("#domain/mail/campaigns/fix-audience.ts");
const { readDeliveries } = await import("#domain/mail/campaigns/deliveries.ts");
const { beginErasure } = await import("#domain/people/users/erasures.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { writeOnce } = await import("#kit/table/execute.ts");
const { client } = await import("#kit/table/table.ts");
const { insertion } = await import("#domain/mail/templates/store.ts");

const campaignId = "01PS0S8H00D5R2Y8C1V6K9N4QA";
const minutes = 60_000;
const context = () => systemContext("r", world.now);
/** The messages of campaigns, as the outbox has them. */
let rows: Map<string, object>;
beforeEach(() => given());

function given(): void {
  givenWorld();
  rows = new Map();
  world.memory.onCommit = (changes) => {
    for (const { after } of changes) {
      const { detailType = "", detail } = (after ?? {}) as { readonly detailType?: string; readonly detail?: object };
      if (detailType.startsWith("campaign.")) rows.set(String(after?.SK), { "detail-type": detailType, detail });
    }
  };
}
const begun = () => [...rows.values()].filter((row) => (row as never)["detail-type"] === "campaign.started").length;

/** A run of the sweeper, and then every message that there is: those that were handled come again. */
async function run(): Promise<void> {
  await beginScheduled(world.now).catch(() => undefined);
  for (let step = 0; step < 2; step += 1) {
    for (const message of [...rows.values()]) await handler(batchOf(message) as never).catch(() => undefined);
  }
}

const people = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `p${n}@x.example` }));
const holds = (count: number, changes: Partial<RegistrationRecord> = {}) =>
  people(count).map(({ email }) => registrationItem(registrationOf({ email, ...changes })));

async function givenScheduled(open: OpenAudience, listed = people(0)): Promise<CampaignRecord> {
  const batches = batchesOf(listed);
  const campaign: CampaignRecord = {
    ...{ campaignId, templateName: "t", recipients: 2, batches: batches.length, audience: "…", open },
    ...{ createdBy: "exec@club.example", createdAt: world.now, sendAt: world.now + 10 * minutes },
  };
  await store.storeBatches(campaign, { subject: "Hi", html: "<p>{{ event.ename }}</p>", text: "" }, batches, context());
  await writeOnce(store.startOf(campaign, { id: "f", content: "c", countsFor: 300 }, context()), context());
  return campaign;
}
const ofEvent: OpenAudience = { kind: "event", event: { id: "kickstart", year: 2026, generation: "i1" } };
const mailed = () => world.mails.map(({ Destinations }) => Destinations.join()).sort();
async function progress() {
  const campaign = (await store.readCampaign(campaignId)) as CampaignRecord;
  return progressOf(campaign, await readDeliveries(campaignId), world.now);
}

test("a campaign waits for its minute, and goes to those who have a seat then", async () => {
  givenEvent({ replyTo: "dinner@club.example" });
  await givenScheduled(ofEvent);
  world.now += 10 * minutes - 1;
  await run();
  expect([mailed(), (await progress()).state]).toEqual([[], "scheduled"]);
  world.indexPages = [holds(3)];
  givenEvent({ ename: "Moved", replyTo: "dinner@club.example" });
  world.now += 1;
  await run();
  await run();
  expect(mailed()).toEqual(people(3).map(({ email }) => email));
  expect(begun()).toBe(1);
  expect(await progress()).toMatchObject({ state: "done", sent: 3, pending: 0 });
  const raw = String(world.mails[0]?.RawMessage.Data);
  expect(raw).toContain("<p>Moved</p>");
  expect(raw).toMatch(/^Reply-To: dinner@club\.example\r$/m);
});

test("it waits for another time that it is given, and one that is stopped never goes", async () => {
  await givenScheduled({ kind: "emails" }, people(2));
  const { sendAt = 0 } = (await store.readCampaign(campaignId)) as CampaignRecord;
  expect(await store.moveCampaign(campaignId, () => sendAt + 5 * minutes, context())).toBe(sendAt + 5 * minutes);
  world.now = sendAt + 4 * minutes;
  await run();
  expect(begun()).toBe(0);
  await store.stopCampaign(campaignId, context());
  await expect(store.moveCampaign(campaignId, () => sendAt, context())).rejects.toMatchObject({
    code: "CAMPAIGN_BEGUN",
  });
  world.now += 5 * minutes;
  await run();
  expect([begun(), mailed(), (await progress()).state]).toEqual([0, [], "stopped"]);
  expect(world.memory.itemsOf("CAMPAIGNS TO COME")).toEqual([]);
});

test("a list leaves out who was deleted since, and an event that is deleted leaves out all", async () => {
  await givenScheduled({ kind: "emails" }, people(3));
  await writeOnce({ note: beginErasure("p1@x.example", "self/account", context()).erasure }, context());
  world.now += 10 * minutes;
  await run();
  expect(mailed()).toEqual(["p0@x.example", "p2@x.example"]);
  expect(await progress()).toMatchObject({ state: "done", sent: 2, suppressed: 1 });
  given();
  givenEvent({ generation: "i2" });
  await givenScheduled(ofEvent);
  world.indexPages = [holds(3, { generation: "i2" })];
  world.now += 10 * minutes;
  await run();
  expect([mailed(), (await store.readCampaign(campaignId))?.stoppedBecause]).toEqual([[], "no event"]);
});

describe("when something dies", () => {
  const kinds = ["an event's", "a list's"] as const;
  test.each(kinds)("at any call, and once more, %s campaign goes exactly once", async (kind) => {
    let unconfirmed = 0;
    for (let call = 0; call < 40; call += 1) {
      for (const carriedOut of [false, true]) {
        given();
        givenEvent();
        world.indexPages = [holds(2)];
        await (kind === "a list's" ? givenScheduled({ kind: "emails" }, people(2)) : givenScheduled(ofEvent));
        world.now += 10 * minutes;
        world.death = { call: world.calls + call, carriedOut };
        await run();
        world.revive();
        world.death = { call: world.calls + 7, carriedOut: !carriedOut };
        await run();
        world.revive();
        // Who joins after the audience was fixed gets nothing; before it, one mail.
        await run();
        const { state, unconfirmedRecipients, pending } = await progress();
        expect({ call, carriedOut, begun: begun(), state, pending }).toEqual({
          ...{ call, carriedOut, begun: 1, state: "done", pending: 0 },
        });
        expect(new Set(mailed()).size).toBe(mailed().length);
        const missing = people(2).filter(({ email }) => !mailed().includes(email));
        for (const { email } of missing) expect(unconfirmedRecipients).toContain(email);
        unconfirmed += missing.length;
      }
    }
    // Only a death between claim and mail.
    expect(unconfirmed).toBeLessThan(30);
  });

  test("two runs fix one audience, whoever of them is first, also if they see other people", async () => {
    for (let call = 1; call < 12; call += 1) {
      given();
      givenEvent();
      await givenScheduled(ofEvent);
      world.now += 10 * minutes;
      await beginScheduled(world.now);
      const [message] = [...rows.values()];
      world.indexPages = [holds(60)];
      const other = async () => {
        world.indexPages = [holds(61).slice(1)];
        await handler(batchOf(message as object) as never);
      };
      world.meanwhile = { call: world.calls + call, happens: other };
      await handler(batchOf(message as object) as never);
      await run();
      const { recipients, batches } = (await store.readCampaign(campaignId)) as CampaignRecord;
      expect(
        world.memory.itemsOf(`CMP#${campaignId}`).filter(({ SK }) => String(SK).startsWith("BATCH#")),
      ).toHaveLength(batches);
      expect(mailed()).toHaveLength(recipients);
      expect(new Set(mailed()).size).toBe(recipients);
    }
  });

  test("two runs of the clock begin it once; without the condition twice", async () => {
    const beginTwice = async (condition: "as it is" | "without") => {
      given();
      await givenScheduled({ kind: "emails" }, people(1));
      world.now += 10 * minutes;
      const send = (command: unknown) => world.table(command);
      const without = (command: unknown) => {
        if (condition === "as it is" || !(command instanceof TransactWriteCommand)) return send(command);
        const TransactItems = (command.input.TransactItems ?? []).map(({ Update, ...item }) => {
          if (!Update) return item;
          const { ConditionExpression, ...update } = Update;
          return { ...item, Update: { ...update, ExpressionAttributeValues: { ":now": world.now } } };
        });
        return send(new TransactWriteCommand({ ...command.input, TransactItems } as never) as never);
      };
      jest.spyOn(client, "send").mockImplementation(without as never);
      // The second run reads the line and the campaign, and commits between the first's read and write.
      world.meanwhile = { call: world.calls + 2, happens: () => beginScheduled(world.now) };
      await beginScheduled(world.now);
      return begun();
    };
    expect(await beginTwice("as it is")).toBe(1);
    expect(await beginTwice("without")).toBe(2);
  });
});

describe("a rule of an event", () => {
  const mails = [{ templateName: "t", to: "seats", when: "beforeStart", days: 2 }] as const;
  const template = {
    templateName: "t",
    subject: "Hi",
    html: "<p>Hi</p>",
    text: "",
    createdAt: 0,
    updatedAt: 0,
    version: 1,
    generation: "t1",
  };
  const zone = "America/Vancouver";
  const givenTemplate = () => writeOnce(insertion(template), context());
  const start = Date.parse("2026-01-16T02:00:00.000Z");
  const sweep = (event: ReturnType<typeof givenEvent>) => {
    const due = dueRules([event], world.now, zone);
    return beginRules(due, world.now).catch(() => 0);
  };

  test("begins once for the event, whatever dies, and also if the event moves after it", async () => {
    for (let call = 0; call < 6; call += 1) {
      for (const carriedOut of [false, true]) {
        given();
        await givenTemplate();
        const event = givenEvent({ mails });
        world.indexPages = [holds(2)];
        world.now = start - 48 * 60 * minutes - 1;
        expect(await sweep(event)).toBe(0);
        world.now += 1;
        world.death = { call: world.calls + call, carriedOut };
        await sweep(event);
        world.revive();
        await sweep(event);
        await run();
        expect({ call, carriedOut, begun: begun(), mailed: mailed().length }).toEqual({
          call,
          carriedOut,
          begun: 1,
          mailed: 2,
        });
        const later = givenEvent({ mails, startDate: "2026-01-26T02:00:00.000Z", version: 2 });
        world.now = Date.parse("2026-01-25T02:00:00.000Z");
        expect(await sweep(later)).toBe(0);
      }
    }
  });

  test("does not begin by an event that has moved, is hidden or lost the rule since it was read; without its marker again", async () => {
    await givenTemplate();
    const event = givenEvent({ mails });
    world.now = start - 40 * 60 * minutes;
    givenEvent({ mails, startDate: "2026-02-16T02:00:00.000Z", version: event.version + 1 });
    expect(await sweep(event)).toBe(0);
    expect(begun()).toBe(0);
    givenEvent({ mails });
    expect(await sweep(event)).toBe(1);
    expect(await sweep(event)).toBe(0);
    for (const item of world.memory.all().filter(({ SK }) => String(SK).startsWith("ANNOUNCED")))
      world.memory.remove(item);
    expect(await sweep(event)).toBe(1);
  });

  test("whose template is gone leaves a campaign that says so", async () => {
    world.now = start - 40 * 60 * minutes;
    expect(await sweep(givenEvent({ mails }))).toBe(1);
    const [campaign] = world.memory.itemsOf("CMP");
    expect([campaign?.stoppedBecause, begun()]).toEqual(["no template", 0]);
  });
});

test("what of an audience is not stored yet follows what is", () => {
  const [one, two, three] = people(3) as [{ email: string }, { email: string }, { email: string }];
  expect(unstored([one, two, three], [[two]])).toEqual([[one, three]]);
  expect(unstored([two], [[one, two]])).toEqual([]);
});
