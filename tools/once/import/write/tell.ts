/**
 * Sends the tickets of imported registrations, with `--tell`. Each is sent once: the message and the note that it was sent
 * are written in one transaction.
 */

import { noLimit } from "#domain/capacity/seats.ts";
import { isHidden } from "#domain/events/event.ts";
import { seatSettings } from "#domain/events/seat-settings.ts";
import { factOf } from "#domain/registrations/record/registration.ts";
import { noticeOfState } from "#domain/registrations/record/statuses.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { registrationKey } from "#domain/registrations/store/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { outboxRow } from "#outbox/store.ts";
import { eventName } from "../map/keys.ts";
import type { MappedRegistration } from "../map/registration.ts";
import type { Mapping } from "../source/survey.ts";
import type { Plan } from "./batches.ts";
import { type Note, noteKey, noteTold } from "./notes.ts";

/** Only for visible upcoming events. */
export const tellPlan = (
  mapping: Pick<Mapping, "events" | "now">,
  context: RequestContext,
): Plan<MappedRegistration> => ({
  most: 40,
  keysOf: ({ record: { email, eventID, year }, name }) => [
    registrationKey({ email, event: { id: eventID, year } }),
    noteKey("registrations", name),
  ],
  decide({ record: { email, eventID, year }, name }, find) {
    const { now, events } = mapping;
    const key = { id: eventID, year };
    const event = events.get(eventName(key))?.event;
    const item = find(registrationKey({ email, event: key }));
    const stored = item && registrationIn(item);
    const note = find(noteKey("registrations", name)) as unknown as Note | undefined;
    const { startsAt = 0, deadline = 0 } = event ? seatSettings(event) : {};
    const isOver =
      !event || isHidden(event, now) || event.isCompleted || (startsAt === noLimit ? deadline : startsAt) <= now;
    const notice = stored && stored.generation === event?.generation ? noticeOfState(stored) : undefined;
    if (isOver || !stored || !notice || !note || note.toldAt !== undefined)
      return { verdict: "imported before", members: {} };
    const message = { type: "registration.updated", data: { ...factOf(stored), notice } } as const;
    const members = { message: outboxRow(message, context), note: noteTold("registrations", name, now) };
    return { verdict: "new", members };
  },
});
