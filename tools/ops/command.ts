/** `npm run ops -- <command>`: what an operator asks of a running stage (docs/runbook.md). */
import { passphraseVariable } from "../kit/copy/passphrase.ts";
import { commandWords, forgottenDashes, type Options } from "../kit/npm-flags.ts";
import { UsageError } from "../kit/outputs.ts";
import { whyNot } from "./failures.ts";
import { repairs } from "./invariants/kinds.ts";
import type { Run } from "./run.ts";
import { type Target, targetIn } from "./target.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export type { ExitCode } from "./terminal.ts";

interface Command {
  /** The arguments and flags after the command's name. */
  readonly use: string;
  readonly says: string;
  /** More lines of its help. */
  readonly help: readonly string[];
  readonly flags?: Options;
  /** The number of arguments. */
  readonly words: number;
  /** Of further ones, which may be absent. */
  readonly moreWords?: number;
  /** Read units a second, unless the operator names another rate. Absent: as fast as the table answers. */
  readonly rate?: number;
  readonly load: () => Promise<(run: Run) => Promise<ExitCode>>;
}

/**
 * Read units a second of an export: 1 MB. A rush keeps at least nine tenths of what each partition of the table answers
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html).
 */
const exportRate = 250;

/** Units a second of a restore: a new table takes four times as many (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html). */
const restoreRate = 1_000;

const applied = { apply: { type: "boolean" } } as const;
const applyHelp = "--apply               do it; without it the command only says what it would do";

