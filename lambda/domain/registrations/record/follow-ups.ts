/**
 * The follow-ups of a change of a registration. The message of the change contains them, so that they survive a crash after
 * the commit (`docs/design.md`, "The capacity protocol"). Pure.
 */

import type { Choices } from "#domain/capacity/seats.ts";
import type { FollowUp } from "#outbox/catalogue.ts";
import { type Bringing, broughtBy } from "./plus-ones.ts";
import { holdsSeat, type RegistrationRecord } from "./registration.ts";

/** The fields that determine who is next in line, and what an unpaid seat costs. */
type Known = Pick<
  RegistrationRecord,
  "status" | "applicant" | "choices" | "queueKey" | "pool" | "generation" | "holdExpiresAt" | "isPartner"
> &
  Bringing;

const isWaiting = ({ status }: Known): boolean => status === "waitlist";

const gaveUp = (before: Choices, after: Choices): boolean =>
  Object.entries(before).some(([question, choice]) => after[question] !== choice);

const sameChoices = (a: Choices, b: Choices): boolean => !gaveUp(a, b) && !gaveUp(b, a);

/** Whether the change frees a seat or a workshop choice, or those behind a group that waits for more seats than are free. */
function freesPlace(before: Known, after: Known): boolean {
  if (isWaiting(before)) return broughtBy(before) > 0 && !isWaiting(after) && !holdsSeat(after);
  if (!holdsSeat(before)) return false;
  if (!holdsSeat(after) || before.pool !== after.pool || broughtBy(before) > broughtBy(after)) return true;
  return gaveUp(before.choices, after.choices);
}

/** Whether the person has joined the line or waits for another workshop. A seat may already be free for them. */
function changesLine(before: Known | undefined, after: Known): boolean {
  if (!isWaiting(after)) return false;
  if (!before || !isWaiting(before) || before.queueKey !== after.queueKey || before.pool !== after.pool) return true;
  if (broughtBy(before) !== broughtBy(after)) return true;
  return !sameChoices(before.choices, after.choices);
}

/** Whether an unpaid seat has become one of a partner, or of an attendee, or has fewer people who come along. */
const isRepriced = (before: Known, after: Known): boolean =>
  (before.isPartner !== after.isPartner || broughtBy(before) !== broughtBy(after)) &&
  before.holdExpiresAt !== undefined &&
  after.holdExpiresAt !== undefined;

/**
 * The follow-ups of a change.
 * @param before undefined for the first registration of a person
 */
export function followUpsOf(before: Known | undefined, after: Known): readonly FollowUp[] {
  // A registration of an earlier generation held no seat of this one.
  const known = before?.generation === after.generation ? before : undefined;
  const promotes = (known && freesPlace(known, after)) || changesLine(known, after);
  return [
    ...(promotes ? (["promote"] as const) : []),
    ...(known && isRepriced(known, after) ? (["closeCheckout"] as const) : []),
  ];
}
