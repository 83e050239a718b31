/** Consumer of messages after which a seat may be free or the line has changed. */
import { repair } from "#domain/registrations/reactions/repair.ts";
import { seatMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(seatMessage, repair);
