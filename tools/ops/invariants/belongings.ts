/** Invariants of the hold of a registration. Pure. */
import { isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";

/** The problem of a hold, from the registration and whether its hold exists. */
export function holdProblem(
  registration: Pick<RegistrationRecord, "status" | "holdExpiresAt">,
  hasHold: boolean,
): "no hold" | "hold on a paid seat" | undefined {
  if (isUnpaid(registration)) return registration.holdExpiresAt !== undefined && hasHold ? undefined : "no hold";
  return registration.holdExpiresAt === undefined ? undefined : "hold on a paid seat";
}
