/** `promote <event id> <year>`: gives the free seats of an event to its line (docs/runbook.md). */

import { mayPromote } from "#domain/capacity/allocate.ts";
import { countLine } from "#domain/capacity/line.ts";
import { type EventKey, poolOf, readSeats, type Seats } from "#domain/capacity/seats.ts";
import { nextToPromote, promote } from "#domain/registrations/promote.ts";
import { UsageError } from "../kit/outputs.ts";
import { patiently } from "./invariants/patiently.ts";
import { newContext } from "./operations.ts";
import type { Run } from "./run.ts";
import { type ExitCode, number } from "./terminal.ts";

/** Why no person is promoted. */
const obstacle = (state: string, mode: string, isFull: boolean): string => {
  if (state !== "OPEN") return `registration is ${state}`;
  if (mode === "application") return "an admin decides on applications";
  return isFull ? "no seat is free" : "the event has started";
};

/** Tells of a line, and who of it gets a free seat now. */
async function nextOf(event: EventKey, pool: Seats, who: string, print: (line: string) => void): Promise<string[]> {
  const waiting = await patiently(() => countLine(event, pool, "strong"));
  const free = Math.max(0, pool.capacity - pool.seats);
  const room = free > 1e9 ? "no limit" : `${number(free)} free`;
  print(`${event.id};${event.year}${who}: ${number(pool.seats)} seats taken, ${room}, ${number(waiting)} wait.`);
  if (!mayPromote(pool, Date.now())) {
    print(`No person moves up: ${obstacle(pool.state, pool.mode, free === 0)}.`);
    return [];
  }
  const next = await patiently(() => nextToPromote(event, pool, Date.now()));
  if (next.kind === "seated") return next.people.map(({ email }) => email);
  print(waiting === 0 ? "The line is empty." : "Every person in line waits for a workshop that is full.");
  return [];
}

/** @throws UsageError the event does not exist */
export async function promoteLine({ words, terminal, isApplied }: Run): Promise<ExitCode> {
  const [id = "", year = ""] = words;
  const event = { id, year: Number(year) };
  const seats = Number.isInteger(event.year) ? await patiently(() => readSeats(event, "strong")) : undefined;
  if (!seats) throw new UsageError(`There is no event ${id};${year}.`);
  const print = (line: string) => terminal.print(line);
  const next = await nextOf(event, seats, "", print);
  // Before a partner has had to wait, there is nothing to tell of them.
  if (seats.partnerGate) next.push(...(await nextOf(event, poolOf(seats, "partners"), ", partners", print)));
  if (next.length === 0) return 0;
  if (!isApplied) {
    terminal.print(`Next: ${next.join(", ")}. To give them their seats, add --apply.`);
    return 1;
  }
  const seated = await promote(event, newContext());
  terminal.print(`${number(seated.length)} people have a seat now: ${seated.join(", ")}.`);
  return 0;
}
