/** Consumer of rescheduled events: notifies the seat holders. */
import { announceMove } from "#domain/registrations/reactions/announce-move.ts";
import { reschedulingMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(reschedulingMessage, announceMove);
