#!/usr/bin/env tsx
import { deliveryApp } from "../lib/delivery/delivery-app.ts";
/** Entry point of the CDK for `npm run once -- delivery deploy ClubMail-staging` and `ClubDelivery` (docs/deploy.md). */
import { UnknownStage } from "../lib/stack/club-app.ts";

try {
  deliveryApp({ outdir: process.env.CDK_OUTDIR ?? "cdk.out.delivery" }).synth();
} catch (problem) {
  if (!(problem instanceof UnknownStage)) throw problem;
  console.error(problem.message);
  process.exitCode = 1;
}
