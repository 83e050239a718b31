/** What the bus is told of events. Pure. */
import type { EventFact, Happening } from "../outbox/catalogue.ts";
import type { ChangedEvent, EventRecord } from "./event.ts";

export const factOf = ({ id, year, incarnation, ename, version }: EventRecord): EventFact => ({
  id,
  year,
  incarnation,
  ename,
  version,
});

/** What a change is called: one happening, the weightiest. */
export function changeOf({ event, changed, rescheduled }: ChangedEvent): Happening {
  const fact = factOf(event);
  if (rescheduled) {
    return { type: "event.rescheduled", data: { ...fact, changed, scheduleVersion: event.scheduleVersion } };
  }
  return { type: "event.updated", data: { ...fact, changed } };
}

export const capacityChangeOf = ({ event }: ChangedEvent): Happening => ({
  type: "event.capacityChanged",
  data: { ...factOf(event), capac: event.capac ?? null },
});
