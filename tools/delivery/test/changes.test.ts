/** `npm run changes`: what it prints and writes, its exit code, and what it says when it cannot compare. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudFormationClient, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { awsError, noStack } from "../../preflight/test/account.ts";
import { changes } from "../command.ts";

const stacks = mockClient(CloudFormationClient);

const table = (key: string, policy = "Retain") => ({
  Type: "AWS::DynamoDB::Table",
  Properties: { KeySchema: [{ AttributeName: key, KeyType: "HASH" }], Tags: [{ Key: "```", Value: "Déjà" }] },
  DeletionPolicy: policy,
});
const queue = (seconds: number) => ({ Type: "AWS::SQS::Queue", Properties: { VisibilityTimeout: seconds } });

let folder: string;
beforeEach(async () => {
  stacks.reset();
  folder = await mkdtemp(join(tmpdir(), "changes-"));
});
afterEach(async () => await rm(folder, { recursive: true }));

const givenWanted = (Resources: object) =>
  writeFile(join(folder, "ClubEvents-staging.template.json"), JSON.stringify({ Resources }));
/** CloudFormation returns question marks where a template has accents. */
const givenDeployed = (Resources: object) =>
  stacks.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify({ Resources }).replaceAll(/é|à/g, "?") });

async function run(args: readonly string[] = [], environment = {}) {
  const printed: string[] = [];
  const words = ["staging", "--from", folder, ...args];
  const code = await changes(words, (text) => printed.push(text), { AWS_REGION: "ca-central-1", ...environment });
  return { code, text: printed.join("\n") };
}

const lostTable =
  "Table, AWS::DynamoDB::Table, would be replaced by a new, empty one (KeySchema): it holds all records; its policy says that it stays.";

describe("a change", () => {
  test("that loses something is refused in words, and in the summary too", async () => {
    await givenWanted({ Table: table("email") });
    givenDeployed({ Table: table("id"), Queue: queue(1_024) });
    const summary = join(folder, "summary.md");
    const { code, text } = await run(["--summary", summary]);
    expect(code).toBe(1);
    expect(text).toContain(`\nrefused  ${lostTable}\n`);
    expect(text).toContain("\nrefused  Queue, AWS::SQS::Queue, would be deleted: it holds messages that wait.\n");
    const written = await readFile(summary, "utf8");
    expect(written).toMatch(/^## Changes of staging\n\n- refused {2}Queue[\s\S]*\n- refused {2}Table/);
    expect(written).toContain("requires replacement");
  });

  test("that is meant is accepted by its name, and only by that", async () => {
    await givenWanted({ Table: table("email") });
    givenDeployed({ Table: table("id"), Queue: queue(1_024) });
    expect((await run(["--accept", "Table"])).code).toBe(1);
    expect((await run(["--accept", "table", "--accept", "Queue"])).code).toBe(1);
    const both = await run([], { ACCEPTED_LOSSES: "Table, Queue" });
    expect(both.code).toBe(0);
    expect(both.text).toContain(`\naccepted ${lostTable}\n`);
    expect((await run([], { ACCEPTED_LOSSES: "" })).code).toBe(1);
    await givenWanted({ Table: table("id"), Queue: queue(1_024) });
    const idle = await run([], { ACCEPTED_LOSSES: "Table" });
    expect(idle).toMatchObject({ code: 0, text: expect.stringContaining("\nidle     Table accepts nothing now.") });
  });
});

describe("a change of what stays", () => {
  const settings = (more: object) => ({ ...table("id"), Properties: { ...table("id").Properties, ...more } });

  test("is refused by its property, which --accept names", async () => {
    givenDeployed({ Table: settings({ DeletionProtectionEnabled: true }) });
    await givenWanted({ Table: settings({ DeletionProtectionEnabled: false }) });
    const name = "Table.DeletionProtectionEnabled";
    const { code, text } = await run();
    expect(code).toBe(1);
    expect(text).toContain(`\nrefused  ${name}, AWS::DynamoDB::Table: its deletion protection would be turned off. `);
    expect(text).toMatch(/\nClubEvents-staging: refused: 1\. .*--accept <name>\.$/);
    // An operator who accepts the loss of the table has not accepted this, and the other way round.
    expect((await run(["--accept", "Table"])).code).toBe(1);
    const accepted = await run([], { ACCEPTED_LOSSES: name });
    expect(accepted.code).toBe(0);
    expect(accepted.text).toContain(`\naccepted ${name}, `);
    await givenWanted({ Table: table("email") });
    expect((await run(["--accept", name])).code).toBe(1);
  });
});

describe("a stack that is not there", () => {
  beforeEach(async () => {
    await givenWanted({ Table: table("id") });
    stacks.on(GetTemplateCommand).rejects(noStack);
  });

  test("is refused: perhaps the account, the region or the name is a wrong one", async () => {
    expect(await run()).toEqual({
      code: 1,
      text: "There is no ClubEvents-staging in this account and region. A first deploy is made by hand (docs/deploy.md).",
    });
  });
});

describe("nothing is compared", () => {
  test.each<[string, readonly string[], RegExp]>([
    ["without a stage", [], /^Usage/],
    ["with an unknown flag", ["staging", "--force"], /--force.*Usage/],
  ])("%s", async (_name, args, said) => {
    const printed: string[] = [];
    expect(await changes(args, (text) => printed.push(text), { AWS_REGION: "x" })).toBe(2);
    expect(printed.join()).toMatch(said);
  });

  test.each(["", "null", "{}", "Resources:\n  Table:"])("with %j in place of the new template", async (template) => {
    await writeFile(join(folder, "ClubEvents-staging.template.json"), template);
    expect(await run()).toMatchObject({ code: 2, text: expect.stringMatching(/is not a template in JSON\.$/) });
  });

  test.each([
    ["AccessDenied", "no permission for cloudformation:GetTemplate. allow it; docs/deploy.md"],
    ["ExpiredToken", "the credentials have expired"],
    ["CredentialsProviderError", "there are no credentials"],
  ])("when AWS answers %s", async (name, said) => {
    await givenWanted({ Table: table("id") });
    stacks.on(GetTemplateCommand).rejects(awsError(name));
    const { code, text } = await run();
    expect(code).toBe(2);
    expect(text).toContain(said);
  });
});
