/** A complete import, from mapping to the tickets. */
import { randomUUID } from "node:crypto";
import { systemContext } from "#kit/request/context.ts";
import { Source } from "./source/source.ts";
import { Mapping, type Records, type Summary, survey } from "./source/survey.ts";
import { type Kind, kinds } from "./source/tables.ts";
import type { StageValues } from "./source/values.ts";
import { Interrupted, type Plan, type Run, writeAll } from "./write/batches.ts";
import { adoptStoredEvents, eventPlan, openEvent } from "./write/events.ts";
import { feedbackPlan, prizePlan } from "./write/others.ts";
import { memberPlan, profilePlan, userPlan } from "./write/people.ts";
import { registrationPlan } from "./write/registrations.ts";
import { tellPlan } from "./write/tell.ts";
import type { Verdict } from "./write/verdict.ts";

export type Verdicts = Partial<Record<Verdict, number>>;

/** Hears what an import does, and confirms it. */
export interface Listener {
  /** The summary, before anything is written. @returns whether to continue */
  surveyed(summary: Summary, source: Source): Promise<boolean>;
  written(kind: Kind, verdicts: Verdicts): void;
}

export interface ImportOptions {
  readonly from: string;
  readonly values: StageValues;
  readonly dry: boolean;
  /** Sends the tickets. */
  readonly tell: boolean;
  readonly stop?: AbortSignal;
  /** Epoch milliseconds. */
  readonly now?: number;
}

export interface Imported {
  readonly summary: Summary;
  readonly verdicts: Readonly<Record<Kind, Verdicts>>;
  readonly told: number;
}

const planOf = (mapping: Mapping, run: Run): { readonly [K in Kind]: Plan<Records[K]> } => ({
  events: eventPlan(run.now),
  users: userPlan(run),
  members: memberPlan(mapping),
  profiles: profilePlan(run, run.dry),
  registrations: registrationPlan(mapping, run.context),
  feedback: feedbackPlan(mapping, run.dry),
  prizes: prizePlan(run),
});

/**
 * Maps all rows, reports the summary, and writes. A dry run reads the table and writes nothing.
 * @throws Unreadable a file of the source cannot be read completely
 * @throws Interrupted `stop` was aborted; the next run continues
 */
export async function runImport(options: ImportOptions, listener: Listener): Promise<Imported> {
  const { from, values, dry, tell, stop, now = Date.now() } = options;
  const source = await Source.in(from, values.timeZone);
  const mapping = new Mapping(source, values, now);
  const summary = survey(mapping);
  const verdicts = Object.fromEntries(kinds.map((kind) => [kind, {}])) as Record<Kind, Verdicts>;
  const nothing = { summary, verdicts, told: 0 };
  if (!(await listener.surveyed(summary, source))) return nothing;
  const context = systemContext(`import-${randomUUID()}`, now);
  const run: Run = { now, context, dry, stop };
  const plans = planOf(mapping, run);
  for (const kind of kinds) {
    await writeKind(kind, mapping, plans[kind], run, verdicts[kind]);
    if (kind === "events") await adoptStoredEvents(mapping);
    listener.written(kind, verdicts[kind]);
  }
  if (dry) return nothing;
  for (const { event } of mapping.events.values()) {
    if (stop?.aborted) throw new Interrupted("the import was interrupted");
    await openEvent(event, run);
  }
  return { summary, verdicts, told: tell ? await sendTickets(mapping, run) : 0 };
}

async function writeKind<K extends Kind>(
  kind: K,
  mapping: Mapping,
  plan: Plan<Records[K]>,
  run: Run,
  verdicts: Verdicts,
): Promise<void> {
  const onBatch = (batch: readonly Verdict[]) => {
    for (const verdict of batch) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  };
  await writeAll(plan, mapping.records(kind), { ...run, onBatch });
}

async function sendTickets(mapping: Mapping, run: Run): Promise<number> {
  let told = 0;
  const onBatch = (batch: readonly Verdict[]) => {
    told += batch.filter((verdict) => verdict === "new").length;
  };
  const plan = tellPlan(mapping, run.context);
  await writeAll(plan, mapping.records("registrations"), { ...run, onBatch });
  return told;
}
