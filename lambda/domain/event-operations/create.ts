/** Creates an event with its seats. */
import { putSeats, readSeats } from "#domain/capacity/seats.ts";
import { type CopyTerms, copyOf } from "#domain/events/copy.ts";
import { type EventKey, type EventRecord, newEvent } from "#domain/events/event.ts";
import type { NewEvent } from "#domain/events/event-input.ts";
import { factOf } from "#domain/events/facts.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { putNewEvent, readEvent } from "#domain/events/store.ts";
import { checkCounters } from "#domain/events/workshop-size.ts";
import { Duplicate, NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { settings } from "./settings.ts";

/**
 * Creates a draft like an event, without its people.
 * @throws NotFound ValidationFailed Duplicate
 */
export async function copyEvent(source: EventKey, terms: CopyTerms, context: RequestContext): Promise<EventRecord> {
  const event = await readEvent(source, "strong");
  if (!event) throw new NotFound("Event");
  return createEvent(copyOf(event, terms, settings.timeZone), context);
}

/** @throws ValidationFailed Duplicate */
export async function createEvent(details: NewEvent, context: RequestContext): Promise<EventRecord> {
  const event = newEvent(details, { now: context.now, generation: context.newId(), ...settings });
  checkCounters(event);
  return execute(
    {
      /** @param isTaken the transaction was refused because the event exists */
      read: async (isTaken: boolean | undefined) => ({ isTaken, seats: await readSeats(event, "strong") }),
      decide({ isTaken, seats }): Decision<EventRecord, boolean> {
        // The seats item outlives its event, with the state `DELETED`.
        if (isTaken || (seats && seats.state !== "DELETED")) {
          throw new Duplicate("There is an event with this id and year already.");
        }
        const members = {
          event: putNewEvent(event),
          seats: putSeats(event, newSeats(event, seats !== undefined)),
          message: outboxRow({ type: "event.created", data: factOf(event) }, context),
        };
        return write(members, event, (refused) => refused.event !== undefined);
      },
    },
    context,
  );
}
