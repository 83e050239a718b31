/** What the bus is told of events. Pure. */
import type { EventFact, FollowUp, OutboxMessage } from "#outbox/catalogue.ts";
import type { ChangedEvent, EventRecord } from "./event.ts";
import { touchesSeats } from "./touches-seats.ts";

export const factOf = ({ id, year, incarnation, ename, version }: EventRecord): EventFact => ({
  id,
  year,
  incarnation,
  ename,
  version,
});

/**
 * More capacity, more room in a workshop, an event that is open again or starts later: each may give people who wait
 * their seat (`design.md`, section 6).
 */
const followUpsOf = (changed: readonly string[]): readonly FollowUp[] => (touchesSeats(changed) ? ["promote"] : []);

/** What a change is called: one message, the weightiest. */
export function changeOf({ event, changed, rescheduled }: ChangedEvent): OutboxMessage {
  const fact = { ...factOf(event), followUps: followUpsOf(changed) };
  if (rescheduled) {
    return { type: "event.rescheduled", data: { ...fact, changed, scheduleVersion: event.scheduleVersion } };
  }
  return { type: "event.updated", data: { ...fact, changed } };
}

export const capacityChangeOf = ({ event }: ChangedEvent): OutboxMessage => ({
  type: "event.capacityChanged",
  data: { ...factOf(event), followUps: ["promote"], capac: event.capac ?? null },
});
