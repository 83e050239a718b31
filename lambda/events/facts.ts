/** What the bus is told of events. Pure. */
import type { EventFact, Happening } from "../outbox/catalogue.ts";
import type { ChangedEvent, EventRecord } from "./event.ts";

export const factOf = ({ id, year, ename, version }: EventRecord): EventFact => ({ id, year, ename, version });

/** Whoever holds a seat must know when one of these changes. */
const schedule = new Set(["startDate", "endDate", "elocation"]);

/** What a change is called: one happening, the weightiest. */
export function changeOf({ event, changed }: ChangedEvent): Happening {
  const fact = factOf(event);
  if (changed.some((name) => schedule.has(name))) return { type: "event.rescheduled", data: { ...fact, changed } };
  return { type: "event.updated", data: { ...fact, changed } };
}

export const capacityChangeOf = ({ event }: ChangedEvent): Happening => ({
  type: "event.capacityChanged",
  data: { ...factOf(event), capac: event.capac ?? null },
});
