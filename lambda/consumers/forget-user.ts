/** Consumer of deleted accounts: cancels registrations, and removes points and what the person entered. */
import { forgetAtOnce } from "#domain/personal-data/forget-at-once.ts";
import { accountDeletionMessage } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(accountDeletionMessage, forgetAtOnce);
