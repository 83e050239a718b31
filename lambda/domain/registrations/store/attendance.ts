/** How often a person came to the events before (`docs/contract.md`, "Registrations"). */
import pMap from "p-map";
import { type Seats, seatsKey } from "#domain/capacity/seats.ts";
import { getItems } from "#kit/table/table.ts";
import { holdsSeat } from "../record/registration.ts";
import type { StoredRegistration } from "../record/stored-form.ts";
import { readRegistrationsOf } from "./store.ts";

/** Events of a person that are looked at: the last ones that have begun. */
const lastEvents = 10;
/** People that are read at the same time. */
const atOnce = 20;

/** Of the last events with a seat for the person, how many there were, and how many the person came to. */
export interface Attendance {
  readonly events: number;
  readonly came: number;
}

type Seat = Pick<StoredRegistration, "status" | "eventID" | "year" | "generation">;

const nameOf = ({ PK }: { readonly PK: string }): string => PK;
const keyOf = ({ eventID: id, year }: Seat) => seatsKey({ id, year });

/**
 * The attendance of one person. Pure.
 * @param seatsOf the seats item of a registration's event
 * @param now epoch milliseconds
 */
export function attendanceOf(
  registrations: readonly Seat[],
  seatsOf: (registration: Seat) => Pick<Seats, "generation" | "startsAt"> | undefined,
  now: number,
): Attendance {
  const begun = registrations.filter(holdsSeat).flatMap(({ ...registration }) => {
    const seats = seatsOf(registration);
    const isBegun = seats?.generation === registration.generation && seats.startsAt <= now;
    return isBegun ? [{ ...registration, startsAt: seats.startsAt }] : [];
  });
  const last = begun.sort((a, b) => b.startsAt - a.startsAt).slice(0, lastEvents);
  return { events: last.length, came: last.filter(({ status }) => status === "checkedIn").length };
}

/**
 * The attendance of each of these people: a query for each, and the seats of their events, each once.
 * @param now epoch milliseconds
 */
export async function readAttendance(emails: readonly string[], now: number): Promise<ReadonlyMap<string, Attendance>> {
  const people = [...new Set(emails)];
  const registrations = await pMap(people, readRegistrationsOf, { concurrency: atOnce });
  const keys = new Map(registrations.flat().map((one) => [nameOf(keyOf(one)), keyOf(one)]));
  const seats = await getItems<Seats>([...keys.values()], "eventual");
  const byName = new Map(seats.map((one) => [nameOf(one), one]));
  const seatsOf = (one: Seat) => byName.get(nameOf(keyOf(one)));
  return new Map(people.map((email, at) => [email, attendanceOf(registrations[at] ?? [], seatsOf, now)]));
}
