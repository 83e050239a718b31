/** The rehearsal of one stage: deploy, smoke run, changed deploy, smoke run, destroy. */
import { join } from "node:path";
import type { Account } from "./account.ts";
import { type Template, templateIn, writeTemplate } from "./assembly.ts";
import { CommandFailed } from "./child.ts";
import type { Emulator } from "./emulator.ts";
import { forMiniStack } from "./lacking.ts";
import { type Neighbours, type SecretNames, secretsFor, withPaymentProvider } from "./neighbours.ts";
import { type Commands, leadToEmulator } from "./place.ts";
import type { Print, Report } from "./report.ts";
import { changeFunction, withIndex } from "./update.ts";

export interface RehearsedStage extends SecretNames {
  readonly name: string;
  readonly stack: string;
  /** The domain of the mails' sender. */
  readonly mailDomain: string;
  /**
   * Synthesizes the stage.
   * @param folder for the assembly
   * @param changed without the consumer of the chat
   */
  readonly synthesize: (folder: string, changed: boolean) => void;
}

export interface Rehearsal {
  readonly emulator: Emulator;
  readonly account: Account;
  readonly neighbours: Neighbours;
  readonly commands: Commands;
  readonly report: Report;
  readonly print: Print;
  /** For assemblies and outputs. */
  readonly folder: string;
  /** Whether the stage stays. */
  readonly keep: boolean;
}

/** Synthesizes the stage, and adapts its template to the rehearsal. @returns a sentence */
async function synthesis(
  { neighbours }: Rehearsal,
  { stack, synthesize }: RehearsedStage,
  assembly: string,
  changed: boolean,
): Promise<string> {
  synthesize(assembly, changed);
  if (changed) await changeFunction(assembly, stack);
  const whole = await templateIn(assembly, stack);
  const { template, leftOut } = forMiniStack(changed ? withIndex(whole) : whole);
  await writeTemplate(assembly, stack, withPaymentProvider(template, neighbours));
  const count = ({ Resources }: Template) => Object.keys(Resources).length;
  const left = [...leftOut].map(([kind, number]) => `${number} ${kind}`).join(", ");
  return `${count(template)} of ${count(whole)} resources; MiniStack lacks ${left}`;
}

export const outputsFile = ({ folder }: Rehearsal, { name }: RehearsedStage): string =>
  join(folder, `${name}-outputs.json`);

/** Deploys an assembly. @throws Error when the stack is in another state. @returns a sentence */
export async function deploy(
  rehearsal: Rehearsal,
  stage: RehearsedStage,
  assembly: string,
  expected: string,
): Promise<string> {
  const { account, commands, emulator } = rehearsal;
  const file = outputsFile(rehearsal, stage);
  const how = ["--require-approval", "never", "--progress", "events", "--outputs-file", file];
  await commands.cdk("deploy", stage.stack, "--app", assembly, ...how);
  await leadToEmulator(file, emulator);
  const { status, resources } = await account.stack(stage.stack);
  if (status !== expected) throw new Error(`the stack is ${status}, not ${expected}`);
  return `${resources} resources, ${status}`;
}

/** How many of its steps succeeded, were skipped and failed. */
const tally = (output: string): string =>
  ["ok", "skipped", "failed"]
    .map((level) => `${output.match(new RegExp(`^${level} `, "gm"))?.length ?? 0} ${level}`)
    .join(", ");

/**
 * The smoke run. It prints its own lines.
 * @param isPosting whether the stage posts what happens to the club's chat
 * @throws Error when a step failed, or the chat was posted to against that
 * @returns a sentence
 */
export async function smoke(rehearsal: Rehearsal, stage: RehearsedStage, isPosting: boolean): Promise<string> {
  const { commands, neighbours, print } = rehearsal;
  const args = [outputsFile(rehearsal, stage), ...(stage.name === "production" ? ["--yes-production"] : [])];
  const before = neighbours.chat.posts();
  const result = (output: string) => `${tally(output)}; ${neighbours.chat.posts() - before} posts to the chat`;
  try {
    const sentence = result(await commands.smoke(args, (line) => print(`         ${line}`)));
    if (neighbours.chat.posts() > before === isPosting) return sentence;
    throw new Error(`${sentence}, where there must be ${isPosting ? "some" : "none"}`);
  } catch (error) {
    throw error instanceof CommandFailed ? new Error(result(error.output)) : error;
  }
}

/** Rehearses a stage, and reports each step. A failed smoke run does not end it. */
export async function rehearseStage(
  rehearsal: Rehearsal,
  stage: RehearsedStage,
  /** Is called when all is done with the stage but its end, with the assembly of the first deploy. */
  afterwards: (assembly: string) => Promise<void>,
): Promise<void> {
  const { account, neighbours, commands, report, folder, keep } = rehearsal;
  const step = (name: string, work: () => Promise<string>) => report.step(`${stage.name} ${name}`, work);
  const [first, second] = [join(folder, stage.name), join(folder, `${stage.name}-changed`)];
  if (!(await step("synthesis", () => synthesis(rehearsal, stage, first, false)))) return;
  const secrets = secretsFor(stage, neighbours);
  const isPrepared = await step("mail domain and secrets", async () => {
    await account.prepare(stage.mailDomain, secrets);
    return [stage.mailDomain, ...Object.keys(secrets)].join(", ");
  });
  const isDeployed = isPrepared && (await step("deploy", () => deploy(rehearsal, stage, first, "CREATE_COMPLETE")));
  if (isDeployed) {
    await step("smoke run", () => smoke(rehearsal, stage, stage.chatSecret !== undefined));
    const isUpdated =
      (await step("changed synthesis", () => synthesis(rehearsal, stage, second, true))) &&
      (await step("changed deploy", () => deploy(rehearsal, stage, second, "UPDATE_COMPLETE")));
    if (isUpdated) await step("smoke run after it", () => smoke(rehearsal, stage, false));
  }
  if (keep) return;
  if (isDeployed) await afterwards(first);
  await step("destroy", async () => {
    await commands.cdk("destroy", stage.stack, "--app", first, "--force");
    await account.clear(stage.mailDomain, secrets);
    return "the stack is gone";
  });
}
