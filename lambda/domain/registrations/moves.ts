/**
 * The life of a registration: every move that it may make, who may ask for it, what it does to the seats, and what is
 * told of it (`design.md`, section 7). Everything else is refused. Pure.
 */

import type { RegistrationType } from "#outbox/catalogue.ts";
import type { NoticeKind } from "#outbox/notice-kinds.ts";
import type { RegistrationRecord, RegistrationStatus } from "./registration.ts";

/** A status as the specification names it; `applicant` is `registered` on an application-based event. */
export type State = RegistrationStatus | "applicant";

/** Who asks for a move. `system`: promotion and the end of a hold. `payment`: the provider's news. */
export type Actor = "self" | "admin" | "system" | "payment";

export interface Move {
  readonly from: State;
  readonly to: State;
  readonly by: readonly Actor[];
  /** Only for people who pay, or only for those who do not. */
  readonly priced?: boolean;
  /** Only on events that take applications, or only on those that do not. */
  readonly application?: boolean;
  /** What it adds to the seats taken. */
  readonly seats: -1 | 0 | 1;
  readonly emits: Exclude<RegistrationType, "registration.deleted">;
  /** Absent: nobody is told. */
  readonly tells?: NoticeKind;
}

/** Ways up from the waitlist, which no choice of an admin's may bring above the capacity. */
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

/** An application is accepted: free, or waiting for the money. */
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

/** What cost money when the seat was given costs this person nothing any more: they may take it as it is. */
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

const confirmed = ["registered", "accepted", "acceptedComplete"] as const;

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

/** All moves of a registration that exists; how one begins is told by `entryStates`. */
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

/** How a registration begins, or begins again after it was cancelled. */
export type EntryState = "registered" | "incomplete" | "waitlist" | "applicant";

export const entryStates: Readonly<Record<EntryState, Required<Pick<Move, "seats" | "emits" | "tells">>>> = {
  registered: { seats: 1, emits: "registration.registered", tells: "registered" },
  incomplete: { seats: 1, emits: "registration.incomplete", tells: "incomplete" },
  waitlist: { seats: 0, emits: "registration.waitlisted", tells: "waitlist" },
  applicant: { seats: 0, emits: "registration.applied", tells: "applicant" },
};

/** The state of a registration that is not deleted. */
export const stateOf = ({ status, applicant }: Pick<RegistrationRecord, "status" | "applicant">): State | "deleted" =>
  status === "registered" && applicant ? "applicant" : status;

export const statusOf = (state: State): RegistrationStatus => (state === "applicant" ? "registered" : state);

/** The event and the person, as far as moves depend on them. */
export interface Terms {
  /** Whether this person pays for this event. */
  readonly priced: boolean;
  readonly application: boolean;
}

const fits = ({ priced, application }: Move, terms: Terms): boolean =>
  (priced ?? terms.priced) === terms.priced && (application ?? terms.application) === terms.application;

/**
 * The move between two states, if there is one.
 * @param by not given: whoever asks for it
 */
export const findMove = (from: State, to: State, terms: Terms, by?: Actor): Move | undefined =>
  moves.find((move) => move.from === from && move.to === to && fits(move, terms) && (!by || move.by.includes(by)));

/** Whether a registration in this state may be deleted: what may be cancelled by the same person, or is. */
export const mayDelete = (state: State, by: Actor): boolean =>
  state === "cancelled" || cancellations.some((move) => move.from === state && move.by.includes(by));
