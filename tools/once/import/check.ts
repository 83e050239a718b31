/**
 * Checks the table after an import, read-only: the invariants of the service (`tools/ops/invariants/rules.ts`), and each
 * count against the source.
 */

import { countLine } from "#domain/capacity/line.ts";
import { pools, readSeats } from "#domain/capacity/seats.ts";
import { readEvent } from "#domain/events/store.ts";
import { stateOf } from "#domain/registrations/record/statuses.ts";
import { registrationsOf } from "#domain/registrations/store/store.ts";
import { keyText } from "../../ops/invariants/finding.ts";
import { walk } from "../../ops/invariants/walk.ts";
import { eventKeyOf } from "./map/keys.ts";
import type { Mapping } from "./survey.ts";

export interface Checked {
  /** One sentence per problem; empty when all is well. */
  readonly problems: readonly string[];
  /** Registrations of the source by their status in the table. */
  readonly registrations: Readonly<Record<"same" | "otherStatus" | "missing" | "onlyHere", number>>;
  readonly seats: number;
  readonly waiting: number;
  readonly users: number;
  readonly members: number;
  readonly events: number;
}

/** Milliseconds by which an index may lag, and for which an event must not change. */
const waits = { indexLag: 3_000, standStill: 60_000 };

/** Problems that are listed; the rest is counted. */
const maxTold = 20;

/** All violations of the service's invariants, and of others for a table that was just filled. */
async function wrongInTable(): Promise<{ readonly problems: string[]; readonly names: ReadonlyMap<string, number> }> {
  const problems: string[] = [];
  const told = new Map<string, number>();
  const { names, findings, busy } = await walk(
    { ...waits, hasChat: true },
    {
      progress: () => undefined,
      found({ kind, key, says }) {
        // An import admits nobody; `npm run ops -- promote` does.
        if (kind === "free seat") return;
        const before = told.get(kind) ?? 0;
        told.set(kind, before + 1);
        if (before < maxTold) problems.push(`${kind}: ${keyText(key)} ${says}`);
      },
    },
  );
  for (const [kind, count] of findings)
    if (count > maxTold && told.has(kind)) problems.push(`${kind}: ${count} in all`);
  for (const event of busy) problems.push(`${event}: registrations came all the time, so its seats are not checked`);
  return { problems, names };
}

/** @param onEvent called after each event */
export async function check(
  { events, statuses }: Pick<Mapping, "events" | "statuses">,
  onEvent: () => void = () => undefined,
): Promise<Checked> {
  const { problems, names } = await wrongInTable();
  const registrations = { same: 0, otherStatus: 0, missing: 0, onlyHere: 0 };
  let [seats, waiting, present] = [0, 0, 0];
  const expected = new Map<string, string[]>();
  for (const name of statuses.keys()) {
    const [email = "", event = ""] = name.split(" ");
    expected.set(event, [...(expected.get(event) ?? []), email]);
  }
  for (const name of events.keys()) {
    const key = eventKeyOf(name);
    const event = key && (await readEvent(key));
    const people = expected.get(name) ?? [];
    if (!event) {
      registrations.missing += people.length;
      continue;
    }
    present += 1;
    const { generation } = event;
    const [stored, ...waits] = await Promise.all([
      readSeats(event, "strong"),
      ...pools.map((pool) => countLine(event, { generation, pool }, "strong")),
    ]);
    seats += (stored?.seats ?? 0) + (stored?.partnerSeats ?? 0);
    for (const people of waits) waiting += people;
    const here = new Map<string, string>();
    for await (const one of registrationsOf(event)) {
      if (one.generation === event.generation) here.set(one.email, stateOf(one));
    }
    for (const email of people) {
      const status = here.get(email);
      if (status === undefined) registrations.missing += 1;
      else if (status === statuses.get(`${email} ${name}`)) registrations.same += 1;
      else registrations.otherStatus += 1;
      here.delete(email);
    }
    registrations.onlyHere += here.size;
    onEvent();
  }
  const [users, members] = [names.get("users") ?? 0, names.get("members") ?? 0];
  return { problems, registrations, seats, waiting, events: present, users, members };
}
