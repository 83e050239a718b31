/** Flags and variables of `npm start`, and flags that npm kept for itself. */
import { expect, test } from "@jest/globals";
import { localStage, type NewPool } from "../../../lib/stages.ts";
import { help, stageCommand, UsageError } from "../flags.ts";
import { WrongPort } from "../stage/ports.ts";

/** The sentence with which the command is refused. */
function refusal(args: readonly string[], environment: Record<string, string> = {}): string {
  try {
    stageCommand(args, environment);
  } catch (problem) {
    expect([UsageError, WrongPort]).toContain((problem as Error).constructor);
    return (problem as Error).message;
  }
  throw new Error("The command was not refused.");
}

test("flags and variables arrive", () => {
  const args = [
    "--reset",
    "--watch",
    "--no-seed",
    "--concurrency",
    "3",
    "--index-lag=200",
    "--no-error-cors",
    "--unverified-sender",
  ];
  const { stage, reset, watch } = stageCommand(args, { PORT: "5000" });
  expect({ reset, watch }).toEqual({ reset: true, watch: true });
  const strict = { indexLag: 200, concurrency: 3, errorCors: false, mailAccount: { unverifiedSender: true } };
  expect(stage).toMatchObject({ port: 5000, seed: false, ...strict });
});

test.each([
  [["--frobnicate"], "There is no flag --frobnicate;"],
  [["reset"], '"reset" is no flag, flags begin with --;'],
  [["--index-lag"], "--index-lag needs a number;"],
  [["--index-lag", "many"], '--index-lag is "many", not a whole number from 1 to 999999;'],
  [["--concurrency", "0"], '--concurrency is "0", not a whole number from 1 to 999999;'],
  [["--memory=yes"], "--memory takes no value;"],
])("%j is refused in one sentence", (args, sentence) => {
  const said = refusal(args);
  expect(said).toContain(sentence);
  expect(said).toMatch(/^[^\n]*; npm start -- --help [a-z ]+\.$/);
});

/** A wrong value of each variable, and the start of the sentence that says so. */
test.each([
  ["ADMIN_EMAIL_DOMAIN", "@club.example", / is no lower-case domain .*\. Write a domain, such as club\.example\.$/],
  ["ALLOWED_ORIGINS", "http://localhost:3000/", / Write origins, such as http:\/\/localhost:3000, without a trailing/],
  ["VERIFICATION", "sms", / is neither code nor link\. Write code or link\.$/],
  ["REFUNDS", "auto", / is neither automatic nor by hand\. Write automatic or by hand\.$/],
  ["PUBLIC_EVENTS", "yes", /^PUBLIC_EVENTS is "yes"\. Write true or false\.$/],
])("%s=%s is refused", (name, value, sentence) => {
  const said = refusal([], { [name]: value });
  expect(said).toMatch(sentence);
  expect(said).toMatch(new RegExp(`^${name}:? .*"${value}"`));
});

test("the help has the flags with their values, and the variables with the stage's defaults", () => {
  expect(help).toMatch(/^ {2}--from <folder> {6}begin with [^\n]*\n {23}\S/m);
  const { port } = stageCommand([], {}).stage;
  const { adminEmailDomain, allowedOrigins, identity } = localStage({});
  for (const line of [
    `PORT=${port} `,
    `ADMIN_EMAIL_DOMAIN=${adminEmailDomain} `,
    `ALLOWED_ORIGINS=${allowedOrigins} `,
    `VERIFICATION=${(identity as NewPool).verification} `,
  ]) {
    expect(help).toContain(line);
  }
});

test.each([
  [{ npm_config_reset: "true" }, [], "--reset for itself", "npm start -- --reset"],
  [{ npm_config_index_lag: "true" }, ["3"], "--index-lag for", "npm start -- --index-lag 3"],
])("flags that npm kept: %j", (variables, args, kept, command) => {
  const said = refusal(args, { npm_lifecycle_event: "start", ...variables });
  expect(said).toContain(`npm kept ${kept}`);
  expect(said).toMatch(new RegExp(`^[^\\n]*\\. Write: ${command}$`));
});
