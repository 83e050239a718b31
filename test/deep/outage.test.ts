/** SES refuses all mails for the rest of a day, and for longer than the later tries last. */
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { allOnce, givenOutages, hour, newPeople, none, type OutageStage } from "../service/outage.ts";

let outage: OutageStage;
beforeAll(async () => {
  outage = await givenOutages();
});
afterAll(() => outage.stage.close());
beforeEach(() => outage.reset());

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

test("an unverified sender for four days: all mails are dead letters, and a redrive sends them", async () => {
  const all = newPeople(2);
  const [registered, listed] = all as [string, string];
  outage.account.unverifiedSender = true;
  await outage.stage.givenEventWith([registered]);
  await outage.givenCampaign([listed]);
  await outage.passFirstTries();
  await outage.passHours(72);
  expect(outage.failures()).toEqual(["CampaignsFailures", "MailFailures"]);
  outage.account.unverifiedSender = false;
  await outage.passHours(24);
  expect(outage.mailsOf(all)).toEqual(none(all));
  for (const queue of outage.failures()) outage.stage.redrive(queue);
  await outage.stage.settled();
  expect(outage.mailsOf(all)).toEqual(allOnce(all));
  expect(outage.failures()).toEqual([]);
});
