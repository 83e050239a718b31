/**
 * The table of all moves of a registration: who may request each, its message and its notice. All others are refused
 * (`docs/contract.md`, "Moves of a registration"; `docs/design.md`, "Registration states and holds"). Pure.
 */

import type { RegistrationType } from "#outbox/catalogue.ts";
import type { NoticeKind } from "#outbox/notice-kinds.ts";
import type { State } from "./statuses.ts";

/** Who requests a move. `system`: a promotion, the end of a hold or a price that fell to 0. `payment`: an event of the provider. */
export type Actor = "self" | "admin" | "system" | "payment";

export interface Move {
  readonly from: State;
  readonly to: State;
  readonly by: readonly Actor[];
  /** Only for people who must pay (true) or must not (false). Absent: for both. */
  readonly priced?: boolean;
  /** Only at events that take applications (true) or do not (false). Absent: at both. */
  readonly application?: boolean;
  readonly emits: Exclude<RegistrationType, "registration.deleted">;
  /** The notice of the move, if any. */
  readonly tells?: NoticeKind;
}

/** The states from which a person can be checked in: nothing is unpaid or undecided. */
export type ConfirmedState = "registered" | "accepted" | "acceptedComplete";

const [yes, no] = [true, false] as const;

/**
 * All moves of an existing registration; for new ones see `entryStates`. Not even an admin's move may exceed the capacity.
 */
// biome-ignore format: one row a move
export const moves: readonly Move[] = [
  // Up from the waitlist.
  { from: "waitlist",         to: "registered",       by: ["system", "admin"], priced: no,  application: no,  emits: "registration.promoted", tells: "registered" },
  { from: "waitlist",         to: "incomplete",       by: ["system", "admin"], priced: yes, application: no,  emits: "registration.promoted", tells: "incomplete" },
  // An admin accepts an application.
  { from: "applicant",        to: "accepted",         by: ["admin"],           priced: no,  application: yes, emits: "registration.accepted", tells: "accepted" },
  { from: "applicant",        to: "acceptedPending",  by: ["admin"],           priced: yes, application: yes, emits: "registration.acceptedPending", tells: "acceptedPending" },
  { from: "waitlist",         to: "accepted",         by: ["admin"],           priced: no,  application: yes, emits: "registration.accepted", tells: "accepted" },
  { from: "waitlist",         to: "acceptedPending",  by: ["admin"],           priced: yes, application: yes, emits: "registration.acceptedPending", tells: "acceptedPending" },
  { from: "rejected",         to: "accepted",         by: ["admin"],           priced: no,  application: yes, emits: "registration.accepted", tells: "accepted" },
  { from: "rejected",         to: "acceptedPending",  by: ["admin"],           priced: yes, application: yes, emits: "registration.acceptedPending", tells: "acceptedPending" },
  // The seat is paid, or confirmed.
  { from: "incomplete",       to: "registered",       by: ["payment", "admin"], emits: "registration.registered", tells: "registered" },
  { from: "acceptedPending",  to: "acceptedComplete", by: ["payment", "admin"], emits: "registration.acceptedComplete", tells: "acceptedComplete" },
  { from: "accepted",         to: "acceptedComplete", by: ["self", "admin"],    emits: "registration.acceptedComplete", tells: "acceptedComplete" },
  // The seat had a price at admission, but is free for this person now, so the person may confirm it. A new price of 0 does.
  { from: "incomplete",       to: "registered",       by: ["self", "system"], priced: no, emits: "registration.registered", tells: "registered" },
  { from: "acceptedPending",  to: "acceptedComplete", by: ["self", "system"], priced: no, emits: "registration.acceptedComplete", tells: "acceptedComplete" },
  // Cancelled.
  { from: "incomplete",       to: "cancelled", by: ["self", "admin", "payment", "system"], emits: "registration.cancelled", tells: "cancelled" },
  { from: "registered",       to: "cancelled", by: ["self", "admin"],                      emits: "registration.cancelled", tells: "cancelled" },
  { from: "accepted",         to: "cancelled", by: ["self", "admin", "system"],            emits: "registration.cancelled", tells: "cancelled" },
  { from: "acceptedPending",  to: "cancelled", by: ["self", "admin", "payment", "system"], emits: "registration.cancelled", tells: "cancelled" },
  { from: "acceptedComplete", to: "cancelled", by: ["self", "admin"],                      emits: "registration.cancelled", tells: "cancelled" },
  { from: "applicant",        to: "cancelled", by: ["self", "admin"],                      emits: "registration.cancelled", tells: "cancelled" },
  { from: "waitlist",         to: "cancelled", by: ["self", "admin"],                      emits: "registration.cancelled", tells: "cancelled" },
  // Rejected, or put in line.
  { from: "applicant",        to: "rejected", by: ["admin"], emits: "registration.rejected", tells: "rejected" },
  { from: "waitlist",         to: "rejected", by: ["admin"], emits: "registration.rejected", tells: "rejected" },
  { from: "accepted",         to: "rejected", by: ["admin"], emits: "registration.rejected", tells: "rejected" },
  { from: "acceptedPending",  to: "rejected", by: ["admin"], emits: "registration.rejected", tells: "rejected" },
  { from: "applicant",        to: "waitlist", by: ["admin"], emits: "registration.waitlisted", tells: "waitlist" },
  { from: "rejected",         to: "waitlist", by: ["admin"], emits: "registration.waitlisted", tells: "waitlist" },
  // An admin gives the seat to the next person in line, and puts this one at the end of the line.
  { from: "registered",       to: "waitlist", by: ["admin"], application: no, emits: "registration.waitlisted", tells: "waitlist" },
  // Checked in at the door, and undone.
  { from: "registered",       to: "checkedIn",        by: ["admin"], emits: "registration.checkedIn", tells: "checkedIn" },
  { from: "accepted",         to: "checkedIn",        by: ["admin"], emits: "registration.checkedIn", tells: "checkedIn" },
  { from: "acceptedComplete", to: "checkedIn",        by: ["admin"], emits: "registration.checkedIn", tells: "checkedIn" },
  { from: "checkedIn",        to: "registered",       by: ["admin"], emits: "registration.updated" },
  { from: "checkedIn",        to: "accepted",         by: ["admin"], emits: "registration.updated" },
  { from: "checkedIn",        to: "acceptedComplete", by: ["admin"], emits: "registration.updated" },
];

