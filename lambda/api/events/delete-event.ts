import { type EventKey, type EventRecord, editedEvent } from "#domain/events/event.ts";
import { factOf } from "#domain/events/facts.ts";
import { readEvent, rememberEvent, removeEvent } from "#domain/events/store.ts";
import { hasWaiters } from "#domain/registrations/line/store.ts";
import type { Seats } from "#domain/registrations/seats/seats.ts";
import { markSeatsDeleted, readSeats } from "#domain/registrations/seats/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { EventHasRegistrations, NotFound } from "#kit/errors.ts";
import { type IfMatch, requireMatch } from "#kit/etag.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import * as routes from "./routes.ts";

/** The facts for the deletion of an event. Seats and line are read only where registrations may forbid the deletion. */
interface DeletionFacts {
  readonly event: EventRecord | undefined;
  readonly seats?: Seats | undefined;
  readonly isWaiting?: boolean;
}

const hasRegistrations = () =>
  new EventHasRegistrations("People are registered for this event. Delete it with force=true to cancel them all.");

/** The condition under which an event may be deleted. */
interface Demands {
  readonly onlyIfEmpty: boolean;
  readonly ifMatch: IfMatch | undefined;
}

/** @throws NotFound PreconditionFailed EventHasRegistrations */
const remove = (key: EventKey, { onlyIfEmpty, ifMatch }: Demands, context: RequestContext): Promise<void> =>
  execute(
    {
      depth: "certain",
      async read() {
        const event = await readEvent(key);
        if (!event || !onlyIfEmpty) return { event };
        const [seats, isWaiting] = await Promise.all([readSeats(key, "strong"), hasWaiters(key, event.incarnation)]);
        return { event, seats, isWaiting };
      },
      decide({ event, seats, isWaiting = false }: DeletionFacts): Decision<void> {
        if (!event) throw new NotFound("Event");
        requireMatch(ifMatch, editedEvent(event));
        const isTaken = seats?.incarnation === event.incarnation && seats.seats + seats.applicants > 0;
        if (isTaken || isWaiting) throw hasRegistrations();
        const members = {
          ...removeEvent(event),
          memory: rememberEvent(event, context.now),
          seats: markSeatsDeleted(key, event.incarnation, onlyIfEmpty),
          message: outboxRow({ type: "event.deleted", data: factOf(event) }, context),
        };
        return write(members, undefined);
      },
    },
    context,
  );

export const deleteEvent = api(routes.deleteEvent, async ({ params, query, ifMatch, context }) => {
  const onlyIfEmpty = query.force !== true;
  await remove({ id: params.eventId, year: params.year }, { onlyIfEmpty, ifMatch }, context);
  return ok({ message: "Event deleted." });
});
