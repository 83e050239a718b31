/** `--mend`: the plan, what `--apply` does, and that nothing else changes anything. The alarms' subscription. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { deployStatements, driftStatements } from "../../../lib/delivery/permissions.ts";
import { changes } from "../check-kit/asking.ts";
import { alarms } from "../checks/alarms.ts";
import { preflight } from "../command.ts";
import { giveLink } from "../mends/alarm-subscription.ts";
import {
  allRequests,
  applied,
  awsError,
  clubProduction,
  clubStaging,
  given,
  givenAccount,
  planOf,
  region,
  requestsOf,
} from "./account.ts";

const topic = "arn:aws:sns:ca-central-1:123456789012:Alarms";
const link = (of: string) =>
  `https://sns.${region}.amazonaws.com/confirmation.html?TopicArn=${of}&Token=t0k3n&Endpoint=a`;

beforeEach(givenAccount);

function givenUnconfirmed(): void {
  given("ListSubscriptionsByTopic", {
    Subscriptions: [{ SubscriptionArn: "PendingConfirmation", Endpoint: "a@b.ca" }],
  });
  given("ConfirmSubscription", { SubscriptionArn: `${topic}:1` });
}

describe("the alarms' subscription", () => {
  const asked = `confirm the subscription of ${topic} by the link in ALARM_LINK, so that only the account can end it`;
  beforeEach(givenUnconfirmed);

  test("is confirmed with the account's signature", async () => {
    const given = { alarmLink: link(topic) };
    expect(await planOf(alarms, clubStaging, given)).toEqual([`plan     alarms: ${asked}.`]);
    expect(await applied(alarms, clubStaging, given)).toEqual([
      `done     alarms: the subscription of ${topic} is confirmed, and only the account can end it.`,
    ]);
    expect(requestsOf("ConfirmSubscription")).toEqual([
      { TopicArn: topic, Token: "t0k3n", AuthenticateOnUnsubscribe: "true" },
    ]);
  });

  test.each([undefined, "no link", link(`${topic}2`)])("by %s is refused, and nothing is sent", async (alarmLink) => {
    const obstacle = `there is no link of ${topic} in ALARM_LINK. Fix: ${giveLink}`;
    expect(await planOf(alarms, clubStaging, { alarmLink })).toEqual([
      `plan     alarms: ${asked}. Before that: ${obstacle}`,
    ]);
    expect(await applied(alarms, clubStaging, { alarmLink })).toEqual([`failed   alarms: ${obstacle}`]);
    expect(requestsOf("ConfirmSubscription")).toEqual([]);
  });
});

describe("the command", () => {
  async function run(...flags: string[]) {
    const lines: string[] = [];
    const stages = [clubStaging, clubProduction];
    const environment = { AWS_REGION: region, ALARM_LINK: link(topic) };
    const code = await preflight(["production", ...flags], (line) => lines.push(line), environment, stages);
    return { code, lines: lines.filter((line) => !line.startsWith("ok")).map((line) => line.split(":")[0]) };
  }
  const writes = () => allRequests().filter((name) => !/^(?:Get|Describe|List)/.test(name));
  beforeEach(givenUnconfirmed);

  test("plans and changes nothing", async () => {
    expect(await run("--mend")).toEqual({
      code: 1,
      lines: ["problem  alarms", "plan     alarms", "1 problem, 0 warnings. 1 change planned; --apply makes them."],
    });
    expect(writes()).toEqual([]);
  });

  test("control: with --apply the same account gets the request", async () => {
    expect(await run("--mend", "--apply")).toEqual({
      code: 0,
      lines: ["problem  alarms", "done     alarms", "1 problem, 0 warnings. Of 1 change, 1 done."],
    });
    expect(writes()).toEqual(["ConfirmSubscriptionCommand"]);
  });

  test("a failed change is exit code 1, and the next one is made", async () => {
    // There is no key for the payment provider.
    given("GetSecretValue", ({ SecretId = "" }) =>
      SecretId.endsWith("payments") ? awsError("ResourceNotFoundException") : { SecretString: "https://hooks.test" },
    );
    const { code, lines } = await run("--mend", "--apply");
    expect(lines.slice(-3)).toEqual([
      "failed   payments",
      "done     alarms",
      "2 problems, 0 warnings. Of 2 changes, 1 done.",
    ]);
    expect(code).toBe(1);
  });

  test("no role of the delivery may change anything", () => {
    const place = { account: "123456789012", region };
    const roles = [clubStaging, clubProduction].flatMap((stage) => deployStatements(stage, place));
    const allowed = new Set(roles.flatMap(({ actions = [] }) => actions));
    expect(allowed.size).toBeGreaterThan(10);
    expect(changes.filter((action) => allowed.has(action))).toEqual([]);
    const drift = driftStatements().flatMap(({ actions = [] }) => actions);
    expect(changes.filter((action) => drift.includes(action))).toEqual([]);
  });
});
