import { NotFound } from "#kit/errors.ts";
import type { Caller } from "#kit/request/caller.ts";
import type { Consistency } from "#kit/table/table.ts";
import type { EventKey, EventRecord } from "./event.ts";
import { maySee } from "./list.ts";
import { readEvent } from "./store.ts";

/**
 * The event, for a route that shows data about it. Only the event item shows whether the event exists: the seats item
 * outlives it.
 * @param now epoch milliseconds
 * @throws NotFound the event does not exist, or is hidden from the caller
 */
export async function visibleEvent(
  key: EventKey,
  caller: Caller | undefined,
  now: number,
  consistency: Consistency = "strong",
): Promise<EventRecord> {
  const event = await readEvent(key, consistency);
  if (!event || !maySee(event, caller, now)) throw new NotFound("Event");
  return event;
}
