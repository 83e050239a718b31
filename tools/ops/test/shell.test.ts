/** The shell of the runbook: what `ops env` prints, and that every block of the runbook is one. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { targetIn } from "../../kit/target.ts";
import type { Run } from "../run.ts";
import { shell } from "../shell.ts";

const open: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of open) await close();
});

const laptop = {
  apiUrl: "http://127.0.0.1:4710",
  region: "us-west-2",
  userPoolId: "us-west-2_ClubLocal",
  tableName: "Table",
  dynamodbUrl: "http://127.0.0.1:4712",
  identityUrl: "http://127.0.0.1:4711",
  adminEmailDomain: "club.example",
};
const deployed = {
  "ClubEvents-production": { ApiUrl: "https://api.example", TableName: "Table", UserPoolId: "ca-central-1_A" },
};

/** What `ops env` prints for a stage with these outputs. */
async function printedFor(outputs: object): Promise<string> {
  const file = join(await givenFolder(open), "it's outputs.json");
  await writeFile(file, JSON.stringify(outputs));
  const lines: string[] = [];
  const terminal = { print: (line: string) => void lines.push(line), note: () => undefined };
  const run = { target: await targetIn(file), terminal, flags: { "stage-outputs": file } };
  expect(await shell(run as unknown as Run)).toBe(0);
  return lines.join("\n");
}

const bash = async (script: string): Promise<string> =>
  (await promisify(execFile)("bash", ["-euc", `npm() { echo TOKEN; }; ${script}`])).stdout.trim();

describe.each([
  ["the laptop", laptop, "ClubEvents-local http://127.0.0.1:4710 Table us-west-2_ClubLocal us-west-2 us-west-2"],
  ["AWS", deployed, "ClubEvents-production https://api.example Table ca-central-1_A ca-central-1 ca-central-1"],
])("%s", (name, outputs, expected) => {
  test("has the variables that the runbook uses", async () => {
    const printed = await printedFor(outputs);
    const shown = `echo "$stack $api $table $pool $AWS_REGION $AWS_DEFAULT_REGION"`;
    expect(await bash(`${printed}\n${shown}`)).toBe(expected);
    if (name === "the laptop") expect(await bash(`${printed}\necho "$admin"`)).toBe("authorization: Bearer TOKEN");
  });

  test("has the functions that the runbook uses", async () => {
    const printed = await printedFor(outputs);
    const functions = ["ops", "call", "changes", "resource", "mapping"];
    expect(await bash(`${printed}\ndeclare -F ${functions.join(" ")}`)).toBe(functions.join("\n"));
  });
});

const runbook = readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
const blocks = [...runbook.matchAll(/^( *)```sh\n([\s\S]*?)^ *```/gm)].map(([, , block]) =>
  // What a person fills in: `<id>`.
  String(block).replaceAll(/<[\w ]+>/g, "x"),
);

test.each(blocks.map((block, nth) => [nth, block] as const))(
  "block %i of the runbook is a script",
  async (_, block) => {
    await promisify(execFile)("bash", ["-n", "-c", block]);
  },
);
