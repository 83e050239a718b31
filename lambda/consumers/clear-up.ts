/** Consumer of deleted events: cancels or removes their registrations. */
import { removeEventData } from "#domain/registrations/reactions/remove-event-data.ts";
import { deletionMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(deletionMessage, ({ data, actor }, context) =>
  removeEventData(data, { ...context, actor }),
);
