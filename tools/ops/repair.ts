/** `repair`: repairs what check finds (docs/operating.md). Without --apply it only prints what it would do. */

import { seatsKey } from "#domain/capacity/seats.ts";
import { UnknownOutcome } from "#kit/conflict.ts";
import { Contended } from "#kit/errors.ts";
import type { Key } from "#kit/table.ts";
import { printer, summary } from "./check.ts";
import { type Kind, keyText } from "./invariants/finding.ts";
import { markerIn } from "./invariants/messages.ts";
import { eventOfSeats } from "./invariants/others.ts";
import { type Found, walk } from "./invariants/walk.ts";
import { newContext, operations, type Repaired, type RepairOptions, repairItem } from "./operations.ts";
import { plans } from "./repairs.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode, number, progressOf } from "./terminal.ts";

/** Describes the repair of a finding; undefined when it requires an operator. */
export const repairOf = ({ kind }: Pick<Found, "kind">): string | undefined =>
  operations[kind]?.says ?? plans[kind]?.says;

/** Repairs one finding, if the damage still exists. */
export async function repairFinding(
  { kind, key }: Pick<Found, "kind" | "key">,
  options: RepairOptions,
): Promise<Repaired> {
  const operation = operations[kind];
  if (!operation && !plans[kind]) return "cannot";
  try {
    return operation
      ? await operation.run(key, options, newContext())
      : await repairItem(kind, key, options, newContext());
  } catch (error) {
    if (error instanceof Contended || error instanceof UnknownOutcome) return "busy";
    throw error;
  }
}

/** Kinds whose repair frees the seats of lost registrations. */
const countsAnew = new Set<Kind>(["no seats", "other counts"]);

/** The people whose registrations are lost, by the seats of their events. Complete when the walk has ended. */
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

export async function repair(run: Run): Promise<ExitCode> {
  const { target, options, terminal, meter, stop, total, isApplied, flags } = run;
  const begun = performance.now();
  const repairOptions: RepairOptions = { ...options, hasChat: target.hasChat, adminDomain: target.values.adminDomain };
  const walkOptions = { ...options, hasChat: target.hasChat, stop };
  const tell = printer(terminal.print);
  const outcomes: Partial<Record<Repaired, number>> = {};
  const lost = new LostPeople();
  const givesAway = flags["give-lost-seats"] === true;
  const later: Found[] = [];
  const apply = async (one: Found) => {
    const outcome = await repairFinding(one, repairOptions).catch((error: unknown): Repaired => {
      terminal.note(`${one.kind}: ${keyText(one.key)}: ${(error as Error).message}`);
      return "cannot";
    });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const found = async (one: Found) => {
    lost.add(one);
    const isHeld = one.kind === "lost registration" && !givesAway;
    const says = isHeld ? undefined : repairOf(one);
    tell({ ...one, says: `${one.says} -> ${says ?? "a person has to look at this"}` });
    if (!isApplied || isHeld) return;
    if (countsAnew.has(one.kind)) later.push(one);
    else await apply(one);
  };
  const walked = await walk(walkOptions, { progress: progressOf(terminal.note), found }, total);
  for (const one of walked.isInterrupted ? [] : later) {
    const people = lost.of(one.key);
    if (people.length === 0 || givesAway) await apply(one);
    else {
      terminal.print(
        `Not repaired: ${one.kind}: ${keyText(one.key)}: the registrations of ${people.join(", ")} are lost. ` +
          "Put them back (docs/recovery.md), or give their seats away with --give-lost-seats.",
      );
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
    terminal.print("Nothing is written. To repair it, add --apply.");
    return 1;
  }
  terminal.note("Checking again …");
  const left = await walk(walkOptions, { progress: progressOf(terminal.note), found: printer(terminal.print) }, total);
  for (const line of summary(left)) terminal.print(line);
  terminal.note(costLine(begun, meter.units));
  return left.findings.size === 0 && left.busy.length === 0 ? 0 : 1;
}
