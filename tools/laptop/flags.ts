/** The flags and variables of `npm start`, and how they are read. */
import { parseArgs } from "node:util";
import { stageProblems } from "../../lib/stage-rules.ts";
import { localStage } from "../../lib/stages.ts";
import { forgottenDashes } from "../kit/npm-flags.ts";
import type { LocalStageOptions } from "./stage/index.ts";
import { portIn } from "./stage/ports.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const boolean = { type: "boolean", default: false } as const;
const string = { type: "string" } as const;

const options = {
  reset: boolean,
  memory: boolean,
  "no-seed": boolean,
  from: string,
  watch: boolean,
  verbose: boolean,
  concurrency: string,
  "index-lag": string,
  "no-error-cors": boolean,
  "unverified-sender": boolean,
  help: boolean,
} as const;

/** All flags, without `--`. */
export const flagNames: readonly string[] = Object.keys(options);

/** What `npm start -- --help` prints. */
export const help = `npm start -- [flags]        the whole stack on this laptop; Ctrl-C stops it

  --reset              start empty: delete what earlier runs kept in .local/
  --memory             keep nothing
  --no-seed            no accounts and events to begin with
  --from <folder>      begin with a copy of a stage (npm run ops -- export): its people get a password by the mail for a
                       forgotten one, or npm run -s token -- <email> <new password> --forgotten. No schedule runs:
                       nobody would read the mails about ended holds. Needs --reset or --memory after an earlier run
  --watch              restart functions when a source changes
  --verbose            print what the functions log
  --help               print this

Stricter, as AWS is:
  --concurrency <n>    no more than n functions run at once (10 in a new AWS account); the others are throttled
  --index-lag <ms>     a write appears in the indexes of the table so many milliseconds later
  --no-error-cors      the gateway's own answers (401, 429, 5xx) have no CORS headers: pages cannot read them

  --unverified-sender  SES refuses every mail, because the sender is not verified

Variables, with their defaults:
  PORT=4000                               of the API; the other services take the ports after it
  ADMIN_EMAIL_DOMAIN=club.example         a person with a verified email in this domain is an admin; empty: no admins
  ALLOWED_ORIGINS=http://localhost:3000   origins that browsers may call from, separated by commas
  PUBLIC_EVENTS=false                     true: events can be read without a token
  PUBLIC_PROFILES=false                   true: profiles can be read without a token
  REFUNDS=by hand                         automatic: what has to be refunded is sent at once
  VERIFICATION=code                       what the mail after a sign-up has: code or link

Example: PORT=5000 npm start -- --reset --index-lag 200`;

/** A wrong flag or variable. The developer sees the message without a stack. */
export class UsageError extends Error {}

/** What the developer asked for. */
export interface StageCommand {
  readonly stage: Required<Pick<LocalStageOptions, "port">> & Omit<LocalStageOptions, "assembly" | "directory">;
  /** Whether data of earlier runs are deleted. */
  readonly reset: boolean;
  /** Whether changed functions are bundled again. */
  readonly watch: boolean;
  /** Folder of the copy that the stage begins with. */
  readonly from: string | undefined;
  /** Whether only the help is printed. */
  readonly help: boolean;
}

/**
 * Reads flags and variables.
 * @throws UsageError, WrongPort
 */
export function stageCommand(args: readonly string[], environment: Environment = process.env): StageCommand {
  const forgotten = forgottenDashes("start", args, options, environment);
  if (forgotten !== undefined) throw new UsageError(forgotten);
  const { reset, watch, from, help, ...flags } = flagsIn(args);
  const stage = {
    port: portIn(environment.PORT ?? "4000"),
    memory: flags.memory,
    verbose: flags.verbose,
    seed: !flags["no-seed"],
    concurrency: countIn("concurrency", flags.concurrency),
    indexLag: countIn("index-lag", flags["index-lag"]),
    errorCors: !flags["no-error-cors"],
    mailAccount: { unverifiedSender: flags["unverified-sender"] },
  };
  assertVariables(environment);
  return { stage, reset, watch, from, help };
}

function flagsIn(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options }).values;
  } catch (problem) {
    throw new UsageError(flagProblem(problem as NodeJS.ErrnoException));
  }
}

/** The message of `parseArgs` without its advice, which fits other commands. */
function flagProblem({ code, message }: NodeJS.ErrnoException): string {
  const [quoted] = /(?<=')[^']+(?=')/.exec(message) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return `There is no flag ${quoted}; npm start -- --help lists all.`;
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") {
    return `"${quoted}" is no flag, flags begin with --; npm start -- --help lists all.`;
  }
  const needs = message.includes("does not take")
    ? "takes no value"
    : quoted?.startsWith("--from")
      ? "needs a folder"
      : "needs a number";
  return `${quoted?.split(" ")[0]} ${needs}; npm start -- --help explains it.`;
}

/** @throws UsageError when the text is no whole number above 0 */
function countIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new UsageError(
      `--${name} is "${text}", not a whole number from 1 to 999999; npm start -- --help explains it.`,
    );
  }
  return Number(text);
}

/** The variables that go into the values of the stage, by the name of the value. */
const variables = {
  adminEmailDomain: ["ADMIN_EMAIL_DOMAIN", "Write a domain, such as club.example."],
  "identity.verification": ["VERIFICATION", "Write code or link."],
  refunds: ["REFUNDS", "Write automatic or by hand."],
  allowedOrigins: ["ALLOWED_ORIGINS", "Write origins, such as http://localhost:3000, without a trailing slash."],
} as const;

/**
 * The synthesis would refuse wrong values too, but only after the build and with all that it says about a stage.
 * @throws UsageError
 */
function assertVariables(environment: Environment): void {
  for (const variable of ["PUBLIC_EVENTS", "PUBLIC_PROFILES"]) {
    const value = environment[variable] ?? "false";
    if (value !== "true" && value !== "false") throw new UsageError(`${variable} is "${value}". Write true or false.`);
  }
  const problems = stageProblems(localStage(environment));
  for (const [value, [variable, advice]] of Object.entries(variables)) {
    const problem = problems.find((one) => one.startsWith(`${value}: `));
    if (problem) throw new UsageError(`${variable}: ${problem.slice(value.length + 2)}. ${advice}`);
  }
}
