/** Suppresses addresses, as an admin asks or after an event of a mail, and lifts that again. */
import type { RequestContext } from "#kit/context.ts";
import { writeOnce } from "#kit/execute.ts";
import { log } from "#kit/log.ts";
import type { MailEvent } from "#outbox/messages.ts";
import { suppressionsAfter } from "./mail-feedback.ts";
import { liftSuppression, putSuppression, type Suppression, suppressionByEvent } from "./suppressions.ts";

export async function suppress(asked: Omit<Suppression, "createdAt">, context: RequestContext): Promise<Suppression> {
  const suppression = { ...asked, createdAt: context.now };
  await writeOnce({ suppression: putSuppression(suppression) }, context);
  return suppression;
}

/** Lifts the suppression of an address, if there is one. */
export async function lift(email: string, context: RequestContext): Promise<void> {
  await writeOnce(liftSuppression(email, context.now), context);
}

/** Suppresses the addresses of a mail that bounced for good, or was complained of. May run twice for one event, and late. */
export async function suppressAfter(event: MailEvent, context: RequestContext): Promise<void> {
  for (const suppression of suppressionsAfter(event)) {
    const refused = await writeOnce(suppressionByEvent(suppression), context);
    // The address stays out of the log.
    log.info(refused ? "suppressed already, or lifted since" : "address suppressed", {
      id: event.id,
      reason: suppression.reason,
    });
  }
}
