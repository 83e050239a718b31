/** `promote <event id> <year>`: gives the free seats of an event to its line (docs/runbook.md). */

import { mayPromote } from "#domain/capacity/allocate.ts";
import { countLine } from "#domain/capacity/line.ts";
import { readSeats } from "#domain/capacity/seats.ts";
import { nextToPromote, promote } from "#domain/registrations/promote.ts";
import { UsageError } from "../kit/outputs.ts";
import { patiently } from "./invariants/patiently.ts";
import { newContext } from "./operations.ts";
import type { Run } from "./run.ts";
import { type ExitCode, number } from "./terminal.ts";

/** Why nobody is promoted. */
const obstacle = (state: string, mode: string, isFull: boolean): string => {
  if (state !== "OPEN") return `registration is ${state}`;
  if (mode === "application") return "an admin decides on applications";
  return isFull ? "no seat is free" : "the event has started";
};

/** @throws UsageError the event does not exist */
export async function promoteLine({ words, terminal, isApplied }: Run): Promise<ExitCode> {
  const [id = "", year = ""] = words;
  const event = { id, year: Number(year) };
  const seats = Number.isInteger(event.year) ? await patiently(() => readSeats(event, "strong")) : undefined;
  if (!seats) throw new UsageError(`There is no event ${id};${year}.`);
  const waiting = await patiently(() => countLine(event, seats.generation, "strong"));
  const free = Math.max(0, seats.capacity - seats.seats);
  terminal.print(
    `${id};${year}: ${number(seats.seats)} seats taken, ${free > 1e9 ? "no limit" : `${number(free)} free`}, ${number(waiting)} wait.`,
  );
  if (!mayPromote(seats, Date.now())) {
    terminal.print(`No person moves up: ${obstacle(seats.state, seats.mode, free === 0)}.`);
    return 0;
  }
  const next = await patiently(() => nextToPromote(event, seats, Date.now()));
  if (next.kind !== "seated") {
    terminal.print(waiting === 0 ? "The line is empty." : "Every person in line waits for a workshop that is full.");
    return 0;
  }
  if (!isApplied) {
    terminal.print(`Next: ${next.people.map(({ email }) => email).join(", ")}. To give them their seats, add --apply.`);
    return 1;
  }
  const seated = await promote(event, newContext());
  terminal.print(`${number(seated.length)} people have a seat now: ${seated.join(", ")}.`);
  return 0;
}
