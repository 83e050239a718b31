/**
 * The follow-ups of a change of a registration. The message of the change names them, so that a crash after the commit
 * cannot lose them (`docs/design.md`, "The capacity protocol"). Pure.
 */

import type { Choices } from "#domain/capacity/seats.ts";
import type { FollowUp } from "#outbox/catalogue.ts";
import { holdsSeat, type RegistrationRecord } from "./registration.ts";

/** The fields that decide who is next in line. */
type Known = Pick<RegistrationRecord, "status" | "applicant" | "choices" | "queueKey" | "generation">;

const isWaiting = ({ status }: Known): boolean => status === "waitlist";

const gaveUp = (before: Choices, after: Choices): boolean =>
  Object.entries(before).some(([question, choice]) => after[question] !== choice);

const sameChoices = (a: Choices, b: Choices): boolean => !gaveUp(a, b) && !gaveUp(b, a);

/** Whether the change frees a seat or a place in a workshop. */
function freesPlace(before: Known, after: Known): boolean {
  if (!holdsSeat(before)) return false;
  return !holdsSeat(after) || gaveUp(before.choices, after.choices);
}

/** Whether the person has begun to wait or waits for another workshop. A seat may be free for this person already. */
function changesLine(before: Known | undefined, after: Known): boolean {
  if (!isWaiting(after)) return false;
  if (!before || !isWaiting(before) || before.queueKey !== after.queueKey) return true;
  return !sameChoices(before.choices, after.choices);
}

/**
 * The follow-ups of a change.
 * @param before undefined for the first registration of a person
 */
export function followUpsOf(before: Known | undefined, after: Known): readonly FollowUp[] {
  // A registration of an earlier generation held no seat of this one.
  const known = before?.generation === after.generation ? before : undefined;
  return (known && freesPlace(known, after)) || changesLine(known, after) ? ["promote"] : [];
}
