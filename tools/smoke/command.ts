/** `npm run smoke -- <outputs file>`: tests a running stage, and deletes what it created. */

import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { commandWords, UsageError } from "../kit/npm-flags.ts";
import { usageOf } from "../kit/usage.ts";
import { awsPlace } from "./aws.ts";
import { laptopPlace } from "./laptop.ts";
import { stageIn, type TestedStage } from "./outputs.ts";
import { apiAt } from "./step-kit/api.ts";
import { cleanUp } from "./step-kit/clean-up.ts";
import type { Run } from "./step-kit/step.ts";
import { Failed } from "./step-kit/waiting.ts";
import { steps } from "./steps.ts";
import { type Print, searched, taken, tidied } from "./taken.ts";

/** 0: success. 1: a step failed, or something is left. 2: usage error. */
export type ExitCode = 0 | 1 | 2;

const usage = usageOf("smoke");

interface Asked {
  readonly stage: TestedStage;
  readonly minutes: number;
  readonly hidden: boolean;
}

/** @throws UsageError */
async function asked(args: readonly string[]): Promise<Asked> {
  const { values, positionals } = commandWords("smoke", args, options);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError(usage);
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 60)) throw new UsageError(`--minutes must be a number up to 60. ${usage}`);
  const stage = await stageIn(file);
  const isProduction = stage.stage.name === "production";
  if (isProduction && !values["yes-production"]) {
    throw new UsageError(
      "This is production. The run makes accounts, a hidden event and registrations there, and deletes them. " +
        "Add --yes-production if you want that.",
    );
  }
  return { stage, minutes, hidden: values.hidden || isProduction };
}

const options = {
  minutes: { type: "string", default: "5" },
  // Like in production: only admins see the event, so the admin registers everybody.
  hidden: { type: "boolean", default: false },
  "yes-production": { type: "boolean", default: false },
} as const;

const newRunId = (): string => `smoke-${Date.now().toString(36)}${randomBytes(2).toString("hex")}`;

/**
 * The command without its process.
 *
 * @param args after `npm run smoke --`
 * @param print prints one line
 * @param interrupted ends the run early; what it created is still deleted
 */
export async function smoke(args: readonly string[], print: Print, interrupted?: AbortSignal): Promise<ExitCode> {
  let wanted: Asked;
  try {
    wanted = await asked(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  const { stage, minutes, hidden } = wanted;
  const stop = new AbortController();
  // The routes of each function are asked side by side.
  setMaxListeners(100, stop.signal);
  const timer = setTimeout(
    () => stop.abort(new Failed(`the run took longer than ${minutes} minutes.`)),
    minutes * 60_000,
  );
  const interrupt = () => stop.abort(new Failed("the run was interrupted."));
  interrupted?.addEventListener("abort", interrupt);
  const run: Run = {
    id: newRunId(),
    begun: Date.now(),
    hidden,
    adminEmailDomain: stage.stage.adminEmailDomain,
    origin: stage.origin,
    membership: stage.membership,
    api: apiAt(stage.apiUrl, stop.signal),
    place: stage.isLaptop ? laptopPlace(stage) : awsPlace(stage),
    made: cleanUp(),
    stop: stop.signal,
    found: { people: [], measured: [] },
  };
  try {
    print(`${run.id} at ${run.api.url}`);
    const worked = await taken(run, steps, print);
    const isTidy = await tidied(run, print);
    const hasRights = await searched(run, print);
    for (const line of run.found.measured) print(`measured ${line}`);
    return worked && isTidy && hasRights ? 0 : 1;
  } finally {
    clearTimeout(timer);
    interrupted?.removeEventListener("abort", interrupt);
  }
}
