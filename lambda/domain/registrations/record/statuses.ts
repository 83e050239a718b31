/**
 * The statuses of a registration (`docs/contract.md`, "Moves of a registration"), and the properties of each state. Pure.
 */
import type { NoticeKind } from "#outbox/notice-kinds.ts";

export const registrationStatuses = [
  "registered",
  "waitlist",
  "checkedIn",
  "incomplete",
  "cancelled",
  "accepted",
  "acceptedPending",
  "acceptedComplete",
  "rejected",
] as const;

export type RegistrationStatus = (typeof registrationStatuses)[number];

/** A status, or `applicant`: the state of an undecided application, whose status is `registered`. */
export type State = RegistrationStatus | "applicant";

/** The fields that determine the state of a registration. `deleted` is the status of a tombstone. */
export interface Stated {
  readonly status: RegistrationStatus | "deleted";
  readonly applicant?: boolean | undefined;
}

/** The properties of registrations in one state. */
interface Properties {
  /** The person may register again. */
  readonly ended: boolean;
  /** The counter of its seat. `no`: it holds none. */
  readonly seat: "registered" | "checkedIn" | "incomplete" | "accepted" | false;
  /** The seat is unpaid, and there is a hold. */
  readonly unpaid: boolean;
  /** Its points count. */
  readonly points: boolean;
  /** It has a use of its code, if it has one. */
  readonly code: boolean;
  /** It has a ticket code. */
  readonly ticket: boolean;
  /** There is a notice with the state's name. */
  readonly told: boolean;
  /** `applicationStatus` in responses, at an event that takes applications. */
  readonly application: "reviewing" | "accepted" | "waitlist" | "rejected" | "";
}

const [yes, no] = [true, false] as const;

// biome-ignore format: one row a state
const properties: Readonly<Record<State | "deleted", Properties>> = {
  registered:       { ended: no,  seat: "registered", unpaid: no,  points: yes, code: yes, ticket: yes, told: yes, application: "reviewing" },
  waitlist:         { ended: no,  seat: no,           unpaid: no,  points: yes, code: yes, ticket: yes, told: yes, application: "waitlist" },
  checkedIn:        { ended: no,  seat: "checkedIn",  unpaid: no,  points: yes, code: yes, ticket: yes, told: no,  application: "accepted" },
  incomplete:       { ended: no,  seat: "incomplete", unpaid: yes, points: yes, code: yes, ticket: yes, told: yes, application: "" },
  cancelled:        { ended: yes, seat: no,           unpaid: no,  points: no,  code: no,  ticket: no,  told: no,  application: "" },
  accepted:         { ended: no,  seat: "accepted",   unpaid: no,  points: yes, code: yes, ticket: yes, told: yes, application: "accepted" },
  acceptedPending:  { ended: no,  seat: "accepted",   unpaid: yes, points: yes, code: yes, ticket: yes, told: yes, application: "accepted" },
  acceptedComplete: { ended: no,  seat: "accepted",   unpaid: no,  points: yes, code: yes, ticket: yes, told: yes, application: "accepted" },
  rejected:         { ended: no,  seat: no,           unpaid: no,  points: no,  code: no,  ticket: no,  told: no,  application: "rejected" },
  applicant:        { ended: no,  seat: no,           unpaid: no,  points: yes, code: yes, ticket: yes, told: yes, application: "reviewing" },
  deleted:          { ended: yes, seat: no,           unpaid: no,  points: no,  code: no,  ticket: no,  told: no,  application: "" },
};

/** The state of a registration. */
export const stateOf = ({ status, applicant }: Stated): State | "deleted" =>
  status === "registered" && applicant ? "applicant" : status;

export const statusOf = (state: State): RegistrationStatus => (state === "applicant" ? "registered" : state);

/**
 * The properties of a registration's state. An unknown status, which can only have been written by hand, counts as a seat,
 * so that its seat is not given away.
 */
export const propertiesOf = (registration: Stated): Properties =>
  properties[stateOf(registration)] ?? properties.registered;

/** The notice about the state. Undefined when there is none. */
export function noticeOfState(registration: Stated): NoticeKind | undefined {
  const state = stateOf(registration);
  return state !== "deleted" && properties[state].told ? state : undefined;
}
