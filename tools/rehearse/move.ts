/** The rehearsal of a move: a copy of the stage goes into a fresh one in another region (docs/runbook.md, "A way back"). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { outputsIn } from "../kit/outputs.ts";
import { accountIn } from "./account.ts";
import { elsewhere } from "./emulator.ts";
import { secretsFor } from "./neighbours.ts";
import { commandsFor } from "./place.ts";
import { deploy, outputsFile, type Rehearsal, type RehearsedStage, smoke } from "./stage.ts";

/** Milliseconds in which a message would reach the chat. */
const untilPosted = 5_000;

/** The second is shut out. */
const people = ["person@club.example", "shut-out@club.example"];

/** The last line with this text. @throws Error when there is none */
function lineWith(output: string, text: string): string {
  const line = output.split("\n").findLast((one) => one.includes(text));
  if (line === undefined) throw new Error(`it did not say "${text}"`);
  return line.replace(/\.$/, "");
}

/**
 * MiniStack gives the roles of both stacks the same names, and roles have no region: afterwards the first stage has no rights.
 * @param assembly the stage's, which has no region
 */
export async function rehearseMove(
  rehearsal: Rehearsal,
  stage: RehearsedStage,
  assembly: string,
  stop: AbortSignal,
): Promise<void> {
  const { neighbours, report } = rehearsal;
  const folder = join(rehearsal.folder, "elsewhere");
  await mkdir(folder);
  const [copy, passphrase] = [join(folder, "copy"), join(folder, "passphrase")];
  await writeFile(passphrase, "five random words of the club\n");
  const emulator = elsewhere(rehearsal.emulator);
  const there: Rehearsal = {
    ...rehearsal,
    folder,
    emulator,
    account: accountIn(emulator),
    commands: commandsFor(emulator, folder, stop),
  };
  const step = (name: string, work: () => Promise<string>) => report.step(`${stage.name} ${name}`, work);
  const secrets = secretsFor(stage, neighbours);
  const target = ["--stage-outputs", outputsFile(there, stage)];
  const isReady =
    (await step("export", async () => {
      const { text } = await outputsIn(outputsFile(rehearsal, stage));
      await rehearsal.account.people(text("UserPoolId"), people, text("ImageBucketName"));
      const args = ["export", copy, "--stage-outputs", outputsFile(rehearsal, stage)];
      const sentence = lineWith(await rehearsal.commands.ops(args, passphrase), "and the ticket key");
      return sentence.replace(copy, "the copy");
    })) &&
    (await step("deploy elsewhere", async () => {
      await there.commands.cdk("bootstrap", await there.account.environment());
      await there.account.prepare(stage.mailDomain, secrets);
      return deploy(there, stage, assembly, "CREATE_COMPLETE");
    }));
  if (isReady) {
    const isRestored = await step("restore elsewhere", async () => {
      const before = neighbours.chat.posts();
      const output = await there.commands.ops(["restore", copy, "--apply", ...target], passphrase);
      await pause(untilPosted);
      const posts = neighbours.chat.posts() - before;
      if (posts > 0) throw new Error(`it led to ${posts} posts to the chat`);
      const items = lineWith(output, "items (SHA-256").replace(/ \(SHA-256.*/, "");
      return `${items}; ${lineWith(output, "As in the copy: 2 accounts, 1 images")}; no posts to the chat`;
    });
    if (isRestored) {
      await step("check elsewhere", async () =>
        lineWith(await there.commands.ops(["check", ...target], passphrase), "Nothing is wrong"),
      );
      await step("smoke run elsewhere", () => smoke(there, stage, stage.chatSecret !== undefined));
    }
  }
  await step("destroy elsewhere", async () => {
    await there.commands.cdk("destroy", stage.stack, "--app", assembly, "--force");
    await there.account.clear(stage.mailDomain, secrets);
    return "the stack is gone";
  });
}
