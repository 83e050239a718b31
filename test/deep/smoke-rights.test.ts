/**
 * The smoke run of a stage in which a function lacks a right: it fails, and names the function and the action. A right
 * takes up to 30 seconds, all of them five minutes.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { smoke } from "../../tools/smoke/command.ts";
import { operatorOf } from "../service/operator.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";

let stage: ServiceStage;
let operator: Awaited<ReturnType<typeof operatorOf>>;
let withheld: readonly [functionName: string, action: string] | undefined;
beforeAll(async () => {
  stage = await givenStage({
    quiet: true,
    retryDelay: 100,
    withheld: (functionName, { action }) => functionName === withheld?.[0] && action === withheld[1],
  });
  operator = await operatorOf(stage);
});
afterAll(async () => {
  await stage.close();
  await operator.close();
});

/** Each with a step that fails. */
const rights: readonly (readonly [functionName: string, action: string, step: string])[] = [
  ["Registrations", "dynamodb:Query", "slash paths, token"],
  ["Events", "dynamodb:PutItem", "event"],
  ["Emails", "dynamodb:PutItem", "mail"],
  ["Users", "dynamodb:DeleteItem", "account deletion"],
  ["PaymentWebhook", "dynamodb:ConditionCheckItem", "payment"],
  ["PaymentWebhook", "dynamodb:Query", "payment"],
  ["Payments", "secretsmanager:GetSecretValue", "payment"],
  ["Presigner", "s3:PutObject", "image"],
  ["CacheHeader", "s3:GetObject", "image"],
  ["CacheHeader", "s3:PutObject", "image"],
  ["Relay", "events:PutEvents", "mail"],
  ["Campaigns", "ses:SendRawEmail", "mail"],
  ["ForgetUser", "dynamodb:Query", "account deletion"],
  ["Promoter", "dynamodb:Query", "rights"],
  ["CloseCheckout", "dynamodb:GetItem", "rights"],
];

/** Milliseconds. The longest wait of the run is 90 seconds. */
const longest = 60_000;

test.each(rights)(
  "%s without %s",
  async (functionName, action, step) => {
    withheld = [functionName, action];
    // A function keeps a secret that it has read.
    stage.restart(functionName);
    const lines: string[] = [];
    const begun = performance.now();
    const code = await smoke([operator.file], (line) => void lines.push(line));
    const milliseconds = performance.now() - begun;
    withheld = undefined;
    const failed = lines.filter((line) => line.startsWith("failed"));
    console.info(`${functionName} ${action}, ${Math.round(milliseconds / 1_000)} s:\n${failed.join("\n")}`);
    await stage.settled();
    expect({ code, text: lines.join("\n") }).toMatchObject({ code: 1 });
    const line = failed.find((one) => one.startsWith(`failed   ${step}: `));
    expect(line).toContain(functionName);
    expect(line).toContain(action);
    expect(milliseconds).toBeLessThan(longest);
  },
  2 * longest,
);
