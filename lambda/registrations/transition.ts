/** A registration after a move, and what is told of it. Pure. */
import { channelsOf } from "../notifications/notice.ts";
import type { Happening } from "../outbox/catalogue.ts";
import { type Arrival, arrivals, type Move, statusOf } from "./moves.ts";
import { factOf, holdsSeat, type RegistrationRecord } from "./registration.ts";

/** When and by which request a move is made. */
export interface Occasion {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly arrival: string;
}

const isConfirmed = (status: RegistrationRecord["status"]): status is NonNullable<RegistrationRecord["cameFrom"]> =>
  status === "registered" || status === "accepted" || status === "acceptedComplete";

/**
 * The registration after a move.
 * @param holdExpiresAt epoch milliseconds, for moves to an unpaid seat
 */
export function afterMove(
  before: RegistrationRecord,
  { to, tells }: Pick<Move, "to" | "tells">,
  { now, arrival }: Occasion,
  more: Pick<RegistrationRecord, "holdExpiresAt" | "endedBecause" | "paidBy"> = {},
): RegistrationRecord {
  const { holdExpiresAt, applicant, cameFrom, checkedInAt, endedBecause, ...kept } = before;
  const version = before.version + 1;
  return {
    ...kept,
    ...(to === "applicant" && { applicant: true }),
    ...(to === "checkedIn" && isConfirmed(before.status) && { cameFrom: before.status, checkedInAt: now }),
    ...more,
    status: statusOf(to),
    version,
    // What nobody reads in a mail must not supersede one that is on its way.
    noticeVersion: tells !== undefined && channelsOf[tells].mail ? version : before.noticeVersion,
    changedBy: arrival,
    updatedAt: now,
  };
}

/** The news of a move. */
export const newsOf = ({ emits, tells }: Pick<Move, "emits" | "tells">, after: RegistrationRecord): Happening => ({
  type: emits,
  data: { ...factOf(after), ...(tells !== undefined && { notice: tells }) },
});

/** A registration as it begins, over whatever ended one was there. */
export function asArrived(
  newcomer: Omit<RegistrationRecord, "status" | "version" | "noticeVersion">,
  arrival: Arrival,
  known: RegistrationRecord | undefined,
  holdExpiresAt?: number,
): RegistrationRecord {
  const version = (known?.version ?? 0) + 1;
  return {
    ...newcomer,
    status: statusOf(arrival),
    ...(arrival === "applicant" && { applicant: true }),
    ...(holdExpiresAt !== undefined && { holdExpiresAt }),
    // The schedule of an event that was created again counts from 0: its calendar entry is another one.
    calendarUid: known?.incarnation === newcomer.incarnation ? known.calendarUid : newcomer.calendarUid,
    version,
    noticeVersion: version,
  };
}

export const arrivalNewsOf = (arrival: Arrival, registration: RegistrationRecord): Happening =>
  newsOf(arrivals[arrival], registration);

/** A paid seat that is given up: the money goes back. */
export const refundOf = (before: RegistrationRecord, after: RegistrationRecord): Happening | undefined =>
  before.paidBy !== undefined && holdsSeat(before) && !holdsSeat(after)
    ? {
        type: "payment.refundRequired",
        data: {
          email: before.email,
          eventID: before.eventID,
          year: before.year,
          paymentId: before.paidBy,
          reason: "registration ended",
        },
      }
    : undefined;
