#!/usr/bin/env tsx
/** Entry of the CDK: `cdk synth`, `cdk deploy ClubEvents-staging`, or `CDK_OUTDIR=… tsx bin/app.ts` without the CLI. */
import { clubApp } from "../lib/club-app.ts";

// Without an output folder the CDK synthesizes nothing and reports no error.
clubApp({ outdir: process.env.CDK_OUTDIR ?? "cdk.out" }).synth();
