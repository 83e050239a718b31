import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { Contended, EventHasRegistrations, NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit, type TransactItem } from "#kit/table.ts";
import { isAnybodyWaiting } from "../line/store.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { promoteOrLeaveToOthers } from "../registrations/promote.ts";
import { choiceCounters, seatSettings } from "../seats/seats.ts";
import { adjustSeats, readSeats } from "../seats/store.ts";
import { type ChangedEvent, changeEvent, type EventKey, eventAnswer, withQuestionIds } from "./event.ts";
import { capacityChangeOf, changeOf } from "./facts.ts";
import * as routes from "./routes.ts";
import type { EventChanges } from "./schemas.ts";
import { readEvent, replaceEvent } from "./store.ts";
import { touchesSeats } from "./touches-seats.ts";

const timeZone = requiredEnv("TIME_ZONE");

const hasRegistrations = () =>
  new EventHasRegistrations("An event with registrations cannot change whether it takes applications.");

/** The seats' part of a change, if they are touched by it. */
async function seatsMember({ event, changed, changesMode }: ChangedEvent): Promise<TransactItem | undefined> {
  if (!touchesSeats(changed)) return undefined;
  const [seats, waiting] = await Promise.all([
    readSeats(event, "strong"),
    changesMode && isAnybodyWaiting(event, event.incarnation),
  ]);
  if (waiting) throw hasRegistrations();
  const counted = seats?.taken ?? {};
  return adjustSeats(event, seatSettings(event), { counted, wanted: choiceCounters(event, counted) }, changesMode);
}

/** The change as it was committed, and whether the seats followed. */
async function commitChange(key: EventKey, changes: EventChanges, origin: Origin) {
  let wasTried = false;
  return untilSettled(async () => {
    const read = await readEvent(key);
    if (!read) throw new NotFound("Event");
    const change = changeEvent(read, changes, { now: origin.now, timeZone });
    // Nothing is left to change when an earlier try was carried out and only its answer got lost.
    if (change.changed.length === 0) return { event: read, followed: wasTried };
    const seats = await seatsMember(change);
    const members: Record<string, TransactItem> = {
      event: replaceEvent(change.event, read),
      news: outboxRow(changeOf(change), origin),
      ...(seats && { seats }),
      ...(change.changed.includes("capac") && { capacityNews: outboxRow(capacityChangeOf(change), origin) }),
    };
    wasTried ||= seats !== undefined;
    const outcome = await commit(members);
    if (outcome.committed) return { event: change.event, followed: seats !== undefined };
    if ("seats" in outcome.refused && change.changesMode) throw hasRegistrations();
    return again;
  });
}

/** How many seats too many are taken. The change stands also when others keep us from looking. */
async function overCapacity(key: EventKey): Promise<number> {
  try {
    const seats = await untilSettled(() => readSeats(key, "strong"));
    return seats ? Math.max(0, seats.seats - seats.cap) : 0;
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
    return 0;
  }
}

export const updateEvent = api(routes.updateEvent, async ({ params, body, caller, now, requestId }) => {
  const key = { id: params.eventId, year: params.year };
  const origin = { now, actor: caller.email, correlationId: requestId };
  const { event, followed } = await commitChange(key, withQuestionIds(body), origin);
  if (followed) await promoteOrLeaveToOthers(key, origin);
  const overCapacityBy = body.capac === undefined ? 0 : await overCapacity(key);
  return ok({ message: "Event updated.", item: eventAnswer(event), ...(overCapacityBy > 0 && { overCapacityBy }) });
});
