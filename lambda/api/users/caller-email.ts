/** The email of the person in a path. */
import type { Caller } from "#kit/caller.ts";
import { canonicalEmail } from "#kit/email.ts";
import { NotAllowed, ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/formats.ts";

/**
 * `self` means the caller.
 * @throws ValidationFailed
 */
function emailOf(named: string, caller: Caller): string {
  if (named === "self") return caller.email;
  const email = canonicalEmail(named);
  if (!email) throw new ValidationFailed([{ path: "/email", message: formats.email.message }]);
  return email;
}

/**
 * An admin may name any person. Other callers always get their own record.
 * @throws ValidationFailed
 */
export const ownUnlessAdmin = (named: string, caller: Caller): string =>
  caller.isAdmin ? emailOf(named, caller) : caller.email;

/**
 * A caller may name themselves, and an admin any person.
 * @param refusal the message for a caller who names another person
 * @throws NotAllowed ValidationFailed
 */
export function ownOrByAdmin(named: string, caller: Caller, refusal: string): string {
  const email = emailOf(named, caller);
  if (email !== caller.email && !caller.isAdmin) throw new NotAllowed(refusal);
  return email;
}