/** The initial state of a registration, also after a cancellation. */
export type EntryState = "registered" | "incomplete" | "waitlist" | "applicant";

export const entryStates: Readonly<Record<EntryState, Required<Pick<Move, "emits" | "tells">>>> = {
  registered: { emits: "registration.registered", tells: "registered" },
  incomplete: { emits: "registration.incomplete", tells: "incomplete" },
  waitlist: { emits: "registration.waitlisted", tells: "waitlist" },
  applicant: { emits: "registration.applied", tells: "applicant" },
};

/** The properties of event and person that moves depend on. */
export interface Terms {
  /** Whether this person must pay for this event. */
  readonly priced: boolean;
  readonly application: boolean;
}

/** For moves that do not depend on the terms, such as check-ins. */
export const anyTerms: Terms = { priced: false, application: false };

const fits = ({ priced, application }: Move, terms: Terms): boolean =>
  (priced ?? terms.priced) === terms.priced && (application ?? terms.application) === terms.application;

/**
 * The move between two states. Undefined when there is none.
 * @param by the actor; absent: any actor
 */
export const findMove = (from: State, to: State, terms: Terms, by?: Actor): Move | undefined =>
  moves.find((move) => move.from === from && move.to === to && fits(move, terms) && (!by || move.by.includes(by)));

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

/**
 * The sentence for a move that is not possible. It says what the actor can do instead.
 * @param terms absent: only moves that do not depend on them are suggested
 */
export function refusalOf(from: State, to: State | "deleted", by: Actor, terms?: Terms): string {
  const refusal = `A registration that is ${from} cannot become ${to}.`;
  if (from === "checkedIn" && by === "admin") return `${refusal} Undo the check-in first: set it to registered.`;
  const possible = moves.filter(
    (move) =>
      move.from === from &&
      move.by.includes(by) &&
      (terms ? fits(move, terms) : move.priced === undefined && move.application === undefined),
  );
  const states = [...new Set(possible.map((move) => move.to))];
  return states.length === 0 ? refusal : `${refusal} It can become ${alternatives.format(states)}.`;
}

/** Whether the actor may delete a registration in this state: it is cancelled, or the actor may cancel it. */
export const mayDelete = (state: State, by: Actor): boolean =>
  state === "cancelled" || moves.some((move) => move.from === state && move.to === "cancelled" && move.by.includes(by));
