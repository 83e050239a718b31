/** Suppresses addresses and lifts suppressions, at an admin's request. */
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { auditRow } from "#outbox/audit.ts";
import { liftSuppression, putSuppression, type Suppression } from "./suppressions.ts";

export async function suppress(asked: Omit<Suppression, "createdAt">, context: RequestContext): Promise<Suppression> {
  const suppression = { ...asked, createdAt: context.now };
  const audit = auditRow({ action: "suppression.created", email: asked.email }, context);
  await writeOnce({ suppression: putSuppression(suppression), audit }, context);
  return suppression;
}

/** Lifts the suppression of an address, if there is one. */
export async function lift(email: string, context: RequestContext): Promise<void> {
  const audit = auditRow({ action: "suppression.lifted", email }, context);
  await writeOnce({ ...liftSuppression(email, context.now), audit }, context);
}
