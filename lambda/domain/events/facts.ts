/** Builds the messages about events (`docs/contract.md`, "Messages on the bus"). Pure. */
import type { EventFact, FollowUp, OutboxMessage } from "#outbox/catalogue.ts";
import type { ChangedEvent, EventRecord } from "./event.ts";
import { touchesSeats } from "./touches-seats.ts";

export const factOf = ({ id, year, generation, ename, version }: EventRecord): EventFact => ({
  id,
  year,
  generation,
  ename,
  version,
});

/** The message of a change: `event.rescheduled` if all seat holders have to know, or `event.calledOff`, which ends their seats. */
export function changeOf({ event, changed, rescheduled, isBack, isCalledOff }: ChangedEvent): OutboxMessage {
  if (isCalledOff) return { type: "event.calledOff", data: factOf(event) };
  // A change may make room for waiting people: more capacity, a larger workshop, an event that opens again or starts
  // later. The promoter then checks the line (`docs/design.md`, "The capacity protocol").
  const followUps: FollowUp[] = touchesSeats(changed) ? ["promote"] : [];
  const fact = { ...factOf(event), followUps };
  if (rescheduled) {
    const { scheduleVersion } = event;
    return { type: "event.rescheduled", data: { ...fact, changed, scheduleVersion, ...(isBack && { isBack }) } };
  }
  return { type: "event.updated", data: { ...fact, changed } };
}

export const capacityChangeOf = ({ event }: ChangedEvent): OutboxMessage => ({
  type: "event.capacityChanged",
  data: { ...factOf(event), followUps: ["promote"], capac: event.capac ?? null },
});
