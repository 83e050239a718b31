/** Cancels the registrations of an event that is called off (`docs/contract.md`, "Events"). */

import { hasWaiters } from "#domain/capacity/line.ts";
import { readSeats, takenIn } from "#domain/capacity/seats.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import { leave } from "../leave.ts";
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

/** Whether a seat is held by a person who is not checked in, or a person waits. Strongly consistent. */
async function hasRegistrationsLeft(event: CalledOff): Promise<boolean> {
  const [seats, waiting] = await Promise.all([readSeats(event, "strong"), hasWaiters(event, event.generation)]);
  if (seats?.generation !== event.generation) return false;
  return waiting || takenIn(seats) > seats.checkedIn + (seats.partnersCheckedIn ?? 0);
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
