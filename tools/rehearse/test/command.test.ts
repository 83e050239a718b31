/** Which stages and which emulator a rehearsal is asked for. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Given, rehearse } from "../command.ts";
import { runningEmulator } from "../emulator.ts";
import { environmentFor } from "../place.ts";

const { AWS_ENDPOINT_URL: before } = process.env;
beforeEach(() => {
  process.env.AWS_ENDPOINT_URL = "http://127.0.0.1:1";
});
afterEach(() => {
  if (before === undefined) delete process.env.AWS_ENDPOINT_URL;
  else process.env.AWS_ENDPOINT_URL = before;
});

/** Stages that are not synthesized. */
const given = { stages: [{ name: "staging" }, { name: "production" }] } as unknown as Given;

async function refusalOf(...args: readonly string[]) {
  const lines: string[] = [];
  const code = await rehearse(args, (line) => lines.push(line), given, new AbortController().signal);
  return { code, said: lines.join("\n") };
}

test.each<[string, readonly string[], string]>([
  ["an unknown stage", ["local"], 'There is no stage "local"; there are staging, production.'],
  ["two stages", ["staging", "production"], "Usage: npm run rehearse"],
])("%s is refused", async (_name, args, said) => {
  expect(await refusalOf(...args)).toEqual({ code: 2, said: expect.stringContaining(said) });
});

test.each(["https://dynamodb.us-west-2.amazonaws.com", "no address"])("%s is no emulator", async (url) => {
  process.env.AWS_ENDPOINT_URL = url;
  const said = "AWS_ENDPOINT_URL must be the address of an emulator.";
  expect(await refusalOf("staging")).toEqual({ code: 2, said });
});

test("a running emulator has the caller's region and keys, or those that emulators take", () => {
  const { endpoint, variables } = runningEmulator("http://127.0.0.1:4566/", { AWS_REGION: "eu-west-1" });
  expect(endpoint).toBe("http://127.0.0.1:4566");
  expect(variables).toMatchObject({
    AWS_REGION: "eu-west-1",
    AWS_DEFAULT_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "test",
  });
  expect(runningEmulator("http://127.0.0.1:4566", {}).variables).toMatchObject({ AWS_REGION: "us-west-2" });
});

test("nothing of the caller leads the commands to AWS, and they keep no account of a key for the next emulator", () => {
  process.env.AWS_PROFILE = "club";
  const environment = environmentFor(runningEmulator("http://127.0.0.1:4566", {}), "/folder");
  delete process.env.AWS_PROFILE;
  expect(environment).toMatchObject({ AWS_ENDPOINT_URL: "http://127.0.0.1:4566", CDK_HOME: "/folder" });
  expect(environment).not.toHaveProperty("AWS_PROFILE");
});
