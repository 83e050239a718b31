/**
 * Consumer of SES events: an address with a permanent bounce or a complaint gets no more campaigns (`docs/contract.md`,
 * "Emails").
 */
import { suppressAfter } from "#domain/mail/suppress-after.ts";
import { mailEvent } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export const handler = consumer(mailEvent, suppressAfter);
