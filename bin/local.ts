#!/usr/bin/env tsx
/** `npm start`: the local stage. Builds the functions, synthesizes the template and runs both until CTRL-C. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CopyProblem } from "../tools/kit/copy/folder.ts";
import { hiddenQuestion } from "../tools/kit/copy/passphrase.ts";
import { copiedIn, copiedOf, copyToBegin, noteCopied } from "../tools/laptop/copied.ts";
import { DirectoryInUse, lockDirectory } from "../tools/laptop/directory-lock.ts";
import { help, stageCommand, UsageError } from "../tools/laptop/flags.ts";
import { SeedFailed } from "../tools/laptop/seed/index.ts";
import type { StageOutputs } from "../tools/laptop/service-kit/outputs.ts";
import { assertFree, PortInUse, portsFrom, WrongPort } from "../tools/laptop/stage/ports.ts";
import { stopWithNpm } from "../tools/laptop/stopping.ts";
import { builtSources, localAssembly } from "../tools/laptop/template/made-before.ts";
import { BuildFailed, buildFunctions } from "../tools/laptop/template/synthesis.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = join(root, ".local");

// As in Lambda, so that code without an explicit time zone behaves the same.
process.env.TZ = "UTC";

try {
  await main();
} catch (problem) {
  const understood = [UsageError, CopyProblem, WrongPort, PortInUse, DirectoryInUse, BuildFailed, SeedFailed].some(
    (kind) => problem instanceof kind,
  );
  console.error(understood ? (problem as Error).message : problem);
  process.exit(1);
}

async function main(): Promise<void> {
  const command = stageCommand(process.argv.slice(2));
  if (command.help) {
    console.log(help);
    return;
  }
  await assertFree(portsFrom(command.stage.port));
  const unlock = await lockDirectory(directory);
  // What to stop, in this order. Before the stage runs, nothing needs a graceful shutdown.
  const running: (() => Promise<void> | void)[] = [unlock];
  stopWithNpm(async () => {
    for (const end of running) await end();
  });
  const { from, reset } = command;
  const { memory } = command.stage;
  const copy = from && (await copyToBegin(from, { directory, keeps: !reset && !memory }, hiddenQuestion()));
  if (reset) await rm(directory, { recursive: true, force: true });
  if (copy && !memory) noteCopied(directory, copiedOf(copy, false));
  const copied = copy ? copiedOf(copy, true) : memory ? undefined : copiedIn(directory);
  // The admins of the copy are the admins here, unless the developer names others.
  if (copied) process.env.ADMIN_EMAIL_DOMAIN ??= copied.adminEmailDomain;

  // So that the pages show something at once.
  process.env.PUBLIC_EVENTS ??= "true";
  process.env.GUESTS ??= "everyone";
  const sources = await builtSources();
  if (sources === undefined) {
    console.log("building the functions and the template …");
    await buildFunctions();
  }
  const assembly = await localAssembly({}, sources);
  // Loading the stage takes seconds. What may be refused before is said at once.
  const { startLocalStage } = await import("../tools/laptop/stage/index.ts");
  const stage = await startLocalStage({
    ...command.stage,
    // Mails of this stage reach no person, so it must not decide about seats by itself.
    ...(copied && { seed: false, schedules: false }),
    ...(copy && { copy }),
    assembly,
    directory,
  });
  if (copied && !memory) noteCopied(directory, copied);
  running.unshift(() => stage.close());
  if (command.watch) {
    // Loads the bundler, which no other start needs.
    const { watchSources } = await import("../tools/laptop/watch.ts");
    running.unshift(await watchSources(stage.functions, console.log));
  }
  if (copied) console.log(`a copy of ${copied.stage}, of ${copied.at}: no schedules, and nobody has a password yet`);
  introduce(stage.outputs);
}

function introduce(outputs: StageOutputs): void {
  // The laptop's own pages accept `localhost` only.
  const pages = outputs.pagesUrl;
  const addresses = {
    "start page": `${pages}/`,
    "the club's": `${pages}/club/`,
    "the desk": `${pages}/desk/`,
    reference: `${pages}/docs`,
    API: outputs.apiUrl,
    identity: outputs.identityUrl,
    table: `${outputs.dynamodbUrl} (${outputs.tableName})`,
    images: outputs.imagesUrl,
    bus: outputs.busUrl,
    mailbox: outputs.mailUrl,
    chat: `${outputs.chatUrl}/messages`,
    secrets: outputs.secretsUrl,
    payments: `${outputs.paymentsUrl} (${outputs.webhookSecret})`,
  };
  for (const [name, address] of Object.entries(addresses)) console.log(`${name.padEnd(12)}${address}`);
  for (const { email, password, role } of outputs.accounts) console.log(`${role.padEnd(12)}${email}  ${password}`);
  console.log(`all of it in .local/outputs.json, the functions' logs in .local/logs`);
  console.log("ready");
}
