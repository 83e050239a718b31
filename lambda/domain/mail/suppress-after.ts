/** Suppresses addresses after SES events (`docs/contract.md`, "Emails"). */
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { oneLine } from "#kit/text/text.ts";
import { auditRow } from "#outbox/audit.ts";
import { type MailEvent, UnknownMessage } from "#outbox/messages.ts";
import { type Suppression, suppressionByEvent } from "./suppressions.ts";

/**
 * Feedback types that are not complaints: the recipient reports that the mail is not spam, or a mail server that it could
 * not authenticate the mail.
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
const noComplaints: ReadonlySet<string> = new Set(["not-spam", "auth-failure"]);

/** Maximum characters of a reason that is shown to admins. */
const longestDetail = 100;

const reasonOf = (kind: "bounce" | "complaint", detail: string | null | undefined): string => {
  const line = oneLine(detail ?? "").slice(0, longestDetail);
  return line === "" ? kind : `${kind}: ${line}`;
};

/** The reason and recipients to suppress. */
function verdictOf({ bounce, complaint }: MailEvent) {
  if (bounce) {
    // A transient bounce may be a full mailbox, an undetermined one an out-of-office reply.
    if (bounce.bounceType !== "Permanent") return undefined;
    return { reason: reasonOf("bounce", bounce.bounceSubType), recipients: bounce.bouncedRecipients };
  }
  if (!complaint || noComplaints.has(complaint.complaintFeedbackType ?? "")) return undefined;
  return {
    reason: reasonOf("complaint", complaint.complaintFeedbackType),
    recipients: complaint.complainedRecipients,
  };
}

/**
 * The suppressions that follow from an event; none after a transient bounce. For a mail to one person, the address that it
 * was sent to is suppressed, because with forwarding the event contains another one.
 * @throws UnknownMessage the event has no recipient, or an invalid address
 */
export function suppressionsAfter(event: MailEvent): Suppression[] {
  const verdict = verdictOf(event);
  if (!verdict) return [];
  const { destination } = event.mail;
  const named = destination.length === 1 ? destination : verdict.recipients.map(({ emailAddress }) => emailAddress);
  const emails = named.map((address) => {
    const email = canonicalEmail(address);
    // The error quotes nothing, because it is logged.
    if (email === undefined) throw new UnknownMessage("a recipient is no address");
    return email;
  });
  if (emails.length === 0) throw new UnknownMessage("no recipient");
  return [...new Set(emails)].map((email) => ({ email, reason: verdict.reason, createdAt: event.occurredAt }));
}

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
