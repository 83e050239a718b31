/** What a registration is, which of them hold a seat, and how it is answered. Pure. */

import type { Money, OutboxMessage, RegistrationFact } from "#outbox/catalogue.ts";
import type { BasicInformation } from "./new-registration.ts";
import type { Choices, Place } from "./seats/seats.ts";
import type { CounterChanges, Holder } from "./seats/store.ts";
import type { RegistrationStatus } from "./statuses.ts";

export type { RegistrationStatus };

/** One person's registration for one event, as stored. */
export interface RegistrationRecord {
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
  /** `deleted`: a tombstone that keeps version and calendar entry; nobody sees it. */
  readonly status: RegistrationStatus | "deleted";
  /** `registered` on an application-based event: the application is in, nothing is confirmed. */
  readonly applicant?: boolean;
  /** Made while the event was application-based. */
  readonly applicationBased?: boolean;
  readonly fname: string;
  readonly studentId?: string;
  readonly basicInformation: BasicInformation;
  readonly dynamicResponses: Readonly<Record<string, string | readonly string[]>>;
  readonly choices: Choices;
  readonly isPartner: boolean;
  readonly points: number;
  /** The event's price for the person when they were let in, in integer cents. Absent: it had none for them. */
  readonly entryPrice?: number;
  /** The arrival that this registration answers; its place in line while it waits. */
  readonly waitKey: string;
  /** The creation of the event that it belongs to. */
  readonly incarnation: string;
  /** Counts the writes, from 1; goes on over deleting and registering again. */
  readonly version: number;
  /** The last version that the person was mailed: a mail about an earlier one has been superseded. */
  readonly noticeVersion: number;
  /** Names the ticket; what the QR shows is made of it. A new one when somebody registers again. */
  readonly ticketId: string;
  /** The same over deleting and registering again, so that a calendar has one entry. */
  readonly calendarUid: string;
  /** Until when an unpaid seat is held, epoch milliseconds. There while, and only while, it is unpaid. */
  readonly holdExpiresAt?: number;
  /** The page where it is paid for, while a checkout is open. */
  readonly checkoutLink?: string;
  /** Until when it was held before a checkout prolonged the hold, epoch milliseconds. */
  readonly heldWithoutCheckout?: number;
  /** Epoch milliseconds. */
  readonly checkedInAt?: number;
  /** What a check-in that is undone restores. */
  readonly cameFrom?: "registered" | "accepted" | "acceptedComplete";
  /** The payment that settled it, and its money; a paid registration that ends raises a refund. */
  readonly paidBy?: string;
  readonly paid?: Money;
  /**
   * The checkout whose money is on its way, by a means of payment that takes days, and until when the seat was held
   * before that, epoch milliseconds.
   */
  readonly moneyUnderWay?: { readonly checkoutId: string; readonly heldUntil: number };
  /** Why it was cancelled: a payment that comes late revives only one whose hold was over. */
  readonly endedBecause?: "asked" | "hold over" | "event deleted";
  /** The request that last changed it, promotions aside; for whoever reads the table. */
  readonly changedBy?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const ended = new Set<RegistrationRecord["status"]>(["cancelled", "deleted"]);
const withoutSeat = new Set<RegistrationRecord["status"]>(["waitlist", "cancelled", "rejected", "deleted"]);

/** Whether it stands in the way of registering again for the same incarnation of the event. */
export const isLive = ({ status, incarnation }: RegistrationRecord, ofIncarnation: string): boolean =>
  !ended.has(status) && incarnation === ofIncarnation;

/** A function of the record alone, never of the clock: an unpaid seat is held until a transaction ends the hold. */
export const holdsSeat = ({ status, applicant }: Pick<RegistrationRecord, "status" | "applicant">): boolean =>
  !withoutSeat.has(status) && !(status === "registered" && applicant);

const counterOf: Partial<Record<RegistrationRecord["status"], keyof CounterChanges>> = {
  registered: "registered",
  checkedIn: "checkedIn",
  incomplete: "incomplete",
  accepted: "accepted",
  acceptedPending: "accepted",
  acceptedComplete: "accepted",
};

/** What one more registration like this adds to the counters of the event. */
export function countersOf(
  registration: Pick<RegistrationRecord, "status" | "applicant" | "isPartner">,
): CounterChanges {
  if (!holdsSeat(registration)) return registration.applicant ? { applicants: 1 } : {};
  const counter = counterOf[registration.status];
  return { seats: 1, ...(counter && { [counter]: 1 }), ...(registration.isPartner && { partners: 1 }) };
}

/** A seat holder as the seats count them. */
export const holderOf = (
  registration: Pick<RegistrationRecord, "status" | "applicant" | "isPartner" | "choices">,
): Holder => ({
  choices: holdsSeat(registration) ? registration.choices : {},
  counters: countersOf(registration),
});

/** The registration's place in line. */
export const placeOf = ({
  email,
  waitKey,
  choices,
  isPartner,
  fname,
  entryPrice,
  incarnation,
  version,
}: RegistrationRecord): Place => ({
  email,
  waitKey,
  choices,
  isPartner,
  fname,
  ...(entryPrice !== undefined && { entryPrice }),
  incarnation,
  version,
});

export const factOf = (
  registration: Pick<
    RegistrationRecord,
    "eventID" | "year" | "email" | "fname" | "status" | "version" | "isPartner" | "incarnation"
  >,
): RegistrationFact => ({
  eventID: registration.eventID,
  year: registration.year,
  incarnation: registration.incarnation,
  email: registration.email,
  fname: registration.fname,
  registrationStatus: registration.status,
  version: registration.version,
  isPartner: registration.isPartner,
});

/** The news that `before` has become `after`, a tombstone. Whoever was cancelled before has been told already. */
export const deletionOf = (before: RegistrationRecord, after: RegistrationRecord, quietly = false): OutboxMessage => ({
  type: "registration.deleted",
  data: {
    ...factOf({ ...after, fname: before.fname }),
    previousStatus: before.status,
    ...(!quietly && before.status !== "cancelled" && { notice: "cancelled" as const }),
  },
});

/** Leaves a tombstone: nothing that the person told us stays in it. */
export const tombstoneOf = (
  registration: RegistrationRecord,
  { now, requestKey }: { readonly now: number; readonly requestKey: string },
): RegistrationRecord => {
  const { email, eventID, year, waitKey, incarnation, isPartner, calendarUid, ticketId, createdAt } = registration;
  const version = registration.version + 1;
  return {
    email,
    eventID,
    year,
    status: "deleted",
    fname: "",
    basicInformation: {},
    dynamicResponses: {},
    choices: {},
    isPartner,
    points: 0,
    waitKey,
    incarnation,
    version,
    noticeVersion: registration.status === "cancelled" ? registration.noticeVersion : version,
    ticketId,
    calendarUid,
    changedBy: requestKey,
    createdAt,
    updatedAt: now,
  };
};

/** `applicationStatus` is derived, never stored (`contract.md`, section 2). */
export function applicationStatusOf({
  status,
  applicationBased,
}: Pick<RegistrationRecord, "status" | "applicant" | "applicationBased">): string {
  if (!applicationBased) return "";
  if (status === "registered") return "reviewing";
  if (status.startsWith("accepted") || status === "checkedIn") return "accepted";
  return status === "rejected" || status === "waitlist" ? status : "";
}
