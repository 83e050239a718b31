/** Where a registration stands, in words, and what it may do. Pure. */
import { isPast } from "../shared/dates.ts";
import { texts } from "../shared/texts.ts";
import type { Action, Place, Registration } from "../shared/types.ts";

const words = texts.standing;

export type Tone = "good" | "waiting" | "acting" | "ended";

interface Standing {
  readonly title: string;
  /** What it means. */
  readonly text: string;
  readonly tone: Tone;
  /** The button that cancels. */
  readonly cancel: string;
  /** What cancelling means. */
  readonly loss: string;
}

/** A registration, and until when its place is held, in words. */
interface Held {
  readonly registration: Registration;
  readonly heldUntil?: string | undefined;
  readonly isOver?: boolean;
}

const seat = { cancel: words.cancel, loss: words.loss };

function placeText({ waitlistPosition, waitlistAhead, behindOthers }: Registration): string {
  if (behindOthers) return words.last;
  if (waitlistPosition !== undefined) return words.number(waitlistPosition);
  return waitlistAhead === undefined ? words.inLine : words.behind(waitlistAhead);
}

type State = Registration["registrationStatus"] | "applicant";

const standings: Readonly<Record<State, (held: Held) => Standing>> = {
  registered: () => ({ ...seat, tone: "good", title: words.registered, text: `${words.confirmed} ${words.seeYou}` }),
  acceptedComplete: () => ({ ...seat, tone: "good", title: words.confirmedTitle, text: words.seeYou }),
  accepted: ({ heldUntil = "" }) => ({
    ...{ ...seat, tone: "acting", title: words.accepted, text: words.acceptedText(heldUntil) },
  }),
  incomplete: ({ heldUntil = "" }) => ({ ...seat, tone: "acting", title: words.pay, text: words.held(heldUntil) }),
  acceptedPending: ({ heldUntil = "" }) => ({
    ...{ ...seat, tone: "acting", title: words.acceptedPay, text: words.held(heldUntil) },
  }),
  waitlist: ({ registration }) => ({
    tone: "waiting",
    title: words.waitlist,
    text: words.waitlistText(placeText(registration)),
    cancel: words.cancelWaiting,
    loss: words.lossWaiting,
  }),
  applicant: () => ({
    tone: "waiting",
    title: words.applicant,
    text: words.applicantText,
    cancel: words.cancelApplication,
    loss: words.lossApplication,
  }),
  checkedIn: () => ({ ...seat, tone: "good", title: words.checkedIn, text: words.checkedInText }),
  rejected: () => ({ ...seat, tone: "ended", title: words.rejected, text: words.rejectedText }),
  cancelled: ({ registration: { handedOn } }) => ({
    ...{ ...seat, tone: "ended", title: handedOn ? words.handedOn : words.cancelled },
    text: handedOn ? words.handedOnText : words.cancelledText,
  }),
};

/** The status, with an application without a decision as a state of its own. */
const stateOf = ({ registrationStatus, applicationStatus }: Registration): State =>
  registrationStatus === "registered" && applicationStatus === "reviewing" ? "applicant" : registrationStatus;

/** Words for a registration. */
export function standingOf(held: Held): Standing {
  const { registration, isOver } = held;
  if (isOver) {
    const text = registration.registrationStatus === "checkedIn" ? words.came : words.nothingLeft;
    return { ...seat, tone: "ended", title: words.over, text };
  }
  const standing = standings[stateOf(registration)](held);
  return registration.coming === undefined || registration.registrationStatus === "cancelled"
    ? standing
    : { ...standing, text: `${standing.text} ${words.coming}` };
}

/** A place that was seen earlier: by now its event may be past. @param now epoch milliseconds */
export const atTime = (place: Place, now: number): Place =>
  isPast(place.event, now) ? { ...place, isOver: true } : place;

const admitted: readonly State[] = ["registered", "accepted", "acceptedComplete", "checkedIn"];

/** The code of the ticket, while it opens the door. */
export const ticketOf = ({ registration, isOver }: Place): string | undefined =>
  !isOver && admitted.includes(stateOf(registration)) ? registration.ticketCode : undefined;

/** A change of the registration that asks once more. */
export type Move = "accept" | "come" | "cancel" | "again";

/** What a move sends. Registering again is a request of its own. */
export const bodies: Readonly<Record<Exclude<Move, "again">, object>> = {
  accept: { registrationStatus: "acceptedComplete" },
  come: { coming: true },
  cancel: { registrationStatus: "cancelled" },
};

/** Who confirms an accepted place need not say as well that they come. */
export const agreementOf = (may: readonly Action[]): "accept" | "come" | undefined =>
  (["accept", "come"] as const).find((move) => may.includes(move));

const live: readonly State[] = [
  "registered",
  "applicant",
  "waitlist",
  "incomplete",
  "accepted",
  "acceptedPending",
  "acceptedComplete",
];

const confirmed: readonly State[] = ["registered", "accepted", "acceptedComplete"];

interface Dates {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly deadline?: string | undefined;
  readonly isCompleted?: boolean;
  readonly calledOff?: string | undefined;
  readonly transfers?: number | undefined;
}

/**
 * What a signed-in person may do, as the contract has it ("Acts"): the API says it only to links. The service decides.
 * @param now epoch milliseconds
 */
export function actionsOf(registration: Registration, event: Dates, hasQuestions: boolean, now: number): Action[] {
  const state = stateOf(registration);
  const isBefore = (date: string | undefined): boolean => date === undefined || now < Date.parse(date);
  const isAhead = isBefore(event.startDate ?? event.endDate);
  const takesPlace = event.isCompleted !== true && event.calledOff === undefined;
  const isOpen = isAhead && isBefore(event.deadline) && takesPlace;
  const isTheirs = !registration.plusOnes?.length && !registration.owes;
  return [
    ...(isAhead && state === "accepted" ? (["accept"] as const) : []),
    ...(isAhead && (state === "incomplete" || state === "acceptedPending") ? (["pay"] as const) : []),
    ...(isOpen && state === "cancelled" ? (["again"] as const) : []),
    ...(isOpen && hasQuestions && live.includes(state) ? (["edit"] as const) : []),
    ...(isAhead && live.includes(state) ? (["cancel"] as const) : []),
    ...(isAhead && event.transfers && isTheirs && confirmed.includes(state) ? (["handOn"] as const) : []),
  ];
}
