/**
 * A consistent snapshot of an event: its seats, and the counts of its registrations, which are in as many partitions as
 * there are people, so that no single read can return both.
 */

import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { mayPromote } from "#domain/capacity/allocate.ts";
import { isWaitedIn } from "#domain/capacity/line.ts";
import { poolOf, pools, readSeats, type Seats } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { nextToPromote } from "#domain/registrations/promote.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { byEvent } from "#domain/registrations/store/store.ts";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import { keyIn } from "#kit/table/item.ts";
import { getItems, type Item, type Key, queryOnce } from "#kit/table/table.ts";
import { partitionOf } from "#outbox/stored-kinds.ts";
import type { Finding } from "./finding.ts";
import { patiently } from "./patiently.ts";
import {
  type CountDifference,
  Counts,
  countDifferences,
  differenceText,
  type StoredUses,
  seatsPassWaiters,
} from "./seats.ts";

/** The counts of one pass over the registrations, and a fingerprint to compare passes. */
interface Pass {
  readonly counts: Counts;
  readonly fingerprint: string;
}

/** Registrations in memory at a time. */
const pageSize = 200;

/** Counts the registrations of a generation: the list is from the index, each registration is read consistently. */
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
    const keys = page.items.map(keyIn);
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

/** All codes of a generation of an event, strongly consistent. */
const codesOf = (event: EventKey, generation: string): Promise<StoredUses[]> =>
  allOf(queryItems<StoredUses>(itemsOf(partitionOf("code of an event", { ...event, generation }))));

export interface EventState {
  readonly seats: Seats;
  readonly counts: Counts;
  readonly differences: readonly CountDifference[];
}

export interface Timing {
  /**
   * Milliseconds by which an index may lag. A registration that is not in the list after that counts as missing.
   */
  readonly indexLag: number;
  /** Milliseconds in which there must be one period without changes of the event. */
  readonly standStill: number;
}

/** A consistent snapshot, or `busy` when the event changed all the time. */
export type Looked = EventState | "none" | "busy";

/**
 * Reads the registrations, then the seats and the codes, then the registrations again. If no registration has changed in
 * between, all match the time of the read between. The second pass is late enough for the index to contain every registration that the
 * seats may count.
 */
export async function lookAtEvent(event: EventKey, { indexLag, standStill }: Timing): Promise<Looked> {
  const end = performance.now() + standStill;
  for (let before: Pass | undefined; ; ) {
    const seats = await patiently(() => readSeats(event, "strong"));
    if (!seats || seats.state === "DELETED") return "none";
    before ??= await pass(event, seats.generation);
    const between = await patiently(() => readSeats(event, "strong"));
    const codes = between ? await patiently(() => codesOf(event, between.generation)) : [];
    await pause(indexLag);
    const after = await pass(event, seats.generation);
    if (between && between.generation === seats.generation && before.fingerprint === after.fingerprint) {
      return { seats: between, counts: after.counts, differences: countDifferences(after.counts, between, codes) };
    }
    if (performance.now() > end) return "busy";
    before = after;
  }
}

/** Only the seats, for an event with correct counters. */
export async function lookAtLine(event: EventKey): Promise<Pick<EventState, "seats" | "differences"> | "none"> {
  const seats = await patiently(() => readSeats(event, "strong"));
  return seats && seats.state !== "DELETED" ? { seats, differences: [] } : "none";
}

/** The problems of an event's seats and codes, compared with its registrations and its line. */
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
  for (const pool of await waitedIn(event, seats)) {
    const who = pool.pool ?? "people";
    if (seatsPassWaiters(pool)) findings.push({ kind: "direct gate", says: `${who} wait` });
    if (!mayPromote(pool, now)) continue;
    const allocation = await patiently(() => nextToPromote(event, pool, now));
    const [next] = allocation.kind === "seated" ? allocation.people : [];
    if (next) findings.push({ kind: "free seat", says: `${pool.capacity - pool.seats} free; ${next.email} is next` });
  }
  return findings;
}

/** The pools in whose lines people wait. */
export async function waitedIn(event: EventKey, seats: Seats): Promise<Seats[]> {
  const all = pools.map((pool) => poolOf(seats, pool));
  const waits = await Promise.all(all.map((pool) => patiently(() => isWaitedIn(event, pool))));
  return all.filter((_, n) => waits[n]);
}
