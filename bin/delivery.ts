#!/usr/bin/env tsx
/** Entry point of the CDK for `npm run once -- delivery deploy ClubMail-staging` and `ClubDelivery` (docs/deploy.md). */
import { UnknownStage } from "../lib/club-app.ts";
import { deliveryApp } from "../lib/delivery/delivery-app.ts";

try {
  deliveryApp({ outdir: process.env.CDK_OUTDIR ?? "cdk.out.delivery" }).synth();
} catch (problem) {
  if (!(problem instanceof UnknownStage)) throw problem;
  console.error(problem.message);
  process.exitCode = 1;
}
