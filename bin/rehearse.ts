/**
 * npm run rehearse [-- [--stage <name>] [--keep]]
 * Deploys staging and production to MiniStack, an emulator of AWS, with the CDK's command line; does the smoke run, deploys
 * a change, does it again, and deletes the stage. With AWS_ENDPOINT_URL it uses the emulator there. Exit code 0: success,
 * or this machine has no Python, 1: a step failed, 2: usage error (docs/developing.md).
 */
import { clubApp } from "../lib/club-app.ts";
import { stackName } from "../lib/stage-names.ts";
import { type StageConfig, stages } from "../lib/stages.ts";
import { forgottenDashes } from "../tools/kit/npm-flags.ts";
import { options, rehearse } from "../tools/rehearse/command.ts";
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

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stop.abort(new Error("it was interrupted")));

const args = process.argv.slice(2);
const forgotten = forgottenDashes("rehearse", args, options);
if (forgotten !== undefined) console.log(forgotten);
process.exitCode =
  forgotten === undefined
    ? await rehearse(args, console.log, [stages.staging, stages.production].map(rehearsed), stop.signal)
    : 2;
