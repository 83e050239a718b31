/**
 * SES refuses mails, or the chat is down. Every mail and chat message goes out afterwards, each once. Queues and SES's
 * limits use a clock that the tests move; functions, queues and their settings are those of the stage. An outage of
 * four days: `test/deep/outage.test.ts`.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { allOnce, givenOutages, hour, minute, newPeople, none, type OutageStage } from "./outage.ts";

let outage: OutageStage;
beforeAll(async () => {
  outage = await givenOutages();
}, 60_000);
afterAll(() => outage.stage.close());
beforeEach(() => outage.reset());

test("an unverified sender for a day: all mails go out by themselves within an hour of its verification", async () => {
  const [registered, listed] = [newPeople(1), newPeople(3)];
  const all = [...registered, ...listed];
  outage.account.unverifiedSender = true;
  await outage.stage.givenEventWith(registered);
  const campaign = await outage.givenCampaign(listed);
  await outage.passFirstTries();
  await outage.passHours(24);
  expect(outage.mailsOf(all)).toEqual(none(all));
  expect(await outage.progressOf(campaign)).toMatchObject({ state: "sending", failed: 0, unconfirmed: 0, pending: 3 });
  expect(outage.failures()).toEqual([]);
  outage.account.unverifiedSender = false;
  await outage.passHours(1);
  expect(outage.mailsOf(all)).toEqual(allOnce(all));
  expect(await outage.progressOf(campaign)).toMatchObject({ state: "done", sent: 3, failed: 0 });
  await outage.passHours(3);
  expect(outage.mailsOf(all)).toEqual(allOnce(all));
});

test("the sandbox: verified recipients get their mails, the others when the account has left it", async () => {
  outage.account.sandbox = true;
  const verified = ["ada@club.example", "success@simulator.amazonses.com"];
  const others = newPeople(2);
  await outage.stage.givenEventWith([others[0] as string, ...verified, others[1] as string]);
  await outage.passFirstTries();
  expect(outage.mailsOf([...verified, ...others])).toEqual([1, 1, 0, 0]);
  outage.account.sandbox = false;
  await outage.passHours(1);
  expect(outage.mailsOf([...verified, ...others])).toEqual([1, 1, 1, 1]);
});

test("the quota of a day: what does not fit waits for the next day, and nothing becomes a dead letter", async () => {
  const [registered, listed] = [newPeople(1), newPeople(4)];
  // The mails of the tests before are out of the 24 hours.
  await outage.pass(25 * hour, 25 * hour);
  outage.account.mailQuota = 3;
  const campaign = await outage.givenCampaign(listed);
  await outage.stage.settled();
  expect(await outage.progressOf(campaign)).toMatchObject({ sent: 3, failed: 0, unconfirmed: 0, pending: 1 });
  await outage.stage.givenEventWith(registered);
  await outage.passFirstTries();
  await outage.passHours(22);
  expect(outage.mailsOf(registered)).toEqual([0]);
  await outage.passHours(2);
  expect(outage.mailsOf([...registered, ...listed])).toEqual(allOnce([...registered, ...listed]));
  expect(outage.failures()).toEqual([]);
});

test("a rate of one mail in a second: all arrive, each once", async () => {
  const registered = newPeople(3);
  await outage.pass(minute, minute);
  outage.account.mailRate = 1;
  await outage.stage.givenEventWith(registered);
  await outage.stage.settled();
  expect(outage.mailsOf(registered).filter((count) => count === 1)).toHaveLength(1);
  await outage.passFirstTries();
  expect(outage.mailsOf(registered)).toEqual(allOnce(registered));
});

test.each([429, 503, 404])(
  "a chat that answers %i for a day: a redrive posts all messages, each once",
  async (status) => {
    const before = (await outage.stage.chatTexts()).length;
    const posted = async () => (await outage.stage.chatTexts()).length - before;
    const registered = newPeople(2);
    outage.stage.chat.fail(status);
    await outage.stage.givenEventWith(registered);
    await outage.pass(24 * hour, 4 * hour);
    outage.stage.chat.fail(undefined);
    expect(await posted()).toBe(0);
    expect(outage.failures()).toEqual(["ChatFailures"]);
    outage.stage.redrive("ChatFailures");
    await outage.passHours(3);
    expect(await posted()).toBe(2);
    expect(outage.failures()).toEqual([]);
  },
);

test("control: a chat that fails without saying so may have posted, and gets the message once only", async () => {
  const before = (await outage.stage.chatTexts()).length;
  outage.stage.chat.fail(500);
  await outage.stage.givenEventWith(newPeople(1));
  await outage.passHours(1);
  outage.stage.chat.fail(undefined);
  await outage.passHours(1);
  expect((await outage.stage.chatTexts()).length).toBe(before);
  expect(outage.failures()).toEqual([]);
});
