/**
 * npm run rehearse -- [<stage>] [--keep]
 * Deploys staging and production to MiniStack, an emulator of AWS, with the CDK's command line; does the smoke run, deploys
 * a change, does it again, and deletes the stage. With AWS_ENDPOINT_URL it uses the emulator there. Exit code 0: success,
 * or without CI=true this machine cannot run MiniStack, 1: a step failed, 2: usage error (docs/developing.md).
 */
import { clubApp } from "../lib/stack/club-app.ts";
import { stackName } from "../lib/stage-names.ts";
import { type StageConfig, stages } from "../lib/stages.ts";
import { startChat } from "../tools/laptop/chat/index.ts";
import { startPayments } from "../tools/laptop/payments/server/index.ts";
import { builtSources } from "../tools/laptop/template/made-before.ts";
import { buildFunctions } from "../tools/laptop/template/synthesis.ts";
import { rehearse } from "../tools/rehearse/command.ts";
import type { RehearsedStage } from "../tools/rehearse/stage.ts";

/** A stage as its first deploy makes it: without protection against deletion. */
const rehearsed = (stage: StageConfig): RehearsedStage => ({
  name: stage.name,
  stack: stackName(stage.name),
  paymentsSecret: stage.paymentsSecret,
  chatSecret: stage.chatWebhookSecret,
  mailDomain: stage.mailSender.replace(/.*@/, ""),
  synthesize(outdir, changed) {
    const { chatWebhookSecret: _chat, ...withoutChat } = stage;
    const context = { stage: stage.name, firstDeploy: "true", placeholders: "ok" };
    clubApp({ outdir, context }, { ...stages, [stage.name]: changed ? withoutChat : stage }).synth();
  },
});

/** Rehearses with the laptop's payment provider and chat. @returns the exit code */
async function withNeighbours(args: readonly string[], stop: AbortSignal) {
  const [payments, chat] = [await startPayments(), await startChat()];
  try {
    const given = {
      stages: [stages.staging, stages.production].map(rehearsed),
      neighbours: { payments, chat: { hook: `${chat.url}/hook`, posts: () => chat.list().length } },
      build: async () => {
        if ((await builtSources()) === undefined) await buildFunctions();
      },
    };
    return await rehearse(args, console.log, given, stop);
  } finally {
    await Promise.all([payments.close(), chat.close()]);
  }
}

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stop.abort(new Error("it was interrupted")));

process.exitCode = await withNeighbours(process.argv.slice(2), stop.signal);
