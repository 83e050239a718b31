import type { EventRecord } from "#domain/events/event.ts";
import { maySee } from "#domain/events/list.ts";
import { readEvent } from "#domain/events/store.ts";
import type { Caller } from "#kit/caller.ts";
import { NotFound } from "#kit/errors.ts";

/**
 * The event that the path names.
 * @throws NotFound no such event, or it is hidden from the caller
 */
export async function visibleEvent(
  { eventId, year }: { readonly eventId: string; readonly year: number },
  caller: Caller,
): Promise<EventRecord> {
  const event = await readEvent({ id: eventId, year });
  if (!event || !maySee(event, caller)) throw new NotFound("Event");
  return event;
}