export const commands: Readonly<Record<string, Command>> = {
  check: {
    use: "",
    says: "checks all invariants over the whole table, and writes nothing",
    help: ["Exit code 1: something is wrong. Below each kind of finding stands what resolves it."],
    words: 0,
    load: async () => (await import("./check.ts")).check,
  },
  repair: {
    use: "[--apply]",
    says: "fixes what can be fixed automatically of what check finds",
    help: [
      applyHelp,
      ...Object.entries(repairs).map(([name, does]) => `${name.padEnd(21)} ${does}`),
      "Each repair is conditional on unchanged inputs, so it may run while people use the stage, and again.",
      "Exit code 1: something is left, or would be done.",
    ],
    flags: applied,
    words: 0,
    load: async () => (await import("./repair.ts")).repair,
  },
  replay: {
    use: "--from <time> [--to <time>] [--type <beginning>] [--archive [--consumer <name>]] [--repeat-mails] [--apply]",
    says: "sends messages to the bus again: rows of the outbox, or the bus's archive",
    help: [
      applyHelp,
      "--from, --to          ISO 8601 with an offset, or <number>m, h or d before now; --to is now when absent",
      "--type                only messages whose type begins so, such as registration. or payment.refundRequired",
      "--archive             start a replay of the archive of the bus instead, in AWS only",
      "--consumer            with --archive: only to the rules of this consumer, such as Mail",
      "--repeat-mails        go back further than 29 days: mails and chat messages of then are sent a second time",
    ],
    flags: {
      ...applied,
      from: { type: "string" },
      to: { type: "string" },
      type: { type: "string" },
      archive: { type: "boolean" },
      consumer: { type: "string" },
      "repeat-mails": { type: "boolean" },
    },
    words: 0,
    load: async () => (await import("./replay.ts")).replay,
  },
  redrive: {
    use: "[--queue <name>] [--apply]",
    says: "moves dead letters back to where they came from",
    help: [applyHelp, "--queue               only this queue, such as MailFailures; absent: all"],
    flags: { ...applied, queue: { type: "string" } },
    words: 0,
    load: async () => (await import("./redrive.ts")).redrive,
  },
  promote: {
    use: "<event id> <year> [--apply]",
    says: "gives the free seats of an event to the people in its line",
    help: [applyHelp, "Exit code 1: people would get a seat, or the stage was too busy."],
    flags: applied,
    words: 2,
    load: async () => (await import("./promote.ts")).promoteLine,
  },
  books: {
    use: "[--from <time>] | --settle",
    says: "compares the payments of the table with the payment provider's lists, and writes nothing without --settle",
    help: [
      "--settle              settle at once what the provider knows and the table lacks, as every night",
      "--from                payments settled since then, and what the provider lists since then of earlier ones: ISO 8601",
      "                      with an offset, or <number>m, h or d before now; absent: 35 days",
      "A line for each difference, then the sums of the payments since then, apart what executives took and gave back by hand",
      "in cash and by transfer, and the provider's lines of another currency, which are in no sum. The reconciliation brings",
      "lines without a payout, so newer ones are only counted. The provider does not know what has to go back, so its open",
      "money is what is on its way. Exit code 1: something differs, or no reconciliation has ended for two days.",
    ],
    flags: { settle: { type: "boolean" }, from: { type: "string" } },
    words: 0,
    load: async () => (await import("./books.ts")).books,
  },
  api: {
    use: "<close | limit | open> [<route>] [--apply]",
    says: "refuses requests at the gateway, limits them to a few a second, or sets the limits of the deployed template again",
    help: [
      applyHelp,
      "close                 refuse all requests, or those of a route such as 'GET /events': the gateway answers 429",
      "limit                 5 requests a second, each, for the routes that need no token, or for this one",
      "open                  the limits of the last deploy, for all routes or for this one",
      "A deploy does not open what is closed. In AWS it takes some seconds. Exit code 1: there would be something to do.",
    ],
    flags: applied,
    words: 1,
    moreWords: 1,
    load: async () => (await import("./api.ts")).api,
  },
  env: {
    use: "",
    says: "prints the variables and functions of the shell that docs/runbook.md uses",
    help: [
      'eval "$(npm run -s ops -- env --stage-outputs .local/outputs.json)" for the laptop, where admin is the seeded executive.',
      "In AWS the shell has the credentials, and admin is copied from the web application.",
    ],
    words: 0,
    load: async () => (await import("./shell.ts")).shell,
  },
  "sign-up": {
    use: "<close | open> [--apply]",
    says: "closes and opens the sign-up with email and password",
    help: [
      applyHelp,
      "While it is closed, no code is mailed for a new account. Google, and accounts that are confirmed, go on.",
      "Exit code 1: there would be something to do.",
    ],
    flags: applied,
    words: 1,
    load: async () => (await import("./sign-up.ts")).signUp,
  },
  admins: {
    use: "",
    says: "lists who has the rights of an admin, and how they sign in",
    help: [
      "A provider such as Google still says that an email is verified when its mailbox is gone: disable the account.",
    ],
    words: 0,
    load: async () => (await import("./admins.ts")).admins,
  },
  who: {
    use: "<email>",
    says: "prints as JSON what is kept about a person",
    help: ["Progress goes to standard error, so the answer can go to a file: npm run -s ops -- who … > answer.json"],
    words: 1,
    load: async () => (await import("./who.ts")).who,
  },
  erase: {
    use: "<email> [--now] [--apply]",
    says: "removes the sign-in account of a person whose data is deleted",
    help: [
      applyHelp,
      "--now                 also ends the erasure today instead of 60 days after the deletion: a refund finds no person then.",
      "                      Only so are messages, audit and signed feedback renamed, too; it reads the whole table.",
    ],
    flags: { ...applied, now: { type: "boolean" } },
    words: 1,
    load: async () => (await import("./erase.ts")).erase,
  },
  "shut-out": {
    use: "<email | caller> [--undo] [--apply]",
    says: "disables a person's sign-in accounts, so that no new token is made",
    help: [
      applyHelp,
      "caller                as the requests' log names a person: the claim sub of the tokens",
      "--undo                lets the person in again",
      "A token that the person has works for an hour at most: the gateway does not ask the pool about it.",
    ],
    flags: { ...applied, undo: { type: "boolean" } },
    words: 1,
    load: async () => (await import("./shut-out.ts")).shutOut,
  },
  retention: {
    use: "[--days <number>]",
    says: "counts the registrations of past events whose answers, diet, phone and student number would be removed",
    help: [
      "--days                after an event's end; absent: answersKeptDays of the stage, by which the sweeper removes them",
    ],
    flags: { days: { type: "string" } },
    words: 0,
    load: async () => (await import("./retention.ts")).retention,
  },
  people: {
    use: "<file> <registrations | members | accounts> [<event id> <year>] [--columns <file>] [--dates <day | month>] [--report <file>] [--apply]",
    says: "makes registrations of an event, memberships or accounts of a CSV table of people",
    help: [
      "--apply               do it; without it the command says by row what it would do",
      "--columns             JSON of headings with their fields, of those that are not known; null leaves a column out",
      "--dates               what comes first in dates such as 03/04/2031, where none tells",
      "--report              where each row's outcome goes; absent: beside the file, as .report.csv",
      "ADMIN_TOKEN has the ID token of an executive, on a laptop of npm run -s token -- exec@club.example; absent, or when it",
      "ends after an hour, it is asked for. Rows follow the rules for an executive's single act, and are in the audit as such.",
      "Interrupted, the same command goes on: who has what the table says, or has cancelled, is left as they are.",
      "Exit code 1: rows are left out or open, or would be done.",
    ],
    flags: { ...applied, columns: { type: "string" }, dates: { type: "string" }, report: { type: "string" } },
    words: 2,
    moreWords: 2,
    load: async () => (await import("./people.ts")).people,
  },
  export: {
    use: "<folder>",
    says: "copies table, accounts, images and ticket key into a folder, encrypted with a passphrase",
    help: [
      `${passphraseVariable} names a file with the passphrase; absent: it is asked for.`,
      `--rate is ${exportRate} when absent, so that people do not notice. npm start -- --from <folder> runs the copy on a laptop.`,
      "Without this code: age --decrypt --identity key.age table-00001.jsonl.gz.age | gunzip",
    ],
    words: 1,
    rate: exportRate,
    load: async () => (await import("./export.ts")).exportStage,
  },
  restore: {
    use: "<folder> [--apply]",
    says: "writes a copy that export has made into a fresh stage of any account",
    help: [
      applyHelp,
      `${passphraseVariable} names a file with the passphrase; absent: it is asked for. --rate is ${restoreRate} when absent, of what is read and written.`,
      "It stops the schedules of sweeper and reconciliation, and starts them when the stage is as the copy. Interrupted, it is",
      "continued by the same command. Exit code 1: the stage has other data, or would be or is not as the copy.",
    ],
    flags: applied,
    words: 1,
    rate: restoreRate,
    load: async () => (await import("./restore.ts")).restore,
  },
};

