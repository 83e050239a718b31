import { ulid } from "ulid";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate } from "#kit/errors.ts";
import { untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { outboxRow } from "../outbox/store.ts";
import { newSeats } from "../seats/seats.ts";
import { putSeats, readSeats } from "../seats/store.ts";
import { eventAnswer, newEvent } from "./event.ts";
import { factOf } from "./facts.ts";
import * as routes from "./routes.ts";
import { putNewEvent } from "./store.ts";

const timeZone = requiredEnv("TIME_ZONE");

export const createEvent = api(routes.createEvent, async ({ body, caller, now, requestId }) => {
  const event = newEvent(body, { now, incarnation: ulid(now), timeZone });
  const isOurs = await untilSettled(async () => {
    const seats = await readSeats(event, "strong");
    // An earlier try was carried out, and only its answer got lost.
    if (seats?.incarnation === event.incarnation) return true;
    const { committed } = await commit({
      event: putNewEvent(event),
      seats: putSeats(event, newSeats(event, seats !== undefined)),
      news: outboxRow(
        { type: "event.created", data: factOf(event) },
        { now, actor: caller.email, correlationId: requestId },
      ),
    });
    return committed;
  });
  if (!isOurs) throw new Duplicate("There is an event with this id and year already.");
  return created({ message: "Event created.", item: eventAnswer(event) });
});
