/** `repair`: fixes what can be fixed automatically of what check finds. Without --apply it only says what it would do. */

import { seatsKey } from "#domain/capacity/seats.ts";
import { Contended } from "#kit/errors.ts";
import { UnknownOutcome } from "#kit/table/conflict.ts";
import type { Key } from "#kit/table/table.ts";
import { printer, summary } from "./check.ts";
import { keyText } from "./invariants/finding.ts";
import { isRepaired, type Kind } from "./invariants/kinds.ts";
import { markerIn } from "./invariants/messages.ts";
import { eventOfSeats } from "./invariants/others.ts";
import { type Found, walk } from "./invariants/walk.ts";
import { newContext, type Outcome, operations, type RepairOptions } from "./operations.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode, number, progressOf } from "./terminal.ts";

/** Repairs one finding, if it is still there. */
export async function repairFinding(
  { kind, key }: Pick<Found, "kind" | "key">,
  options: RepairOptions,
): Promise<Outcome> {
  if (!isRepaired(kind)) return "not possible";
  try {
    return await operations[kind](key, options, newContext());
  } catch (error) {
    if (error instanceof Contended || error instanceof UnknownOutcome) return "busy";
    throw error;
  }
}

/** The people whose registrations are lost, by the seats of their events. They are known when the walk has ended. */
class LostPeople {
  readonly #people = new Map<string, Set<string>>();

  add({ kind, key }: Pick<Found, "kind" | "key">): void {
    const { email, event } = markerIn(key);
    if (kind !== "lost registration" || !event) return;
    const seats = keyText(seatsKey(event));
    this.#people.set(seats, (this.#people.get(seats) ?? new Set()).add(email));
  }

  /** @param key of an event or of its seats */
  of(key: Key): readonly string[] {
    return [...(this.#people.get(keyText(seatsKey(eventOfSeats(key)))) ?? [])];
  }
}

/** A free seat is one by the counters. So these come after the walk: first the counters, and only if no registration is lost. */
const dependsOnCounters = new Set<Kind>(["other counts", "free seat"]);

export async function repair(run: Run): Promise<ExitCode> {
  const { target, terminal, meter, stop, total, isApplied } = run;
  const begun = performance.now();
  const options: RepairOptions = { ...run.options, hasChat: target.hasChat };
  const walkOptions = { ...options, stop };
  const tell = printer(terminal.print);
  const outcomes: Partial<Record<Outcome, number>> = {};
  const lost = new LostPeople();
  const later: Found[] = [];
  const apply = async (one: Found) => {
    const outcome = await repairFinding(one, options).catch((error: unknown): Outcome => {
      terminal.note(`${one.kind}: ${keyText(one.key)}: ${(error as Error).message}`);
      return "not possible";
    });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    return outcome;
  };
  const found = async (one: Found) => {
    lost.add(one);
    tell(one);
    if (!isApplied || !isRepaired(one.kind)) return;
    if (dependsOnCounters.has(one.kind)) later.push(one);
    else await apply(one);
  };
  const walked = await walk(walkOptions, { progress: progressOf(terminal.note), found }, total);
  /** The seats whose counters stay wrong, by their keys, with the reason. */
  const miscounted = new Map<string, string>();
  for (const one of walked.isInterrupted ? [] : later) {
    const seats = keyText(one.key);
    const people = lost.of(one.key);
    if (people.length > 0) {
      miscounted.set(seats, `the registrations of ${people.join(", ")} are lost. Resolve the lost registrations first`);
    }
    const why = miscounted.get(seats);
    if (why !== undefined) terminal.print(`Not repaired: ${one.kind}: ${seats}: ${why}.`);
    else {
      const outcome = await apply(one);
      const stays = one.kind === "other counts" && (outcome === "busy" || outcome === "not possible");
      if (stays) miscounted.set(seats, "its counters are not right yet. Repair again later");
    }
  }
  for (const line of summary(walked)) terminal.print(line);
  if (isApplied) {
    const done = Object.entries(outcomes).map(([outcome, count]) => `${number(count)} ${outcome}`);
    terminal.print(`Repairs: ${done.join(", ") || "none"}.`);
  }
  if (walked.isInterrupted) return 130;
  if (walked.findings.size === 0) return walked.busy.length === 0 ? 0 : 1;
  if (!isApplied) {
    terminal.print("Nothing is written. To fix what can be fixed automatically, add --apply.");
    return 1;
  }
  terminal.note("Checking again …");
  const left = await walk(walkOptions, { progress: progressOf(terminal.note), found: printer(terminal.print) }, total);
  for (const line of summary(left)) terminal.print(line);
  terminal.note(costLine(begun, meter.units));
  return left.findings.size === 0 && left.busy.length === 0 ? 0 : 1;
}
