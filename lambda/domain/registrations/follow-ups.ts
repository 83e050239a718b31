/** What has to follow a change of a registration, so that a crash after the commit cannot lose it. Pure. */
import type { FollowUp } from "#outbox/catalogue.ts";
import { holdsSeat, type RegistrationRecord } from "./registration.ts";
import type { Choices } from "./seats/seats.ts";

/** As far as it decides who is next. */
type Known = Pick<RegistrationRecord, "status" | "applicant" | "choices" | "waitKey" | "incarnation">;

const isWaiting = ({ status }: Known): boolean => status === "waitlist";

const gaveUp = (before: Choices, after: Choices): boolean =>
  Object.entries(before).some(([question, choice]) => after[question] !== choice);

const sameChoices = (a: Choices, b: Choices): boolean => !gaveUp(a, b) && !gaveUp(b, a);

/** A seat, or the place in a workshop, that the registration had and has no more. */
function freesPlace(before: Known, after: Known): boolean {
  if (!holdsSeat(before)) return false;
  return !holdsSeat(after) || gaveUp(before.choices, after.choices);
}

/** The person has begun to wait, or waits for something else: a free place may be theirs at once. */
function changesLine(before: Known | undefined, after: Known): boolean {
  if (!isWaiting(after)) return false;
  if (!before || !isWaiting(before) || before.waitKey !== after.waitKey) return true;
  return !sameChoices(before.choices, after.choices);
}

/**
 * What has to follow a change (`design.md`, section 6, PROMOTER).
 * @param before undefined for the first registration of a person
 */
export function followUpsOf(before: Known | undefined, after: Known): readonly FollowUp[] {
  // A registration of an event that was created again does not count for the new one.
  const known = before?.incarnation === after.incarnation ? before : undefined;
  return (known && freesPlace(known, after)) || changesLine(known, after) ? ["promote"] : [];
}
