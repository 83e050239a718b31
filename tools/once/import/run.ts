/** A complete import, from mapping to the final check. */
import { randomUUID } from "node:crypto";
import { systemContext } from "#kit/request/context.ts";
import { type Checked, check } from "./check.ts";
import { Source } from "./source/source.ts";
import { type Kind, kinds } from "./source/tables.ts";
import { Mapping, type Outcome, type Records, type Summary, survey } from "./survey.ts";
import type { StageValues } from "./values.ts";
import type { Verdict } from "./verdict.ts";
import { Interrupted, type Plan, type Run, writeAll } from "./write/batches.ts";
import { adoptStoredEvents, eventPlan, openEvent } from "./write/events.ts";
import { feedbackPlan, prizePlan } from "./write/others.ts";
import { memberPlan, profilePlan, userPlan } from "./write/people.ts";
import { registrationPlan } from "./write/registrations.ts";
import { tellPlan } from "./write/tell.ts";

export type Verdicts = Partial<Record<Verdict, number>>;

/** Receives the progress of an import, and confirms it. */
export interface Listener {
  /** Called for each changed or refused row. */
  outcome(outcome: Outcome): Promise<void> | void;
  /** The summary, before anything is written. @returns whether to continue */
  surveyed(summary: Summary, source: Source): Promise<boolean>;
  /** After each transaction. `of` is the number of records of the kind. */
  progress(step: Kind | "tickets" | "check", done: number, of: number): void;
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
  /** Absent in a dry run, and when the answer was no. */
  readonly checked?: Checked;
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
 * Maps all rows, reports the summary, writes, and checks. A dry run reads the table and writes nothing.
 * @throws Unreadable a file of the source cannot be read completely
 * @throws Interrupted `stop` was aborted; the next run continues
 */
export async function runImport(options: ImportOptions, listener: Listener): Promise<Imported> {
  const { from, values, dry, tell, stop, now = Date.now() } = options;
  const source = await Source.in(from);
  const mapping = new Mapping(source, values, now);
  const summary = await survey(mapping, (outcome) => listener.outcome(outcome));
  const verdicts = Object.fromEntries(kinds.map((kind) => [kind, {}])) as Record<Kind, Verdicts>;
  const nothing = { summary, verdicts, told: 0 };
  if (!(await listener.surveyed(summary, source))) return nothing;
  const context = systemContext(`import-${randomUUID()}`, now);
  const run: Run = { now, context, dry, stop };
  const plans = planOf(mapping, run);
  for (const kind of kinds) {
    await writeKind(kind, mapping, plans[kind], run, verdicts[kind], listener, summary.counts[kind].taken);
    if (kind === "events") await adoptStoredEvents(mapping);
    listener.written(kind, verdicts[kind]);
  }
  if (dry) return nothing;
  for (const { event } of mapping.events.values()) {
    if (stop?.aborted) throw new Interrupted("the import was interrupted");
    await openEvent(event, run);
  }
  const told = tell ? await sendTickets(mapping, run, listener, summary.counts.registrations.taken) : 0;
  let events = 0;
  const checked = await check(mapping, () => {
    events += 1;
    listener.progress("check", events, mapping.events.size);
  });
  return { summary, verdicts, checked, told };
}

async function writeKind<K extends Kind>(
  kind: K,
  mapping: Mapping,
  plan: Plan<Records[K]>,
  run: Run,
  verdicts: Verdicts,
  listener: Listener,
  of: number,
): Promise<void> {
  let done = 0;
  const onBatch = (batch: readonly Verdict[]) => {
    for (const verdict of batch) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    done += batch.length;
    listener.progress(kind, done, of);
  };
  await writeAll(plan, mapping.records(kind), { ...run, onBatch });
}

async function sendTickets(mapping: Mapping, run: Run, listener: Listener, of: number): Promise<number> {
  let [done, told] = [0, 0];
  const onBatch = (batch: readonly Verdict[]) => {
    done += batch.length;
    told += batch.filter((verdict) => verdict === "new").length;
    listener.progress("tickets", done, of);
  };
  const plan = tellPlan(mapping, run.context);
  await writeAll(plan, mapping.records("registrations"), { ...run, onBatch });
  return told;
}