const common = {
  "stage-outputs": { type: "string" },
  rate: { type: "string" },
  "index-lag": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const commonHelp = [
  "--stage-outputs <file>  the outputs file of the stage: of cdk deploy --outputs-file, or .local/outputs.json",
  "--rate <number>         read units a second, at most; absent: as fast as the table answers",
  "--index-lag <number>    milliseconds that an index may lag; absent: 3000 in AWS, 300 on the laptop",
  "--help                  of a command: its own flags",
];

const exitHelp =
  "Exit codes: 0 nothing wrong, or all done; 1 something found, left or failed; 2 usage error; 130 interrupted.";

const rightsHelp = [
  "Rights in AWS: all read table and indexes (dynamodb:DescribeTable, Scan, Query, GetItem, BatchGetItem). repair, promote,",
  "sign-up, erase and shut-out also write; repair, promote and books read the payments secret. admins needs cognito-idp:ListUsers and AdminGetUser,",
  "who ListUsers, erase also AdminDeleteUser, shut-out also AdminDisableUser, AdminEnableUser and AdminUserGlobalSignOut, export ListUsers, the ticket key and the images (s3:ListBucket, GetObject), redrive the queues, api apigateway:GET, PATCH and DELETE and",
  "cloudformation:GetTemplate and ListStackResources, replay --archive events:ListArchives, ListRules and StartReplay. What sends",
  "messages needs events:PutEvents. restore needs all that writes: dynamodb:PutItem, secretsmanager:PutSecretValue, s3:PutObject,",
  "cognito-idp:AdminCreateUser, AdminSetUserPassword and AdminDisableUser, events:DisableRule and EnableRule.",
];

const overview = (): string[] => [
  "Usage: npm run ops -- <command> --stage-outputs <file>",
  ...Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(10)} ${says}`),
  ...commonHelp.map((line) => `  ${line}`),
  ...rightsHelp,
  exitHelp,
];

const helpOf = (name: string, { use, says, help }: Command): string[] => [
  `Usage: npm run ops -- ${[name, use, "--stage-outputs <file>"].filter(Boolean).join(" ")}`,
  `${says[0]?.toUpperCase()}${says.slice(1)}.`,
  ...help.map((line) => `  ${line}`),
  ...commonHelp.slice(0, -1).map((line) => `  ${line}`),
  exitHelp,
];

interface Asked {
  readonly command: Command;
  readonly target: Target;
  readonly words: readonly string[];
  readonly flags: Run["flags"];
  readonly rate: number | undefined;
  readonly indexLag: number;
}

/** @throws UsageError */
function positive(name: string, text: unknown, smallest: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (typeof text === "string" && text.trim() !== "" && value >= smallest && value <= 1e6) return value;
  throw new UsageError(`--${name} must be a number from ${smallest} to 1000000.`);
}

/** @returns help instead, if requested @throws UsageError */
async function asked(args: readonly string[]): Promise<Asked | { readonly help: readonly string[] }> {
  const all = Object.assign({}, common, ...Object.values(commands).map(({ flags = {} }) => flags)) as Options;
  const forgotten = forgottenDashes("ops", args, all);
  if (forgotten !== undefined) throw new UsageError(forgotten);
  const [name = "", ...rest] = args;
  if (["", "--help", "-h", "help"].includes(name)) {
    if (name === "") throw new UsageError(overview().join("\n"));
    return { help: overview() };
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${name}.\n${overview().join("\n")}`);
  const [usage = ""] = helpOf(name, command);
  const read = commandWords("ops", rest, { ...common, ...command.flags }, usage);
  const { positionals: words } = read;
  const values = read.values as Run["flags"];
  if (values.help) return { help: helpOf(name, command) };
  const { words: least, moreWords = 0 } = command;
  if (words.length < least || words.length > least + moreWords) throw new UsageError(usage);
  const file = values["stage-outputs"];
  if (typeof file !== "string" || file === "") {
    throw new UsageError(`Which stage? Add --stage-outputs <file>, on the laptop .local/outputs.json. ${usage}`);
  }
  const target = await targetIn(file);
  const indexLag = positive("index-lag", values["index-lag"], 0) ?? (target.isLaptop ? 300 : 3_000);
  return { command, target, words, flags: values, rate: positive("rate", values.rate, 1) ?? command.rate, indexLag };
}

