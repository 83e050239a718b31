/** Deletes an event. The seats item remains, marked as deleted. */

import { hasWaiters } from "#domain/capacity/line.ts";
import { markSeatsDeleted, readSeats, takenIn } from "#domain/capacity/seats.ts";
import { type EventKey, type EventRecord, editedEvent } from "#domain/events/event.ts";
import { factOf } from "#domain/events/facts.ts";
import { EventHasRegistrations } from "#domain/events/refusals.ts";
import { type DeletionTerms, readEvent, rememberEvent, removeEvent } from "#domain/events/store.ts";
import { holdsSeat } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { isRefundable } from "#domain/registrations/record/transition.ts";
import { registrationKey, registrationsOf } from "#domain/registrations/store/store.ts";
import { NotFound } from "#kit/errors.ts";
import { allOf } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type IfMatch, requireMatch } from "#kit/request/etag.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import { getItems } from "#kit/table/table.ts";
import { outboxRow } from "#outbox/store.ts";

const hasRegistrations = () =>
  new EventHasRegistrations("People are registered for this event. Delete it with force=true to cancel them all.");

/** The condition under which an event may be deleted. */
export interface Demands extends DeletionTerms {
  readonly onlyIfEmpty: boolean;
  readonly ifMatch: IfMatch | undefined;
}

/** The number of paid seats whose holders have not checked in. */
async function countRefunds(event: EventRecord): Promise<number> {
  const held = (await allOf(registrationsOf(event))).filter(holdsSeat);
  const keys = held.map(({ email }) => registrationKey({ email, event }));
  const registrations = (await getItems(keys, "strong")).map(registrationIn);
  return registrations.filter((one) => one.generation === event.generation && isRefundable(one)).length;
}

/**
 * @returns how many refunds the deletion requires
 * @throws NotFound PreconditionFailed EventHasRegistrations
 */
export const deleteEvent = (
  key: EventKey,
  { onlyIfEmpty, refund, ifMatch }: Demands,
  context: RequestContext,
): Promise<number> =>
  execute(
    {
      async read() {
        const event = await readEvent(key);
        if (!event) throw new NotFound("Event");
        requireMatch(ifMatch, editedEvent(event));
        if (!onlyIfEmpty) return { event, isTaken: false, refunds: refund === "none" ? 0 : await countRefunds(event) };
        const [seats, isWaiting] = await Promise.all([readSeats(key, "strong"), hasWaiters(key, event.generation)]);
        const isHeld = seats?.generation === event.generation && takenIn(seats) > 0;
        return { event, isTaken: isHeld || isWaiting, refunds: 0 };
      },
      decide({ event, isTaken, refunds }): Decision<number> {
        if (isTaken) throw hasRegistrations();
        const members = {
          event: removeEvent(event),
          memory: rememberEvent(event, { refund }, context.now),
          seats: markSeatsDeleted(key, event.generation, onlyIfEmpty),
          message: outboxRow({ type: "event.deleted", data: factOf(event) }, context),
        };
        return write(members, refunds);
      },
    },
    context,
  );
