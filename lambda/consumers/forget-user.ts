/** Consumer of deleted accounts: cancels registrations and removes points. */
import { forgetPerson } from "#domain/registrations/reactions/forget-person.ts";
import { accountDeletionMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(accountDeletionMessage, forgetPerson);
