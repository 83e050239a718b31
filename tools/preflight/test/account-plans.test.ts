/** The question to the AWS command line, with a program in its place. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AccountPlans } from "../check-kit/account-plans.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "account-plans-"));
});
afterEach(() => rm(folder, { recursive: true }));

const state = () => new AccountPlans({ PATH: folder }).state();

/** `aws` on the path is this script. */
async function givenCommandLine(script: string): Promise<void> {
  await writeFile(join(folder, "aws"), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, "aws"), 0o755);
}

test("asks in the service's region, and reads the answer", async () => {
  await givenCommandLine(`printf '{"accountPlanType": "FREE", "asked": "%s"}' "$*"`);
  expect(await state()).toEqual({
    accountPlanType: "FREE",
    asked: "freetier get-account-plan-state --region us-east-1 --output json",
  });
});

test.each([
  ["An error occurred (AccessDeniedException) when calling the GetAccountPlanState operation", "AccessDeniedException"],
  ["aws: error: argument command: Invalid choice", "Error"],
])("%s", async (said, name) => {
  await givenCommandLine(`echo "${said}" >&2; exit 254`);
  await expect(state()).rejects.toMatchObject({ name });
});
