#!/usr/bin/env tsx
/** `npm start`: the local stage. Builds the functions, synthesizes the template and runs both until CTRL-C. */
import { randomInt } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DirectoryInUse, lockDirectory } from "../lib/local/directory-lock.ts";
import { partitionLimits } from "../lib/local/dynamodb/index.ts";
import { type LocalStage, startLocalStage } from "../lib/local/stage/index.ts";
import type { StageOutputs } from "../lib/local/stage/outputs.ts";
import { assertFree, PortInUse, portIn, portsFrom, WrongPort } from "../lib/local/stage/ports.ts";
import { BuildFailed, buildFunctions, synthesizeLocalStage } from "../lib/local/template/synthesis.ts";
import { watchSources } from "../lib/local/watch.ts";

const usage = `npm start -- [--reset] [--memory] [--no-seed] [--no-conflicts] [--concurrency <n>] [--index-lag <ms>]
             [--partition-limits] [--disorder] [--watch] [--verbose]
             [--unverified-sender] [--sandbox] [--mail-rate <n>] [--mail-quota <n>]
  --reset            start empty
  --memory           keep nothing
  --no-seed          no accounts and events to begin with
  --no-conflicts     the table never refuses transactions that overlap
  --concurrency 10   no more than ten functions run at once, as in a new AWS account; the others are throttled
  --index-lag 200    a write appears in the indexes of the table 200 ms later
  --partition-limits a partition key takes 1,000 write and 3,000 read units a second; what comes beyond is throttled
  --disorder         stream, queues and bus deliver in another order and some things twice, as in AWS;
                     --disorder=<seed> draws as the run that printed this seed
  --watch            restart a function when its source changes (npm run dev)
  --verbose          print what the functions log
  What SES refuses, as in a new AWS account:
  --unverified-sender   every mail: the sender is not verified
  --sandbox             mails to others than the sender's domain and *@simulator.amazonses.com
  --mail-rate <n>       more than n mails in a second
  --mail-quota <n>      more than n mails in 24 hours, counted from the start
Variables: PORT (4000), ADMIN_EMAIL_DOMAIN (club.example), ALLOWED_ORIGINS (http://localhost:3000)`;

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = join(root, ".local");
const assembly = join(directory, "cdk.out");

/** A wrong flag or variable. The developer sees the message without a stack trace. */
class WrongUse extends Error {}

// As in Lambda, so that code without a time zone of its own behaves in the same way.
process.env.TZ = "UTC";

try {
  await main();
} catch (problem) {
  const understood = [WrongUse, WrongPort, PortInUse, DirectoryInUse, BuildFailed].some(
    (kind) => problem instanceof kind,
  );
  console.error(understood ? (problem as Error).message : problem);
  process.exit(1);
}

async function main(): Promise<void> {
  const { reset, memory, verbose, watch, concurrency, ...flags } = readFlags();
  const mailAccount = {
    unverifiedSender: flags["unverified-sender"],
    sandbox: flags.sandbox,
    mailRate: countIn("--mail-rate", flags["mail-rate"]),
    mailQuota: countIn("--mail-quota", flags["mail-quota"]),
  };
  const disorder = flags.disorder === "" ? randomInt(1, 1_000_000) : countIn("--disorder", flags.disorder);
  if (disorder !== undefined) console.log(`stream, queues and bus are in disorder: --disorder=${disorder}`);
  const port = portIn(process.env.PORT ?? "4000");
  await assertFree(portsFrom(port));
  const unlock = await lockDirectory(directory);
  if (reset) await rm(directory, { recursive: true, force: true });

  console.log("building the functions and the template …");
  await buildFunctions();
  await synthesizeLocalStage(assembly);
  const stage = await startLocalStage({
    assembly,
    port,
    directory,
    memory,
    verbose,
    seed: !flags["no-seed"],
    conflicts: !flags["no-conflicts"],
    concurrency: countIn("--concurrency", concurrency),
    indexLag: countIn("--index-lag", flags["index-lag"]),
    partitionLimits: flags["partition-limits"] ? partitionLimits : undefined,
    disorder,
    mailAccount,
  });
  const stopWatching = watch ? await watchSources(stage.functions, console.log) : () => undefined;
  stopOnSignal(async () => {
    stopWatching();
    await stage.close();
    await unlock();
  });
  introduce(stage.outputs, stage);
}

function readFlags() {
  const flag = { type: "boolean", default: false } as const;
  const options = {
    reset: flag,
    memory: flag,
    "no-seed": flag,
    "no-conflicts": flag,
    concurrency: { type: "string" },
    "index-lag": { type: "string" },
    "partition-limits": flag,
    disorder: { type: "string" },
    watch: flag,
    verbose: flag,
    "unverified-sender": flag,
    sandbox: flag,
    "mail-rate": { type: "string" },
    "mail-quota": { type: "string" },
    help: flag,
  } as const;
  try {
    // A text option demands a value; the switch may stand alone.
    const args = process.argv.slice(2).map((arg) => (arg === "--disorder" ? "--disorder=" : arg));
    const { values } = parseArgs({ args, options });
    if (values.help) throw new Error("The local stage.");
    return values;
  } catch (problem) {
    throw new WrongUse(`${(problem as Error).message}\n\n${usage}`);
  }
}

/** @throws WrongUse when the text is no whole number above 0 */
function countIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new WrongUse(`${name} is "${text}", not a whole number above 0.\n\n${usage}`);
  return Number(text);
}

/** npm and tsx send a CTRL-C on that this process has already. A signal within so many milliseconds is the same one. */
const samePress = 300;

/** The first signal stops the stage. A second signal ends the process at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping !== undefined) {
        if (performance.now() - stopping > samePress) process.exit(130);
        return;
      }
      stopping = performance.now();
      console.log("\nstopping …");
      stop().then(
        () => process.exit(0),
        (problem) => {
          console.error(problem);
          process.exit(1);
        },
      );
    });
  }
}

function introduce(outputs: StageOutputs, { seedProblem }: Pick<LocalStage, "seedProblem">): void {
  const addresses = {
    API: outputs.apiUrl,
    identity: outputs.identityUrl,
    table: `${outputs.dynamodbUrl} (${outputs.tableName})`,
    images: outputs.imagesUrl,
    bus: outputs.busUrl,
    mailbox: outputs.mailUrl,
    chat: `${outputs.chatUrl}/messages`,
    payments: `${outputs.paymentsUrl} (${outputs.webhookSecret})`,
  };
  for (const [name, address] of Object.entries(addresses)) console.log(`${name.padEnd(10)}${address}`);
  for (const { email, password, role } of outputs.accounts) console.log(`${role.padEnd(10)}${email}  ${password}`);
  console.log(`all of it in .local/outputs.json, the functions' logs in .local/logs`);
  if (seedProblem) console.error(`seeding did not succeed: ${seedProblem.message}`);
  console.log("ready");
}
