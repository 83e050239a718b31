/**
 * The table of all moves of a registration: who may ask for a move, its effect on the seats, its message and its
 * notice. Every other move is refused (`docs/contract.md`, "Moves of a registration"; `docs/design.md`, "A
 * registration's life"). Pure.
 */

import type { RegistrationType } from "#outbox/catalogue.ts";
import type { NoticeKind } from "#outbox/notice-kinds.ts";
import type { State } from "./statuses.ts";

/** The actor who asks for a move. `system`: a promotion or the end of a hold. `payment`: an event of the provider. */
export type Actor = "self" | "admin" | "system" | "payment";

export interface Move {
  readonly from: State;
  readonly to: State;
  readonly by: readonly Actor[];
  /** Only for people who pay (true) or who do not pay (false). Absent: for both. */
  readonly priced?: boolean;
  /** Only on events that take applications (true) or that take none (false). Absent: on both. */
  readonly application?: boolean;
  /** Change of the number of seats taken. */
  readonly seats: -1 | 0 | 1;
  readonly emits: Exclude<RegistrationType, "registration.deleted">;
  /** The notice of the move. Absent: there is none. */
  readonly tells?: NoticeKind;
}

/** Moves up from the waitlist. Not even an admin's move may take more seats than the capacity. */
const promotions: readonly Move[] = [
  {
    from: "waitlist",
    to: "registered",
    by: ["system", "admin"],
    priced: false,
    application: false,
    seats: 1,
    emits: "registration.promoted",
    tells: "registered",
  },
  {
    from: "waitlist",
    to: "incomplete",
    by: ["system", "admin"],
    priced: true,
    application: false,
    seats: 1,
    emits: "registration.promoted",
    tells: "incomplete",
  },
];

/** An admin accepts an application. A person who has to pay gets `acceptedPending`. */
const acceptances = (["applicant", "waitlist", "rejected"] as const).flatMap((from): Move[] => [
  {
    from,
    to: "accepted",
    by: ["admin"],
    priced: false,
    application: true,
    seats: 1,
    emits: "registration.accepted",
    tells: "accepted",
  },
  {
    from,
    to: "acceptedPending",
    by: ["admin"],
    priced: true,
    application: true,
    seats: 1,
    emits: "registration.acceptedPending",
    tells: "acceptedPending",
  },
]);

/** The seat had a price when the person got it, but it costs this person nothing now, so the person may confirm it. */
const waivers: readonly Move[] = [
  {
    from: "incomplete",
    to: "registered",
    by: ["self"],
    priced: false,
    seats: 0,
    emits: "registration.registered",
    tells: "registered",
  },
  {
    from: "acceptedPending",
    to: "acceptedComplete",
    by: ["self"],
    priced: false,
    seats: 0,
    emits: "registration.acceptedComplete",
    tells: "acceptedComplete",
  },
];

const settlements: readonly Move[] = [
  {
    from: "incomplete",
    to: "registered",
    by: ["payment", "admin"],
    seats: 0,
    emits: "registration.registered",
    tells: "registered",
  },
  {
    from: "acceptedPending",
    to: "acceptedComplete",
    by: ["payment", "admin"],
    seats: 0,
    emits: "registration.acceptedComplete",
    tells: "acceptedComplete",
  },
  {
    from: "accepted",
    to: "acceptedComplete",
    by: ["self", "admin"],
    seats: 0,
    emits: "registration.acceptedComplete",
    tells: "acceptedComplete",
  },
];

const cancellations = (
  [
    ["incomplete", -1, ["self", "admin", "payment", "system"]],
    ["registered", -1, ["self", "admin"]],
    ["accepted", -1, ["self", "admin", "system"]],
    ["acceptedPending", -1, ["self", "admin", "payment", "system"]],
    ["acceptedComplete", -1, ["self", "admin"]],
    ["applicant", 0, ["self", "admin"]],
    ["waitlist", 0, ["self", "admin"]],
  ] as const
).map(
  ([from, seats, by]): Move => ({
    from,
    to: "cancelled",
    by,
    seats,
    emits: "registration.cancelled",
    tells: "cancelled",
  }),
);

const rejections = (
  [
    ["applicant", 0],
    ["waitlist", 0],
    ["accepted", -1],
    ["acceptedPending", -1],
  ] as const
).map(
  ([from, seats]): Move => ({
    from,
    to: "rejected",
    by: ["admin"],
    seats,
    emits: "registration.rejected",
    tells: "rejected",
  }),
);

const postponements = (["applicant", "rejected"] as const).map(
  (from): Move => ({
    from,
    to: "waitlist",
    by: ["admin"],
    seats: 0,
    emits: "registration.waitlisted",
    tells: "waitlist",
  }),
);

/** The states from which a person is let in: there is nothing to pay or to decide. */
const confirmed = ["registered", "accepted", "acceptedComplete"] as const;

export type ConfirmedState = (typeof confirmed)[number];

const checkIns = confirmed.flatMap((state): Move[] => [
  {
    from: state,
    to: "checkedIn",
    by: ["admin"],
    seats: 0,
    emits: "registration.checkedIn",
    tells: "checkedIn",
  },
  { from: "checkedIn", to: state, by: ["admin"], seats: 0, emits: "registration.updated" },
]);

/** All moves of an existing registration. `entryStates` has the beginnings. */
export const moves: readonly Move[] = [
  ...promotions,
  ...acceptances,
  ...settlements,
  ...waivers,
  ...cancellations,
  ...rejections,
  ...postponements,
  ...checkIns,
];

/** The state in which a registration begins, or begins again after a cancellation. */
export type EntryState = "registered" | "incomplete" | "waitlist" | "applicant";

export const entryStates: Readonly<Record<EntryState, Required<Pick<Move, "seats" | "emits" | "tells">>>> = {
  registered: { seats: 1, emits: "registration.registered", tells: "registered" },
  incomplete: { seats: 1, emits: "registration.incomplete", tells: "incomplete" },
  waitlist: { seats: 0, emits: "registration.waitlisted", tells: "waitlist" },
  applicant: { seats: 0, emits: "registration.applied", tells: "applicant" },
};

/** The properties of event and person that moves depend on. */
export interface Terms {
  /** Whether this person pays for this event. */
  readonly priced: boolean;
  readonly application: boolean;
}

const fits = ({ priced, application }: Move, terms: Terms): boolean =>
  (priced ?? terms.priced) === terms.priced && (application ?? terms.application) === terms.application;

/**
 * The move between two states. Undefined when there is none.
 * @param by the actor; absent: any actor
 */
export const findMove = (from: State, to: State, terms: Terms, by?: Actor): Move | undefined =>
  moves.find((move) => move.from === from && move.to === to && fits(move, terms) && (!by || move.by.includes(by)));

/** Whether the actor may delete a registration in this state: it is cancelled, or the actor may cancel it. */
export const mayDelete = (state: State, by: Actor): boolean =>
  state === "cancelled" || cancellations.some((move) => move.from === state && move.by.includes(by));
