#!/usr/bin/env tsx
/** Entry point of the CDK: `cdk synth`, `cdk deploy ClubEvents-staging`, or `CDK_OUTDIR=… tsx bin/app.ts`. */
import { clubApp, UnknownStage } from "../lib/stack/club-app.ts";
import { WrongStage } from "../lib/stage-rules.ts";

try {
  // Without an output folder the CDK synthesizes nothing and reports no error.
  clubApp({ outdir: process.env.CDK_OUTDIR ?? "cdk.out" }).synth();
} catch (problem) {
  if (!(problem instanceof WrongStage || problem instanceof UnknownStage)) throw problem;
  // A stack trace does not help the author of the value.
  console.error(problem.message);
  process.exitCode = 1;
}
