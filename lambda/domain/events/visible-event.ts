import type { Caller } from "#kit/caller.ts";
import { NotFound } from "#kit/errors.ts";
import type { Consistency } from "#kit/table.ts";
import type { EventKey, EventRecord } from "./event.ts";
import { maySee } from "./list.ts";
import { readEvent } from "./store.ts";

/**
 * The event, for a route that shows something of it. The seats of a deleted event remain with their counters, so only
 * the event itself says whether it is there.
 * @throws NotFound no such event, or it is hidden from the caller
 */
export async function visibleEvent(
  key: EventKey,
  caller: Caller | undefined,
  consistency: Consistency = "strong",
): Promise<EventRecord> {
  const event = await readEvent(key, consistency);
  if (!event || !maySee(event, caller)) throw new NotFound("Event");
  return event;
}
