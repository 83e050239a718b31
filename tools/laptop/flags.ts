/** The flags and variables of `npm start`, and how they are read. */
import { parseArgs } from "node:util";
import { stageProblems } from "../../lib/stage-rules.ts";
import { localStage } from "../../lib/stages.ts";
import { forgottenDashes } from "../kit/npm-flags.ts";
import type { LocalStageOptions } from "./stage/index.ts";
import { portIn } from "./stage/ports.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** @param says what `--help` says of it */
const flag = (says: string) => ({ type: "boolean", default: false, says }) as const;
const valued = (value: string, says: string) => ({ type: "string", value, says }) as const;

const usual = {
  reset: flag("start empty: delete what earlier runs kept in .local/"),
  memory: flag("keep nothing"),
  "no-seed": flag("no accounts and events to begin with"),
  from: valued(
    "folder",
    `begin with a copy of a stage (npm run ops -- export): its people get a password by the mail for a
forgotten one, or npm run -s token -- <email> <new password> --forgotten. No schedule runs:
nobody would read the mails about ended holds. Needs --reset or --memory after an earlier run`,
  ),
  watch: flag("restart functions when a source changes"),
  verbose: flag("print what the functions log"),
  help: flag("print this"),
};

const stricter = {
  concurrency: valued("n", "no more than n functions run at once (10 in a new AWS account); the others are throttled"),
  "index-lag": valued("ms", "a write appears in the indexes of the table so many milliseconds later"),
  "no-error-cors": flag("the gateway's own answers (401, 429, 5xx) have no CORS headers: pages cannot read them"),
  "unverified-sender": flag("SES refuses every mail, because the sender is not verified"),
};

const options = { ...usual, ...stricter };

interface Variable {
  readonly default: string;
  readonly says: string;
  /** The value of the stage that it sets, and what to write when that is wrong. Absent: it has a check of its own. */
  readonly sets?: readonly [value: string, advice: string];
}

const variables = {
  PORT: { default: "4000", says: "of the API; the other services take the ports after it" },
  ADMIN_EMAIL_DOMAIN: {
    default: "club.example",
    says: "a person with a verified email in this domain is an admin; empty: no admins",
    sets: ["adminEmailDomain", "Write a domain, such as club.example."],
  },
  ALLOWED_ORIGINS: {
    default: "http://localhost:3000",
    says: "origins that browsers may call from, separated by commas",
    sets: ["allowedOrigins", "Write origins, such as http://localhost:3000, without a trailing slash."],
  },
  GUESTS: {
    default: "everyone",
    says: "who may register without an account: nobody, partners or everyone",
    sets: ["guests", "Write nobody, partners or everyone."],
  },
  PUBLIC_EVENTS: { default: "true", says: "false: events are read with a token only" },
  PUBLIC_PROFILES: { default: "false", says: "true: profiles can be read without a token" },
  REFUNDS: {
    default: "by hand",
    says: "automatic: what has to be refunded is sent at once",
    sets: ["refunds", "Write automatic or by hand."],
  },
  VERIFICATION: {
    default: "code",
    says: "what the mail after a sign-up has: code or link",
    sets: ["identity.verification", "Write code or link."],
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** A line of the help, with more lines below it where its text has them. */
const helpLine = (what: string, says: string, width: number): string =>
  `  ${what.padEnd(width)}${says.replaceAll("\n", `\n${" ".repeat(width + 2)}`)}`;

const flagLines = (flags: typeof usual | typeof stricter): string =>
  Object.entries(flags)
    .map(([name, { says, ...of }]) => helpLine(`--${name}${"value" in of ? ` <${of.value}>` : ""}`, says, 21))
    .join("\n");

/** What `npm start -- --help` prints. */
export const help = `npm start -- [flags]        the whole stack on this laptop; Ctrl-C stops it

${flagLines(usual)}

Stricter, as AWS is:
${flagLines(stricter)}

Variables, with their defaults:
${Object.entries(variables)
  .map(([name, { default: value, says }]) => helpLine(`${name}=${value}`, says, 40))
  .join("\n")}

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
    port: portIn(environment.PORT ?? variables.PORT.default),
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
  for (const [name, { sets: [value, advice] = [] }] of Object.entries<Variable>(variables)) {
    const problem = value && problems.find((one) => one.startsWith(`${value}: `));
    if (problem) throw new UsageError(`${name}: ${problem.slice(value.length + 2)}. ${advice}`);
  }
}
