import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { auditRow } from "#outbox/audit.ts";
import type { MailEvent } from "#outbox/messages.ts";
import { suppressionsAfter } from "./mail-feedback.ts";
import { suppressionByEvent } from "./suppressions.ts";

/** Suppresses the addresses of a mail with a permanent bounce or a complaint. Idempotent; events may arrive late. */
export async function suppressAfter(event: MailEvent, context: RequestContext): Promise<void> {
  for (const suppression of suppressionsAfter(event)) {
    const audit = auditRow({ action: "suppression.created", email: suppression.email }, context);
    const refused = await writeOnce({ ...suppressionByEvent(suppression), audit }, context);
    // The address stays out of the log.
    const facts = { id: event.id, reason: suppression.reason };
    if (refused) log.info("suppressed already, or lifted since", facts);
    else log.info("address suppressed", facts);
  }
}
