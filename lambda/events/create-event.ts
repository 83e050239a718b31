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
  const recreated = (await readSeats(event, "strong")) !== undefined;
  const { committed } = await untilSettled(() =>
    commit({
      event: putNewEvent(event),
      seats: putSeats(event, newSeats(event, recreated)),
      news: outboxRow(
        { type: "event.created", data: factOf(event) },
        { now, actor: caller.email, correlationId: requestId },
      ),
    }),
  );
  if (!committed) throw new Duplicate("There is an event with this id and year already.");
  return created({ message: "Event created.", item: eventAnswer(event) });
});
