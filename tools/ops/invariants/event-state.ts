/**
 * The state of an event at one moment: its seats, and the counts of its registrations. The registrations are in as many
 * partitions as there are people, so no single read shows both.
 */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { mayPromote } from "#domain/capacity/allocate.ts";
import { hasWaiters } from "#domain/capacity/line.ts";
import { readSeats, type Seats } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { nextToPromote } from "#domain/registrations/promote.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { byEvent } from "#domain/registrations/store/store.ts";
import { getItems, type Item, type Key, queryOnce } from "#kit/table.ts";
import type { Finding } from "./finding.ts";
import { patiently } from "./patiently.ts";
import { type CountDifference, Counts, countDifferences, differenceText, seatsPassWaiters } from "./seats.ts";

/** The counts of one pass over the registrations, and what tells two equal passes. */
interface Pass {
  readonly counts: Counts;
  readonly fingerprint: string;
}

/** Registrations in memory at once. */
const pageSize = 200;

/** Counts the registrations of a generation. The list is of the index, each registration is read consistently. */
async function pass(event: EventKey, generation: string): Promise<Pass> {
  const counts = new Counts();
  const hash = createHash("sha256");
  let last: Key | undefined;
  do {
    const page = await patiently(() =>
      queryOnce<Item>({
        ...byEvent(event),
        Limit: pageSize,
        ExclusiveStartKey: last,
      }),
    );
    const keys = page.items.map(({ PK, SK }): Key => ({ PK, SK }));
    const items = keys.length > 0 ? await patiently(() => getItems<Item>(keys, "strong")) : [];
    for (const registration of items.map(registrationIn).sort((a, b) => (a.email < b.email ? -1 : 1))) {
      if (registration.generation !== generation) continue;
      counts.add(registration);
      hash.update(`${registration.email} ${registration.version}\n`);
    }
    last = page.last;
  } while (last);
  return { counts, fingerprint: hash.digest("base64url") };
}

/** The counts of an event that has no seats. */
export const countedPass = async (event: EventKey, generation: string): Promise<Counts> =>
  (await pass(event, generation)).counts;

export interface EventState {
  readonly seats: Seats;
  readonly counts: Counts;
  readonly differences: readonly CountDifference[];
}

export interface Backoff {
  /**
   * Milliseconds that an index may lag behind the table. A registration that the list does not have by then is taken
   * for missing.
   */
  readonly indexLag: number;
  /** Milliseconds in which an event has to stand still for one look. */
  readonly standStill: number;
}

/** The seats and the counts are those of one moment, or `busy` when the event never stood still. */
export type Looked = EventState | "none" | "busy";

/**
 * Reads the registrations, then the seats, then the registrations again. When no registration has changed in between,
 * all are as they were when the seats were read. The second pass comes late enough for the index to have every
 * registration that the seats may count.
 */
export async function lookAtEvent(event: EventKey, { indexLag, standStill }: Backoff): Promise<Looked> {
  const end = performance.now() + standStill;
  for (let before: Pass | undefined; ; ) {
    const seats = await patiently(() => readSeats(event, "strong"));
    if (!seats || seats.state === "DELETED") return "none";
    before ??= await pass(event, seats.generation);
    const between = await patiently(() => readSeats(event, "strong"));
    await pause(indexLag);
    const after = await pass(event, seats.generation);
    if (between && between.generation === seats.generation && before.fingerprint === after.fingerprint) {
      return { seats: between, counts: after.counts, differences: countDifferences(after.counts, between) };
    }
    if (performance.now() > end) return "busy";
    before = after;
  }
}

/** The seats alone, for an event whose counters are right. */
export async function lookAtLine(event: EventKey): Promise<Pick<EventState, "seats" | "differences"> | "none"> {
  const seats = await patiently(() => readSeats(event, "strong"));
  return seats && seats.state !== "DELETED" ? { seats, differences: [] } : "none";
}

/** What is wrong with the seats of an event by its registrations and its line. */
export async function judgeEvent(
  event: EventKey,
  looked: Pick<EventState, "seats" | "differences">,
  now: number,
): Promise<Finding[]> {
  const { seats, differences } = looked;
  const findings: Finding[] = [];
  if (differences.length > 0) {
    findings.push({ kind: "other counts", says: differences.map(differenceText).join("; ") });
  }
  const waits = await patiently(() => hasWaiters(event, seats.generation));
  if (waits && seatsPassWaiters(seats)) findings.push({ kind: "direct gate", says: "people wait" });
  if (waits && mayPromote(seats, now)) {
    const allocation = await patiently(() => nextToPromote(event, seats, now));
    const [next] = allocation.kind === "seated" ? allocation.people : [];
    if (next) findings.push({ kind: "free seat", says: `${seats.capacity - seats.seats} free; ${next.email} is next` });
  }
  return findings;
}
