/** Consumer of rescheduled events: tells the people who hold a seat. */
import { announceMove } from "#domain/registrations/reactions/announce-move.ts";
import { reschedulingMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(reschedulingMessage, announceMove);
