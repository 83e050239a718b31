/** Consumer of messages that all seat holders of an event hear of. */
import { announce } from "#domain/registrations/reactions/announce.ts";
import { announcement } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(announcement, announce);
