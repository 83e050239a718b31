/** Strangers make the user pool mail codes (`docs/contract.md`, "Sign-up"): what passes, what rings, who gets in meanwhile. */
import { setTimeout as pause } from "node:timers/promises";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import pMap from "p-map";
import { filters } from "../../lib/monitoring/filters.ts";
import { matchesPattern } from "../filter-pattern.ts";
import { patience } from "../patience.ts";
import { local } from "../stages.ts";
import { times } from "./given.ts";
import { askPool } from "./newcomer.ts";
import { operatorOf } from "./operator.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

const password = "First-Words-1";
const { perHour, openDomains } = local.signUps;
const [open] = openDomains;

let stage: ServiceStage;

interface Answer {
  readonly __type?: string;
  readonly message?: string;
}

async function ask(operation: string, input: object): Promise<Answer> {
  return (await (await askPool(stage, operation, input)).json()) as Answer;
}

const signUp = (email: string) =>
  ask("SignUp", { Username: email, Password: password, UserAttributes: [{ Name: "email", Value: email }] });

/** The lines that the alarm counts. */
const ringing = () => stage.logs.filter(({ text }) => matchesPattern(filters.CodesHeldBack.pattern, text));

const mailsTo = (domain: string) =>
  stage.mailbox.list().filter(({ destination }) => destination.to.some((to) => to.endsWith(domain))).length;

/** Counts of this hour and the next, in which the test may end. */
async function givenCounts(counts: Readonly<Record<string, number>>): Promise<void> {
  const hours = [Date.now(), Date.now() + 3_600_000];
  const items = hours.flatMap((time) =>
    Object.entries(counts).map(([SK, count]) => ({
      PK: `SIGNUPS#${new Date(time).toISOString().slice(0, 13)}`,
      SK,
      count,
      ttl: time / 1_000 + 7_200,
    })),
  );
  const TableName = stage.outputs.tableName;
  await Promise.all(items.map((Item) => stage.table.send(new PutCommand({ TableName, Item }))));
}

let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  stage = await givenStage({ quiet: true });
  operator = await operatorOf(stage);
});
afterAll(async () => {
  await stage.close();
  await operator.close();
});

/** What the command prints. */
const signUpIs = async (...words: readonly string[]): Promise<string> => (await operator.run("sign-up", ...words)).text;

describe("a flood", () => {
  // Its trigger has five seconds for each, also on a busy machine.
  const flood = (emails: readonly string[]) => pMap(emails, signUp, { concurrency: 4 });
  const anywhere = times(20, (number) => `bot@flood-${number}.example`);

  test("over many domains gets what is left of the hour, rings, and the open domain's people get in", async () => {
    await givenCounts({ ALL: perHour - 5 });
    const [before, linesBefore] = [stage.mailbox.list().length, ringing().length];
    await flood(anywhere);
    expect(stage.mailbox.list().length - before).toBe(5);
    // A line may arrive after the answer of its function.
    for (const end = Date.now() + patience; ringing().length - linesBefore < 15 && Date.now() < end; ) await pause(50);
    expect(ringing().length - linesBefore).toBe(15);
    await flood(times(20, (number) => `${number}-crowd@${open}`));
    expect(mailsTo(`-crowd@${open}`)).toBe(20);
  });
});

test("codes that are sent again count for the mailbox", async () => {
  const email = `again@${open}`;
  await signUp(email);
  for (let time = 0; time < 4; time += 1) await ask("ResendConfirmationCode", { Username: email });
  expect(await ask("ResendConfirmationCode", { Username: email })).toMatchObject({
    message: expect.stringMatching(/^CustomMessage failed with error Too many codes were mailed to this address\. Use/),
  });
  expect(await signUp(`again+label@${open}`)).toMatchObject({ message: expect.stringMatching(/^PreSignUp/) });
  expect(stage.mailbox.list().filter(({ destination }) => destination.to.includes(email))).toHaveLength(5);
});

test("an operator closes sign-up and opens it; Google stays open", async () => {
  await givenCounts({ "DOMAIN#busy.example": 9_000 });
  const dry = await signUpIs("close");
  expect(dry).toContain("Sign-up is open. To close it, add --apply.");
  expect(dry).toMatch(/^Mails with codes in this hour: \d+; busy\.example 9,000/m);
  expect(await signUpIs("close", "--apply")).toContain("Sign-up is closed");
  expect(await signUp(`closed@${open}`)).toMatchObject({
    message: "PreSignUp failed with error No new accounts can be made at the moment. Please try again later.",
  });
  const person = { provider: "Google", subject: "1", email: `google@${open}`, emailVerified: true } as const;
  expect(await stage.identity.federatedSignIn(person)).toHaveProperty("IdToken");
  expect(await signUpIs("open", "--apply")).toContain("Sign-up is open.");
  await signUp(`closed@${open}`);
  expect(mailsTo(`closed@${open}`)).toBe(1);
});
