/**
 * A stage in disorder: the stream has several shards, and stream, queues and bus bring some things twice
 * (`docs/design.md`, "Messages and consumers"). People must not notice.
 */
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import type { SQSEvent } from "aws-lambda";
import { fakeClock } from "../unit/local-time.ts";
import { exec, people, year } from "./given.ts";
import { storedOf } from "./rush.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

const open: ServiceStage[] = [];
const close = async () => {
  for (const stage of open.splice(0)) await stage.close();
};
afterEach(close);

/** Minutes after which a message that failed has come again. */
const visibilityTimeout = 20;

/**
 * The stage is settled when messages that failed have come again: a message fails while its copy is at work, and on a
 * busy machine for other reasons too.
 */
async function givenDisorder(disorder: number | undefined, standIns = {}): Promise<ServiceStage> {
  const clock = fakeClock();
  const bare = await givenStage({ quiet: true, disorder, standIns, clock });
  const settled = async (): Promise<void> => {
    await bare.settled();
    clock.advance(visibilityTimeout * 60_000);
    await bare.settled();
  };
  const stage = { ...bare, settled };
  open.push(stage);
  return stage;
}

/** How often the relay brought a row to the bus, beyond the first time. */
function repeatsOfRelay({ logs }: ServiceStage): number {
  const rows = logs.flatMap(({ text }) => (text.includes('"event sent"') ? [JSON.parse(text).outboxId as string] : []));
  return rows.length - new Set(rows).size;
}

const guests = people(5, "guest");
const [first = "", , , , last = ""] = guests;

async function sendCampaign({ api }: ServiceStage): Promise<void> {
  const template = { templateName: "News", subject: "News", html: "<p>Hi</p>", text: "Hi" };
  expect((await api("POST", "/emails/templates", { as: exec, body: template })).status).toBe(201);
  const body = { templateName: "News", audience: { emails: guests } };
  expect((await api("POST", "/emails/send", { as: exec, body })).status).toBe(202);
}

/** Registrations, a new date, cancellations with promotions, more seats, a campaign, trades, and an event that is deleted. */
async function tellStory(stage: ServiceStage) {
  const { api, settled } = stage;
  await stage.givenEventWith(guests, { id: "dinner", ename: "Dinner", capac: 2 });
  await settled();
  await stage.changeEvent("dinner", { startDate: `${year}-05-02T18:00:00Z` });
  await settled();
  await stage.leave("dinner", first);
  await stage.moveTo("dinner", last, "cancelled");
  await settled();
  await stage.changeEvent("dinner", { capac: 3 });
  await settled();
  const { seats, line, registered, waiting } = await storedOf(stage, "dinner");

  await sendCampaign(stage);
  const project = { projectId: "prj", ticker: "PRJ", name: "Project", eventId: "game" };
  await api("POST", "/btx/admin/project", { as: exec, body: project });
  for (const as of guests) await api("POST", "/btx/market/buy", { as, body: { projectId: "prj", shares: 5 } });
  await stage.givenEventWith(guests.slice(0, 2), { id: "party", ename: "Party", capac: 1 });
  await settled();
  await stage.deleteEvent("party", "?force=true");
  await settled();
  const [market] = (await stage.stored("BTXP#prj")).filter(({ SK }) => SK === "MARKET");
  return {
    seats: [seats.seats, seats.registered, seats.capacity],
    line: line.map(({ email }) => email),
    registered: registered.sort(),
    waiting: waiting.sort(),
    mails: guests.map((email) => stage.subjectsTo(email).sort()),
    chat: (await stage.chatTexts()).map((text) => text.replace(/\n.*/s, "")).sort(),
    messages: (await stage.outboxRows()).map(({ detailType }) => detailType).sort(),
    shares: market?.netShares,
    deadLetters: stage.deadLetters(),
  };
}

/** Newcomers and leavers at once: the seats are full, and each person hears once where it ended. */
async function expectQuietRush(stage: ServiceStage): Promise<void> {
  const holders = people(3, "holder");
  const newcomers = people(5, "newcomer");
  await stage.givenEventWith(holders, { id: "rush", ename: "Rush", capac: 3 });
  await Promise.all([
    ...newcomers.map((email) => stage.register("rush", email)),
    ...holders.slice(0, 2).map((email) => stage.leave("rush", email)),
  ]);
  await stage.settled();
  const { seats, line, registered, waiting } = await storedOf(stage, "rush");
  expect(seats).toMatchObject({ seats: 3, registered: 3 });
  expect([registered.length, waiting.length]).toEqual([3, 3]);
  expect(line.map(({ email }) => email).sort()).toEqual(waiting.sort());
  const numberOf = (email: string, subject: string) => stage.subjectsTo(email).filter((one) => one === subject).length;
  for (const email of registered) expect(numberOf(email, "You're registered: Rush")).toBe(1);
  for (const email of waiting) expect(stage.subjectsTo(email)).toEqual(["You're on the waitlist: Rush"]);
  for (const email of [...holders, ...newcomers]) {
    const subjects = stage.subjectsTo(email);
    expect(subjects).toEqual([...new Set(subjects)]);
  }
}

let expected: Awaited<ReturnType<typeof tellStory>>;
beforeAll(async () => {
  const plain = await givenDisorder(undefined);
  expected = await tellStory(plain);
  expect(repeatsOfRelay(plain)).toBe(0);
  expect(expected).toMatchObject({ seats: [3, 3, 3], waiting: [], shares: 25, deadLetters: [] });
  for (const subjects of expected.mails) expect(subjects.filter((subject) => subject === "News")).toHaveLength(1);
  await close();
});

/** One seed in `npm test`; `DISORDER=<seed>` runs all service tests with another one. */
test.each([1])("in disorder (seed %i) each person gets the same mails, once, and the seats are right", async (seed) => {
  const stage = await givenDisorder(seed);
  expect(await tellStory(stage)).toEqual(expected);
  expect(repeatsOfRelay(stage)).toBeGreaterThan(0);
  await expectQuietRush(stage);
});

test("a consumer that does not note what it has sent would send twice", async () => {
  const sent: string[] = [];
  const Mail = async ({ Records }: SQSEvent) => {
    sent.push(...Records.map(({ body }) => JSON.parse(body).detail.metadata.id as string));
    return { batchItemFailures: [] };
  };
  const stage = await givenDisorder(1, { Mail, Chat: async () => ({ batchItemFailures: [] }) });
  await stage.givenEventWith(people(10, "guest"), { id: "dinner" });
  await stage.settled();
  expect(new Set(sent).size).toBe(10);
  expect(sent.length).toBeGreaterThan(10);
});