/**
 * The command without its process.
 * @param args after `npm run ops --`
 * @param stop ends the run between two pages
 */
export async function ops(args: readonly string[], terminal: Terminal, stop?: AbortSignal): Promise<ExitCode> {
  let wanted: Awaited<ReturnType<typeof asked>>;
  try {
    wanted = await asked(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.note(error.message);
    return 2;
  }
  if ("help" in wanted) {
    for (const line of wanted.help) terminal.print(line);
    return 0;
  }
  const { command, target, words, flags, rate, indexLag } = wanted;
  Object.assign(process.env, target.environment);
  // Loaded after the environment is set: the stores read their settings when they are loaded.
  const { reached } = await import("./reach.ts");
  const { paced } = await import("./paced.ts");
  const run = await command.load();
  try {
    const total = await reached(target);
    terminal.note(`${target.name}${flags.apply === true ? "" : command.flags?.apply ? ": a dry run" : ""}`);
    return await run({
      target,
      terminal,
      meter: paced(rate),
      isApplied: flags.apply === true,
      options: { indexLag, standStill: standStill },
      stop,
      total,
      words,
      flags,
    });
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.note(error.message);
      return 2;
    }
    const why = await whyNot(error, target);
    if (!why) throw error;
    terminal.note(why.says);
    return why.isWrongTarget ? 2 : 1;
  }
}

/** Milliseconds for which a command waits for an event without changes. */
const standStill = 60_000;
