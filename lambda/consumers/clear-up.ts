/** Consumer of events that are deleted or called off: cancels or removes their registrations. */
import { cancelCalledOff } from "#domain/registrations/reactions/cancel-called-off.ts";
import { removeEventData } from "#domain/registrations/reactions/remove-event-data.ts";
import { eventEndMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(eventEndMessage, ({ type, data, actor }, context) =>
  (type === "event.deleted" ? removeEventData : cancelCalledOff)(data, { ...context, actor }),
);
