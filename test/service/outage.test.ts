/**
 * SES refuses mails, or the chat is down. Every mail and chat message goes out afterwards, each once. Queues and SES's
 * limits use a clock that the tests move; functions, queues and their settings are those of the stage.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { MailAccount } from "../../lib/local/mailbox/account.ts";
import { fakeClock } from "../unit/local-time.ts";
import { exec, newEmail, newEventId, times } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

const minute = 60_000;
const hour = 60 * minute;

type Changing<T> = { -readonly [Key in keyof T]?: T[Key] };
const account: Changing<MailAccount> = {};
const clock = fakeClock();
let stage: ServiceStage;

beforeAll(async () => {
  stage = await givenStage({ quiet: true, clock, mailAccount: account });
}, 60_000);
afterAll(() => stage.close());
beforeEach(() => {
  expect(stage.deadLetters()).toEqual([]);
  for (const name of Object.keys(account)) delete account[name as keyof MailAccount];
});

/** Moves the clock in steps. A message that comes back after a step is handled before the next step. */
async function pass(milliseconds: number, step: number): Promise<void> {
  await stage.settled();
  for (let passed = 0; passed < milliseconds; passed += step) {
    clock.advance(step);
    await stage.settled();
  }
}
/** The time of all tries of a message before the later ones. */
const passFirstTries = () => pass(100 * minute, 20 * minute);
const passHours = (hours: number) => pass(hours * hour, hour);

async function givenCampaign(emails: readonly string[]): Promise<string> {
  const templateName = `News_${newEventId()}`.replace(/[^\w-]/g, "");
  const template = { templateName, subject: "News", html: "<p>Hi</p>", text: "Hi" };
  expect((await stage.api("POST", "/emails/templates", { as: exec, body: template })).status).toBe(201);
  const body = { templateName, audience: { emails } };
  return (await stage.api("POST", "/emails/send", { as: exec, body })).body.campaignId;
}
const progressOf = async (id: string) => (await stage.api("GET", `/emails/campaigns/${id}`, { as: exec })).body;

/** The number of mails that each of these people got. */
const mailsOf = (emails: readonly string[]): number[] => emails.map((email) => stage.mailsTo(email).length);
const allOnce = (emails: readonly string[]): number[] => emails.map(() => 1);
const none = (emails: readonly string[]): number[] => emails.map(() => 0);
/** Names of the dead-letter queues with messages. */
const failures = () => [...new Set(stage.deadLetters().map(({ queue }) => queue))].sort();

/** People whom no other test knows. */
const people = (count: number): string[] => times(count, () => newEmail());

test("an unverified sender for a day: all mails go out by themselves within an hour of its verification", async () => {
  const [registered, listed] = [people(1), people(3)];
  const all = [...registered, ...listed];
  account.unverifiedSender = true;
  await stage.givenEventWith(registered);
  const campaign = await givenCampaign(listed);
  await passFirstTries();
  await passHours(24);
  expect(mailsOf(all)).toEqual(none(all));
  expect(await progressOf(campaign)).toMatchObject({ state: "sending", failed: 0, unconfirmed: 0, pending: 3 });
  expect(failures()).toEqual([]);
  account.unverifiedSender = false;
  await passHours(1);
  expect(mailsOf(all)).toEqual(allOnce(all));
  expect(await progressOf(campaign)).toMatchObject({ state: "done", sent: 3, failed: 0 });
  await passHours(3);
  expect(mailsOf(all)).toEqual(allOnce(all));
});

test("an unverified sender for four days: all mails are dead letters, and a redrive sends them", async () => {
  const all = people(2);
  const [registered, listed] = all as [string, string];
  account.unverifiedSender = true;
  await stage.givenEventWith([registered]);
  await givenCampaign([listed]);
  await passFirstTries();
  await passHours(72);
  expect(failures()).toEqual(["CampaignsFailures", "MailFailures"]);
  account.unverifiedSender = false;
  await passHours(24);
  expect(mailsOf(all)).toEqual(none(all));
  for (const queue of failures()) stage.redrive(queue);
  await stage.settled();
  expect(mailsOf(all)).toEqual(allOnce(all));
  expect(failures()).toEqual([]);
});

test("the sandbox: verified recipients get their mails, the others when the account has left it", async () => {
  account.sandbox = true;
  const verified = ["ada@club.example", "success@simulator.amazonses.com"];
  const others = people(2);
  await stage.givenEventWith([others[0] as string, ...verified, others[1] as string]);
  await passFirstTries();
  expect(mailsOf([...verified, ...others])).toEqual([1, 1, 0, 0]);
  account.sandbox = false;
  await passHours(1);
  expect(mailsOf([...verified, ...others])).toEqual([1, 1, 1, 1]);
});

test("the quota of a day: what does not fit waits for the next day, and nothing becomes a dead letter", async () => {
  const [registered, listed] = [people(1), people(4)];
  // The mails of the tests before are out of the 24 hours.
  await pass(25 * hour, 25 * hour);
  account.mailQuota = 3;
  const campaign = await givenCampaign(listed);
  await stage.settled();
  expect(await progressOf(campaign)).toMatchObject({ sent: 3, failed: 0, unconfirmed: 0, pending: 1 });
  await stage.givenEventWith(registered);
  await passFirstTries();
  await passHours(22);
  expect(mailsOf(registered)).toEqual([0]);
  await passHours(2);
  expect(mailsOf([...registered, ...listed])).toEqual(allOnce([...registered, ...listed]));
  expect(failures()).toEqual([]);
});

test("a rate of one mail in a second: all arrive, each once", async () => {
  const registered = people(3);
  await pass(minute, minute);
  account.mailRate = 1;
  await stage.givenEventWith(registered);
  await stage.settled();
  expect(mailsOf(registered).filter((count) => count === 1)).toHaveLength(1);
  await passFirstTries();
  expect(mailsOf(registered)).toEqual(allOnce(registered));
});

test.each([429, 503, 404])(
  "a chat that answers %i for a day: a redrive posts all messages, each once",
  async (status) => {
    const before = (await stage.chatTexts()).length;
    const posted = async () => (await stage.chatTexts()).length - before;
    const registered = people(2);
    stage.chat.fail(status);
    await stage.givenEventWith(registered);
    await pass(24 * hour, 4 * hour);
    stage.chat.fail(undefined);
    expect(await posted()).toBe(0);
    expect(failures()).toEqual(["ChatFailures"]);
    stage.redrive("ChatFailures");
    await passHours(3);
    expect(await posted()).toBe(2);
    expect(failures()).toEqual([]);
  },
);

test("control: a chat that fails without saying so may have posted, and gets the message once only", async () => {
  const before = (await stage.chatTexts()).length;
  stage.chat.fail(500);
  await stage.givenEventWith(people(1));
  await passHours(1);
  stage.chat.fail(undefined);
  await passHours(1);
  expect((await stage.chatTexts()).length).toBe(before);
  expect(failures()).toEqual([]);
});
