/** The record of a registration, and rules that follow from it alone (`docs/design.md`, "The data model"). Pure. */

import type { Choices, CounterChanges, Holder, Place } from "#domain/capacity/seats.ts";
import type { Money, OutboxMessage, RegistrationFact } from "#outbox/catalogue.ts";
import type { ConfirmedState } from "./moves.ts";
import type { BasicInformation } from "./new-registration.ts";
import type { Again } from "./register-again.ts";
import { propertiesOf, type RegistrationStatus, type Stated, stateOf } from "./statuses.ts";

export type { RegistrationStatus };

/** One person's registration for one event, as stored. */
export interface RegistrationRecord {
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
  /** `deleted` marks a tombstone. It keeps the version and the calendar uid, and no answer shows it. */
  readonly status: RegistrationStatus | "deleted";
  /** With status `registered`: the application is in and not decided yet. */
  readonly applicant?: boolean;
  /** The person registered, or waited, while the event took applications. */
  readonly applicationBased?: boolean;
  readonly fname: string;
  readonly studentId?: string;
  readonly basicInformation: BasicInformation;
  readonly dynamicResponses: Readonly<Record<string, string | readonly string[]>>;
  readonly choices: Choices;
  readonly isPartner: boolean;
  readonly points: number;
  /**
   * The person deleted the account after the registration began. Its points are in no total over all events, whatever
   * becomes of it.
   */
  readonly ofDeletedAccount?: true;
  /**
   * The event's price for the person when they were let in, in integer cents. Absent: it had no price for this person.
   */
  readonly entryPrice?: number;
  /** The queueKey of the request that began the registration. While the person waits, it is their place in line. */
  readonly queueKey: string;
  /** The generation of the event that the registration belongs to. */
  readonly generation: string;
  /** Counts the writes, from 1. The count goes on when the registration is deleted and the person registers again. */
  readonly version: number;
  /** The last version with a mail. A mail about an earlier version is superseded. */
  readonly noticeVersion: number;
  /** The id of the ticket. The QR code carries a mark of it. A person who registers again gets a new one. */
  readonly ticketId: string;
  /** Stays when the person deletes the registration and registers again, so that a calendar has one entry. */
  readonly calendarUid: string;
  /** End of the hold, epoch milliseconds. Exactly the unpaid registrations have it. */
  readonly holdExpiresAt?: number;
  /** The page where the person pays, while a checkout is open. */
  readonly checkoutLink?: string;
  /** End of the hold without the time that checkouts have added, epoch milliseconds. */
  readonly heldWithoutCheckout?: number;
  /** Epoch milliseconds. */
  readonly checkedInAt?: number;
  /** The status before the check-in. Undoing the check-in restores it. */
  readonly cameFrom?: ConfirmedState;
  /** The session of the payment, and its money. When a paid registration ends, the money has to go back. */
  readonly paidBy?: string;
  readonly paid?: Money;
  /**
   * The checkout whose money is under way, which may take days. `heldUntil` is the end of the hold before that, in
   * epoch milliseconds.
   */
  readonly moneyUnderWay?: { readonly checkoutId: string; readonly heldUntil: number };
  /** The reason of the cancellation. A late payment revives only a registration whose hold was over. */
  readonly endedBecause?: "asked" | "hold over" | "event deleted";
  /** How often the person has registered again of late. A tombstone keeps it. Absent: never, except by an admin. */
  readonly again?: Again | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Whether the registration is over, so that the person may register again. */
export const hasEnded = (registration: Stated): boolean => propertiesOf(registration).ended;

/** Whether the registration keeps the person from registering again for this generation of the event. */
export const isLive = (registration: RegistrationRecord, ofGeneration: string): boolean =>
  !hasEnded(registration) && registration.generation === ofGeneration;

/**
 * Whether the registration holds a seat. It never depends on the clock: an unpaid seat is held until a transaction ends
 * it.
 */
export const holdsSeat = (registration: Stated): boolean => propertiesOf(registration).seat !== false;

/** Whether the seat of the registration is held until it is paid. */
export const isUnpaid = (registration: Stated): boolean => propertiesOf(registration).unpaid;

/** The counts that this registration adds to the counters of the event. */
export function countersOf(registration: Stated & Pick<RegistrationRecord, "isPartner">): CounterChanges {
  const { seat } = propertiesOf(registration);
  if (!seat) return stateOf(registration) === "applicant" ? { applicants: 1 } : {};
  return { seats: 1, [seat]: 1, ...(registration.isPartner && { partners: 1 }) };
}

/** The registration as the seats count it. */
export const holderOf = (registration: Stated & Pick<RegistrationRecord, "isPartner" | "choices">): Holder => ({
  choices: holdsSeat(registration) ? registration.choices : {},
  counters: countersOf(registration),
});

/** What a registration and its place in line have in common. */
export type PlaceFields = Pick<RegistrationRecord, Extract<keyof Place, keyof RegistrationRecord>>;

/** The registration's place in line. */
export function placeOf(registration: PlaceFields): Place {
  const { email, queueKey, choices, isPartner, fname, entryPrice, generation, version } = registration;
  const place = { email, queueKey, choices, isPartner, fname, generation, version };
  return entryPrice === undefined ? place : { ...place, entryPrice };
}

type FactFields = Pick<RegistrationRecord, "status" | Extract<keyof RegistrationFact, keyof RegistrationRecord>>;

export function factOf(registration: FactFields): RegistrationFact {
  const { eventID, year, generation, email, fname, status, version, isPartner } = registration;
  return { eventID, year, generation, email, fname, registrationStatus: status, version, isPartner };
}

/** Whether a deletion is told. A person whose registration was cancelled before gets no second notice. */
const tellsDeletion = ({ status }: RegistrationRecord, quietly: boolean): boolean => !quietly && status !== "cancelled";

/**
 * The message that a registration was deleted.
 * @param after the tombstone
 * @param quietly sends no notice
 */
export const deletionOf = (before: RegistrationRecord, after: RegistrationRecord, quietly = false): OutboxMessage => ({
  type: "registration.deleted",
  data: {
    ...factOf({ ...after, fname: before.fname }),
    previousStatus: before.status,
    ...(tellsDeletion(before, quietly) && { notice: "cancelled" as const }),
  },
});

/**
 * The tombstone of a registration. It keeps nothing that the person has filled in.
 * @param quietly the deletion has no notice
 */
export const tombstoneOf = (
  registration: RegistrationRecord,
  { now }: { readonly now: number },
  quietly = false,
): RegistrationRecord => {
  const { email, eventID, year, queueKey, generation, isPartner, calendarUid, ticketId, again, createdAt } =
    registration;
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
    queueKey,
    generation,
    version,
    // Only a notice supersedes a notice that is not sent yet.
    noticeVersion: tellsDeletion(registration, quietly) ? version : registration.noticeVersion,
    ticketId,
    calendarUid,
    ...(again && { again }),
    createdAt,
    updatedAt: now,
  };
};

/**
 * `applicationStatus` of the answers (`docs/contract.md`, "Registrations"). It is derived from the status, never
 * stored.
 */
export const applicationStatusOf = (registration: Stated & Pick<RegistrationRecord, "applicationBased">): string =>
  registration.applicationBased ? propertiesOf(registration).application : "";
