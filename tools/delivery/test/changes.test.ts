/** `npm run changes`: what it prints and writes, its exit code, and what it says when it cannot compare. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { awsError, noStack } from "../../preflight/test/account.ts";
import { changes } from "../command.ts";

const stacks = mockClient(CloudFormationClient);
const stack = "ClubEvents-staging";
const table = (key: string) => ({ Type: "AWS::DynamoDB::Table", Properties: { KeySchema: [key], Tags: ["Déjà"] } });
const alarm = (Threshold: number) => ({ Type: "AWS::CloudWatch::Alarm", Properties: { Threshold } });

let folder: string;
const file = (name: string) => join(folder, name);
beforeEach(async () => {
  stacks.reset();
  folder = await mkdtemp(join(tmpdir(), "changes-"));
  await givenAccepted([]);
});
afterEach(async () => await rm(folder, { recursive: true }));

const givenAccepted = (lines: unknown) => writeFile(file("accepted.json"), JSON.stringify(lines));
async function givenWanted(Resources: object, terminationProtection = true) {
  await writeFile(file(`${stack}.template.json`), JSON.stringify({ Resources }));
  const artifacts = { [stack]: { properties: { terminationProtection } } };
  await writeFile(file("manifest.json"), JSON.stringify({ artifacts }));
}
/** CloudFormation returns question marks where a template has accents. */
function givenDeployed(Resources: object) {
  const TemplateBody = JSON.stringify({ Resources }).replaceAll(/é|à/g, "?");
  stacks.on(GetTemplateCommand).resolves({ TemplateBody });
  stacks.on(DescribeStacksCommand).resolves({ Stacks: [{ EnableTerminationProtection: true } as never] });
}

async function run(words: readonly string[] = ["staging"], environment = {}) {
  const printed: string[] = [];
  const args = [...words, "--from", folder, "--accepted", file("accepted.json")];
  const code = await changes(args, (text) => printed.push(text), { AWS_REGION: "ca-central-1", ...environment });
  return { code, text: printed.join("\n") };
}
const acceptanceIn = (text: string) => JSON.parse(/^ +(\{.*\})$/m.exec(text)?.[1] ?? "");

test("a change is refused in words, in the summary too, until its line is in the file, and AWS refuses it as long", async () => {
  givenDeployed({ Table: table("id") });
  await givenWanted({ Table: table("email") });
  const words = ["staging", "--summary", file("summary.md"), "--policy", file("policy.json")];
  const { code, text } = await run(words);
  expect(code).toBe(1);
  expect(text).toContain("refused  Table: AWS::DynamoDB::Table is replaced by a new, empty one");
  expect(await readFile(file("summary.md"), "utf8")).toMatch(
    /^## Changes of ClubEvents-staging\n\n {4}refused {2}Table/,
  );
  expect(await readFile(file("policy.json"), "utf8")).toContain("LogicalResourceId/Table");
  const all = text.match(/\{.*\}$/gm)?.map((line) => ({ ...JSON.parse(line), reason: "It is empty." }));
  await givenAccepted(all);
  expect(await run(words)).toMatchObject({ code: 0, text: expect.stringContaining("accepted Table: ") });
  expect(await readFile(file("policy.json"), "utf8")).not.toContain("LogicalResourceId/Table");
});

test("an acceptance fits this change of this stack only, and the next pull request must remove it", async () => {
  givenDeployed({ Alarm: alarm(1) });
  await givenWanted({ Alarm: alarm(2) });
  const accepted = { ...acceptanceIn((await run()).text), reason: "It rang each day." };
  await givenAccepted([{ ...accepted, stack: "ClubEvents-production" }]);
  expect((await run()).code).toBe(1);
  await givenAccepted([accepted]);
  expect((await run()).code).toBe(0);
  await givenWanted({ Alarm: alarm(3) });
  expect((await run()).code).toBe(1);
  await givenWanted({ Alarm: alarm(1) });
  expect(await run()).toMatchObject({ code: 0, text: expect.stringContaining("idle     Alarm.Threshold") });
  expect((await run(["staging"], { GITHUB_EVENT_NAME: "pull_request" })).code).toBe(1);
});

test("a stack that could be deleted is refused; what has an accent only is no change", async () => {
  givenDeployed({ Table: table("id") });
  await givenWanted({ Table: table("id") });
  expect(await run()).toEqual({ code: 0, text: "ClubEvents-staging: nothing is refused." });
  await givenWanted({ Table: table("id") }, false);
  expect(await run()).toMatchObject({ code: 1, text: expect.stringContaining("refused  TerminationProtection: ") });
});

test("a stage that is not there is refused: perhaps account or region is a wrong one; a stack of the delivery is new", async () => {
  await givenWanted({ Table: table("id") });
  stacks.on(GetTemplateCommand).rejects(noStack);
  expect(await run()).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^There is no ClubEvents-staging in this/),
  });
  await writeFile(file("ClubDelivery.template.json"), '{"Resources":{}}');
  expect(await run(["ClubDelivery"])).toMatchObject({ code: 0 });
});

test.each<[string, readonly string[], RegExp]>([
  ["no stage", [], /^Usage/],
  ["an unknown stack", ["ClubEvents-other"], /^Usage/],
  ["an unknown flag", ["staging", "--force"], /--force.*Usage/],
])("nothing is compared with %s", async (_name, args, said) => {
  expect(await run(args)).toMatchObject({ code: 2, text: expect.stringMatching(said) });
});

test.each(["", "null", "{}", "Resources:\n  Table:"])("nothing is compared with the template %j", async (template) => {
  await givenWanted({});
  await writeFile(file(`${stack}.template.json`), template);
  expect(await run()).toMatchObject({ code: 2, text: expect.stringMatching(/is not a template in JSON\.$/) });
});

test.each([
  {},
  [{ stack, name: "Table", change: "0123456789ab", reason: " " }],
  [{ stack, name: "Table", reason: "x" }],
])("nothing is compared with the acceptance %j", async (lines) => {
  givenDeployed({});
  await givenWanted({});
  await givenAccepted(lines);
  expect(await run()).toMatchObject({ code: 2, text: expect.stringContaining("stack, name, change and reason") });
});

test.each([
  ["AccessDenied", "no permission for cloudformation:GetTemplate. allow it; docs/deploy.md"],
  ["ExpiredToken", "the credentials have expired"],
])("nothing is compared when AWS answers %s", async (name, said) => {
  await givenWanted({ Table: table("id") });
  stacks.on(GetTemplateCommand).rejects(awsError(name));
  expect(await run()).toMatchObject({ code: 2, text: expect.stringContaining(said) });
});
