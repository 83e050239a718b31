/**
 * Consumer of the events that SES publishes about mails: an address with a permanent bounce or a complaint gets no
 * campaigns any more (`docs/contract.md`, "Emails"). May run twice for one event, and late.
 */
import { suppressionsAfter } from "#domain/mail/mail-feedback.ts";
import { suppressionByEvent } from "#domain/mail/suppressions.ts";
import type { RequestContext } from "#kit/context.ts";
import { writeOnce } from "#kit/execute.ts";
import { log } from "#kit/log.ts";
import { type MailEvent, mailEvent } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

export async function suppress(event: MailEvent, context: RequestContext): Promise<void> {
  for (const suppression of suppressionsAfter(event)) {
    const refused = await writeOnce(suppressionByEvent(suppression), context);
    // The address stays out of the log.
    log.info(refused ? "suppressed already, or lifted since" : "address suppressed", {
      id: event.id,
      reason: suppression.reason,
    });
  }
}

export const handler = consumer(mailEvent, suppress);
