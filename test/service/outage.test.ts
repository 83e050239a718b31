/**
 * SES refuses mails, or the chat is down. Every mail and chat message goes out afterwards, each once. Queues and SES's
 * limits use a clock that the tests move; functions, queues and their settings are those of the stage. Outages of
 * days: `test/deep/outage.test.ts`.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import pMap from "p-map";
import type { Email } from "../../tools/laptop/mailbox/index.ts";
import { allOnce, givenOutages, hour, minute, newPeople, type OutageStage } from "./outage.ts";

let outage: OutageStage;
beforeAll(async () => {
  outage = await givenOutages();
});
afterAll(() => outage.stage.close());
beforeEach(() => outage.reset());

/** The calendar file of a mail, or an empty text. */
function calendarOf(mail: Email | undefined): string {
  const file = mail?.attachments.find(({ contentType }) => contentType.startsWith("text/calendar"));
  return file ? Buffer.from(file.content, "base64").toString("utf8") : "";
}

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

test("twelve people are rejected while SES is down, and the event is deleted at once: each hears once, and calendars too", async () => {
  const { stage, account } = outage;
  // More than the entries of one call to the bus.
  const rejected = newPeople(12);
  const [visitor = ""] = newPeople(1);
  const id = await stage.givenEvent({ isApplicationBased: true });
  // One request for each person: a slow machine does not get through so many rows in the time of one request.
  const move = (emails: readonly string[], status: string) =>
    pMap(
      emails,
      async (email) => expect([email, (await stage.moveTo(id, email, status)).status]).toEqual([email, 200]),
      {
        concurrency: 4,
      },
    );
  await pMap(rejected, (email) => stage.registerByAdmin(id, email), { concurrency: 4 });
  await move(rejected, "accepted");
  await outage.passFirstTries();
  const before = outage.mailsOf(rejected);
  account.unverifiedSender = true;
  await stage.registerByAdmin(id, visitor);
  await move([visitor], "accepted");
  await move([visitor], "checkedIn");
  await move(rejected, "rejected");
  await stage.deleteEvent(id, "?force=true");
  await outage.pass(hour, 20 * minute);
  account.unverifiedSender = false;
  await outage.passHours(6);
  expect((await stage.storedRegistration(id, visitor))?.status).toBe("deleted");
  expect(outage.mailsOf(rejected).map((count, at) => count - (before[at] ?? 0))).toEqual(allOnce(rejected));
  const withoutCancel = rejected.filter((email) => !calendarOf(stage.mailsTo(email).at(-1)).includes("METHOD:CANCEL"));
  expect(withoutCancel).toEqual([]);
  expect(stage.mailsTo(visitor).length).toBeGreaterThan(0);
  expect(outage.failures()).toEqual([]);
}, 180_000);

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
