/** SES refuses all mails for longer than the later tries last. */
import { expect, test } from "@jest/globals";
import { allOnce, givenOutages, newPeople, none } from "../service/outage.ts";

test("an unverified sender for four days: all mails are dead letters, and a redrive sends them", async () => {
  const outage = await givenOutages();
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
  await outage.stage.close();
}, 120_000);
