import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { EventHasRegistrations, NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { isAnybodyWaiting } from "../line/store.ts";
import { outboxRow } from "../outbox/store.ts";
import { markSeatsDeleted } from "../seats/store.ts";
import { factOf } from "./facts.ts";
import * as routes from "./routes.ts";
import { readEvent, rememberEvent, removeEvent } from "./store.ts";

const hasRegistrations = () =>
  new EventHasRegistrations("People are registered for this event. Delete it with force=true to cancel them all.");

export const deleteEvent = api(routes.deleteEvent, async ({ params, query, caller, now, requestId }) => {
  const key = { id: params.eventId, year: params.year };
  const onlyIfEmpty = query.force !== true;
  let tried: string | undefined;
  await untilSettled(async () => {
    const event = await readEvent(key);
    // The event of an earlier try is gone: its answer got lost, or somebody else was faster.
    if (tried !== undefined && event?.incarnation !== tried) return true;
    if (!event) throw new NotFound("Event");
    const { incarnation } = event;
    if (onlyIfEmpty && (await isAnybodyWaiting(key, incarnation))) throw hasRegistrations();
    tried = incarnation;
    const outcome = await commit({
      event: removeEvent(event),
      memory: rememberEvent(event, now),
      seats: markSeatsDeleted(key, incarnation, onlyIfEmpty),
      news: outboxRow(
        { type: "event.deleted", data: factOf(event) },
        { now, actor: caller.email, correlationId: requestId },
      ),
    });
    if (outcome.committed) return true;
    if ("seats" in outcome.refused && !("event" in outcome.refused)) throw hasRegistrations();
    return again;
  });
  return ok({ message: "Event deleted." });
});
