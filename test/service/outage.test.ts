/**
 * SES refuses mails, or the chat is down. Every mail and chat message goes out afterwards, each once. Queues and SES's
 * limits use a clock that the tests move; functions, queues and their settings are those of the stage. Outages of
 * days: `test/deep/outage.test.ts`.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { allOnce, givenOutages, hour, minute, newPeople, type OutageStage } from "./outage.ts";

let outage: OutageStage;
beforeAll(async () => {
  outage = await givenOutages();
});
afterAll(() => outage.stage.close());
beforeEach(() => outage.reset());

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

test("a chat that answers 429 for a day: a redrive posts all messages, each once", async () => {
  const before = (await outage.stage.chatTexts()).length;
  const posted = async () => (await outage.stage.chatTexts()).length - before;
  const registered = newPeople(2);
  outage.stage.chat.fail(429);
  await outage.stage.givenEventWith(registered);
  await outage.pass(24 * hour, 4 * hour);
  outage.stage.chat.fail(undefined);
  expect(await posted()).toBe(0);
  expect(outage.failures()).toEqual(["ChatFailures"]);
  outage.stage.redrive("ChatFailures");
  await outage.passHours(3);
  expect(await posted()).toBe(2);
  expect(outage.failures()).toEqual([]);
});

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
