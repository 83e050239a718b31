#!/usr/bin/env tsx
/** Entry point of the CDK for `npm run delivery -- deploy ClubMail` and `ClubDelivery` (docs/deploy.md). */
import { deliveryApp } from "../lib/delivery/delivery-app.ts";

deliveryApp({ outdir: process.env.CDK_OUTDIR ?? "cdk.out.delivery" }).synth();
