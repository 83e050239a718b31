/** Invariants of registrations, places and holds. Pure. */

import { placeIn, placeKey } from "#domain/capacity/line.ts";
import type { Choices, Seats } from "#domain/capacity/seats.ts";
import { seatsKey } from "#domain/capacity/seats.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import { settledKey } from "#domain/payments/record/payment-store.ts";
import { dueOf, type Hold, holdKey, type StoredHold } from "#domain/registrations/holds/store.ts";
import { hasEnded, holdsSeat, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { putRegistration, registrationKey } from "#domain/registrations/store/store.ts";
import type { Item, Key } from "#kit/table/table.ts";
import { storedKindOf, valuesIn } from "#outbox/stored-kinds.ts";
import { holdProblem } from "./belongings.ts";
import type { Facts, Finding, Rule } from "./finding.ts";
import { mustWait, placeDifferences } from "./seats.ts";

export const eventOf = ({ eventID, year }: Pick<RegistrationRecord, "eventID" | "year">): EventKey => ({
  id: eventID,
  year,
});

export const holdOf = (registration: RegistrationRecord): Hold | undefined =>
  registration.holdExpiresAt === undefined
    ? undefined
    : { email: registration.email, event: eventOf(registration), expiresAt: registration.holdExpiresAt };

const registrationIn = (item: Item): RegistrationRecord => item as unknown as RegistrationRecord;
/** The expected key of a registration. */
export const registrationKeyOf = ({ email, ...of }: RegistrationRecord): Key =>
  registrationKey({ email, event: eventOf(of) });

const finding = (kind: Finding["kind"], says: string): Finding => ({ kind, says });

/**
 * Whether the registration's generation of the event was deleted. A deletion marks the seats, so missing seats, or seats of
 * the same generation, mean data loss, and the event must not count as deleted.
 */
const isGoneFor = (
  { generation }: Pick<RegistrationRecord, "generation">,
  event: Item | undefined,
  seats: Pick<Seats, "generation" | "state"> | undefined,
): boolean =>
  event?.generation !== generation &&
  seats !== undefined &&
  (seats.state === "DELETED" || seats.generation !== generation);

/**
 * The choices of a registration according to its answers. Choices of former workshops are unchanged, because nothing limits
 * them.
 */
export function choicesByAnswers(
  { choices, dynamicResponses, isPartner }: RegistrationRecord,
  { registrationQuestions = [], partnerRegistrationQuestions = [] }: EventRecord,
): Choices {
  const asked = (isPartner ? partnerRegistrationQuestions : registrationQuestions).filter(
    ({ type }) => type === "WORKSHOP_SELECTION",
  );
  const ids = new Set(asked.map(({ questionId }) => questionId));
  const others = Object.entries(choices).filter(([question]) => !ids.has(question));
  const answered = [...ids].flatMap((question) => {
    const answer = dynamicResponses[question];
    return answer === undefined ? [] : [[question, String(answer)] as const];
  });
  return Object.fromEntries([...others, ...answered]);
}

/** The workshops whose counted choice differs from the answer, for an operator. */
function otherChoices(registration: RegistrationRecord, event: EventRecord): string[] {
  const answered = choicesByAnswers(registration, event);
  return [...new Set([...Object.keys(answered), ...Object.keys(registration.choices)])].flatMap((question) => {
    const [is, must] = [registration.choices[question], answered[question]];
    return is === must ? [] : [`${question}: answered ${must ?? "nothing"}, counted ${is ?? "nothing"}`];
  });
}

/** Whether the sweeper, which runs every minute, is more than fifteen minutes late. Epoch milliseconds. */
const isLate = (due: number, now: number): boolean => due <= now - 15 * 60_000;

const holdOver = (email: string, expiresAt: number) => finding("hold over", `${email}, since ${iso(expiresAt)}`);

function judgeHold(registration: RegistrationRecord, { find, now }: Facts): Finding[] {
  const hold = holdOf(registration);
  const problem = holdProblem(registration, hold !== undefined && find(holdKey(hold)) !== undefined);
  if (!problem) return [];
  if (!hold) return [finding(problem, "no end")];
  const { email, expiresAt } = hold;
  // An expired hold may have been moved to its next try, with a key that does not follow from the registration.
  const mayBeMoved = problem === "no hold" && expiresAt <= now;
  if (!mayBeMoved) return [finding(problem, `until ${iso(expiresAt)}`)];
  return isLate(expiresAt, now) ? [holdOver(email, expiresAt)] : [];
}

function judgeRegistration(item: Item, facts: Facts): Finding[] {
  const { find } = facts;
  const registration = registrationIn(item);
  const { status, email, queueKey, paidBy } = registration;
  const event = eventOf(registration);
  const findings: Finding[] = [];
  const seats = find(seatsKey(event)) as unknown as Seats | undefined;
  if (!hasEnded(registration)) {
    const isGone = isGoneFor(registration, find(eventKeyOf(event)), seats);
    if (!seats && !find(eventKeyOf(event))) findings.push(finding("no event", `status ${status}`));
    if (isGone) findings.push(finding("in a gone event", `status ${status}, generation ${registration.generation}`));
    if (isGone) return findings;
  }
  if (mustWait(registration)) {
    const place = find(placeKey(event, registration));
    if (!place) findings.push(finding("not in line", `since ${queueKey}`));
    else {
      const differences = placeDifferences(registration, placeIn(place));
      if (differences.length > 0) findings.push(finding("other place", `differs in ${differences.join(", ")}`));
    }
  }
  const record = find(eventKeyOf(event)) as unknown as EventRecord | undefined;
  const mayCount = holdsSeat(registration) || mustWait(registration) || registration.applicant;
  if (mayCount && record?.generation === registration.generation) {
    const others = otherChoices(registration, record);
    if (others.length > 0) findings.push(finding("other choice", `${email}: ${others.join("; ")}`));
  }
  findings.push(...judgeHold(registration, facts));
  if (paidBy !== undefined && status !== "deleted" && find(settledKey(paidBy)) === undefined) {
    findings.push(finding("payment not noted", `payment ${paidBy} of ${email}`));
  }
  return findings;
}

export const iso = (milliseconds: number): string =>
  Number.isFinite(milliseconds) && Math.abs(milliseconds) < 8e15 ? new Date(milliseconds).toISOString() : "never";

export const registrationRule: Rule = {
  related(item) {
    const registration = registrationIn(item);
    // Lists need the queueKey, which is stored nowhere else.
    if (typeof registration.queueKey !== "string") throw new Error("the registration has no queueKey");
    const event = eventOf(registration);
    const hold = holdOf(registration);
    return [
      eventKeyOf(event),
      seatsKey(event),
      ...(mustWait(registration) ? [placeKey(event, registration)] : []),
      ...(hold ? [holdKey(hold)] : []),
      ...(registration.paidBy === undefined ? [] : [settledKey(registration.paidBy)]),
    ];
  },
  judge: judgeRegistration,
  listed: (item) => putRegistration(registrationIn(item), undefined).Put?.Item,
};

/** The event of a place in line. */
export function eventOfLine(key: Key): EventKey {
  const { id = "", year } = valuesIn(storedKindOf(key) ?? "place in line", key);
  return { id, year: Number(year) };
}

export const placeRule: Rule = {
  related: (item) => [registrationKey({ email: String(item.email), event: eventOfLine(item) })],
  judge(item, { find }) {
    const place = placeIn(item);
    const event = eventOfLine(item);
    const registration = find(registrationKey({ email: place.email, event })) as unknown as
      | RegistrationRecord
      | undefined;
    const waits = registration !== undefined && mustWait(registration) && placeKey(event, registration).SK === item.SK;
    return waits
      ? []
      : [finding("place of no person", `${place.email} is ${registration?.status ?? "not registered"}`)];
  },
};

export const holdRule: Rule = {
  related(item) {
    const { email, event } = item as unknown as StoredHold;
    return [registrationKey({ email, event })];
  },
  judge(item, { find, now }) {
    const hold = item as unknown as StoredHold;
    const { email, event, expiresAt } = hold;
    const registration = find(registrationKey({ email, event })) as unknown as RegistrationRecord | undefined;
    const isMoved = hold.failures !== undefined;
    if (registration?.holdExpiresAt !== expiresAt) {
      // The registration has changed, and the sweeper will remove the hold at its next try.
      const isLeft = isMoved && !isLate(dueOf(hold), now);
      return isLeft ? [] : [finding("hold of no person", `${email}, until ${iso(expiresAt)}`)];
    }
    // The registration's rule reports a moved hold that was not ended.
    return isMoved || !isLate(expiresAt, now) ? [] : [holdOver(email, expiresAt)];
  },
};
