import { type EventRecord, editedEvent, newEvent } from "#domain/events/event.ts";
import { factOf } from "#domain/events/facts.ts";
import { putNewEvent } from "#domain/events/store.ts";
import { putEmptyCount } from "#domain/registrations/line/kept-count.ts";
import { newSeats, type Seats } from "#domain/capacity/seats.ts";
import { putSeats, readSeats } from "#domain/capacity/demands.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate } from "#kit/errors.ts";
import { etagOf } from "#kit/etag.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { eventAnswer } from "./event-answer.ts";
import * as routes from "./routes.ts";
import { checkCounters } from "./workshop-size.ts";

const settings = { timeZone: requiredEnv("TIME_ZONE"), currency: requiredEnv("CURRENCY") };

/** The facts for the creation of an event. */
interface Facts {
  /** The transaction was refused because the event exists. */
  readonly isTaken?: boolean | undefined;
  readonly seats: Seats | undefined;
}

/** @throws Duplicate */
const create = (event: EventRecord, context: RequestContext): Promise<void> =>
  execute(
    {
      depth: "certain",
      read: async (_depth, isTaken: boolean | undefined) => ({ isTaken, seats: await readSeats(event, "strong") }),
      decide({ isTaken = false, seats }: Facts): Decision<void, boolean> {
        // The seats of a deleted event stay, with the state `DELETED`.
        if (isTaken || (seats && seats.state !== "DELETED")) {
          throw new Duplicate("There is an event with this id and year already.");
        }
        const members = {
          event: putNewEvent(event),
          seats: putSeats(event, newSeats(event, seats !== undefined)),
          message: outboxRow({ type: "event.created", data: factOf(event) }, context),
          waiting: putEmptyCount(event, event.generation, context.now),
        };
        return write(members, undefined, (refused) => refused.event !== undefined);
      },
    },
    context,
  );

export const createEvent = api(routes.createEvent, async ({ body, now, context }) => {
  const event = newEvent(body, { now, generation: context.newId(), ...settings });
  checkCounters(event);
  await create(event, context);
  return created({ message: "Event created.", item: eventAnswer(event) }, etagOf(editedEvent(event)));
});
