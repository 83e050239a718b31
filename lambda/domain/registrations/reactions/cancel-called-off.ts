/** Cancels the registrations of an event that is called off (`docs/contract.md`, "Events"). */

import { hasWaiters } from "#domain/capacity/line.ts";
import { readSeats, takenIn } from "#domain/capacity/seats.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import { leave } from "../leave.ts";
import { type Bringing, peopleIn } from "../record/plus-ones.ts";
import { hasEnded } from "../record/registration.ts";
import { IllegalTransition } from "../refusals.ts";
import { registrationsOf } from "../store/store.ts";
import { eachInTime } from "./each-in-time.ts";

type CalledOff = EventKey & Pick<EventRecord, "generation">;

/** Who is checked in or rejected stays so. @throws Contended UnknownOutcome */
export async function cancelOfCalledOff(event: CalledOff, email: string, context: RequestContext): Promise<void> {
  const departure = {
    email,
    event,
    to: "cancelled" as const,
    origin: "event called off/event" as const,
    isMeant: ({ generation }: Pick<CalledOff, "generation">) => generation === event.generation,
  };
  try {
    await leave(departure, context);
  } catch (error) {
    if (!(error instanceof IllegalTransition || error instanceof NotFound)) throw error;
  }
}

/** How many seats the people keep who are checked in, with those who come along. The list may be a moment old. */
async function seatsKept(event: CalledOff): Promise<number> {
  const checkedIn: Bringing[] = [];
  for await (const row of registrationsOf(event)) if (row.status === "checkedIn") checkedIn.push(row);
  return peopleIn(checkedIn);
}

/** Whether a person waits, or holds a seat without being checked in. Line and seats are strongly consistent. */
async function hasRegistrationsLeft(event: CalledOff): Promise<boolean> {
  const [seats, waiting] = await Promise.all([readSeats(event, "strong"), hasWaiters(event, event.generation)]);
  if (seats?.generation !== event.generation) return false;
  if (waiting || takenIn(seats) === 0) return waiting;
  return takenIn(seats) > (await seatsKept(event));
}

/**
 * Does nothing if the event takes place again meanwhile.
 * @throws NotYet not all registrations are cancelled in time: the next run continues
 */
export async function cancelCalledOff(event: CalledOff, context: RequestContext): Promise<void> {
  const isCalledOff = async () => {
    const current = await retried(() => readEvent(event), context);
    return current?.generation === event.generation && current.calledOff !== undefined;
  };
  if (!(await isCalledOff())) return;
  const emails: string[] = [];
  for await (const row of registrationsOf(event)) if (!hasEnded(row)) emails.push(row.email);
  await eachInTime(emails, context, (email) => cancelOfCalledOff(event, email, context));
  // SQS delivers the message again, and by then the list contains the missing registrations.
  if ((await hasRegistrationsLeft(event)) && (await isCalledOff())) {
    throw new Error("an event that is called off still has registrations");
  }
}
