/** The record of a registration, and rules that depend only on it (`docs/design.md`, "The data model"). Pure. */

import type { Choices, CounterChanges, Holder, Place, Pool } from "#domain/capacity/seats.ts";
import type { CodeUse } from "#domain/codes/code.ts";
import type { Deposit } from "#domain/events/pricing.ts";
import type { Again } from "#domain/people/once-more.ts";
import { isMemberAt } from "#domain/people/users/user.ts";
import { timeOf } from "#kit/request/context.ts";
import type { Money, OutboxMessage, RegistrationFact } from "#outbox/catalogue.ts";
import type { Origin } from "./acts.ts";
import type { ConfirmedState } from "./moves.ts";
import type { BasicInformation } from "./new-registration.ts";
import { arrivedOf, broughtBy, type PlusOne, type SeatPrices } from "./plus-ones.ts";
import { propertiesOf, type RegistrationStatus, type Stated, stateOf } from "./statuses.ts";

export type { RegistrationStatus };

/** One person's registration for one event, as stored. */
export interface RegistrationRecord {
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
  /** `deleted` marks a tombstone, which keeps version and calendar uid, and is in no response. */
  readonly status: RegistrationStatus | "deleted";
  /** With status `registered`: the application is not decided yet. */
  readonly applicant?: boolean;
  /** The person registered, or waited, while the event took applications. */
  readonly applicationBased?: boolean;
  readonly fname: string;
  readonly studentId?: string;
  readonly basicInformation: BasicInformation;
  readonly dynamicResponses: Readonly<Record<string, string | readonly string[]>>;
  readonly choices: Choices;
  readonly isPartner: boolean;
  /** The people whom the person brings. Absent: none. */
  readonly plusOnes?: readonly PlusOne[] | undefined;
  /** The seats that the registration takes or waits for. */
  readonly pool?: Pool;
  /** In line, the person waits behind all others: an event with `noShowsWait`, and too many seats that were left empty. */
  readonly behindOthers?: true | undefined;
  readonly points: number;
  /**
   * The person deleted the account after registering. Points of this registration are never in the total over all events.
   */
  readonly ofDeletedAccount?: true;
  /**
   * The event's price for the person at admission, in integer cents. Absent when it had none.
   */
  readonly entryPrice?: number;
  /** What a code promised at admission, in integer cents: the person never owes more. */
  readonly agreedPrice?: number;
  /** The price is a deposit. Absent: it is not. Later changes of the event change nothing of what was agreed. */
  readonly deposit?: Deposit | undefined;
  /** The code by which the person registered, which stays when the registration or the code ends. */
  readonly code?: CodeUse;
  /** The queueKey of the request by which the person registered, or was moved to the end of the line. */
  readonly queueKey: string;
  /** When the person registered, epoch milliseconds. Only for people who were moved to the end of the line since. */
  readonly registeredAt?: number;
  /** The generation of the event that the registration belongs to. */
  readonly generation: string;
  /** Counts the writes, from 1, and continues when the person registers again after a deletion. */
  readonly version: number;
  /** The last version with a mail. A mail about an earlier version is superseded. */
  readonly noticeVersion: number;
  /** The id of the ticket. The QR code contains a hash of it. Registering again creates a new one. */
  readonly ticketId: string;
  /** Unchanged when the person registers again after a deletion, so that calendars have one entry. */
  readonly calendarUid: string;
  /** End of the hold, epoch milliseconds. Present exactly for unpaid registrations. */
  readonly holdExpiresAt?: number;
  /** The page where the person pays, while a checkout is open. */
  readonly checkoutLink?: string;
  /** End of the hold without extensions by checkouts, epoch milliseconds. */
  readonly heldWithoutCheckout?: number;
  /** Epoch milliseconds. */
  readonly checkedInAt?: number;
  /** The scan that is the check-in, and the name of its device. Absent: an executive has checked the person in. */
  readonly checkedInBy?: { readonly device: string; readonly nonce: string };
  /** The status before the check-in. Undoing the check-in restores it. */
  readonly cameFrom?: ConfirmedState;
  /** The session of the payment, and its money. When a paid registration ends, the money is refunded. */
  readonly paidBy?: string | undefined;
  readonly paid?: Money | undefined;
  /** Epoch milliseconds. Older records lack it. */
  readonly paidAt?: number | undefined;
  /** What the payment was asked for, by seat. Only of a payment for several. */
  readonly seatPrices?: SeatPrices | undefined;
  /** That payment is refunded as a whole, or is about to be, but no admin has ended the registration. */
  readonly refunded?: true | undefined;
  /** What is left to pay of a seat that is confirmed, in cents: an executive took less than its price. */
  readonly owes?: number | undefined;
  /**
   * The checkout whose money is under way, which may take days. `heldUntil`: the end of the hold before that, epoch
   * milliseconds.
   */
  readonly moneyUnderWay?: { readonly checkoutId: string; readonly heldUntil: number };
  /** When the person said that they come, epoch milliseconds. */
  readonly coming?: number | undefined;
  /** The mark of the offer of this seat to another person, who has not accepted it. Every move of the registration ends it. */
  readonly offer?: string | undefined;
  /** The person has handed on a seat of this event. A tombstone keeps it, too. */
  readonly gave?: true | undefined;
  /** The seat was handed on to the person, by the offer with this mark, and so often in all. */
  readonly handed?: { readonly mark: string; readonly times: number };
  /** The payments of others by which the person had a seat before this registration. A tombstone keeps them, too. */
  readonly held?: readonly string[] | undefined;
  /** Who registered the person, and by which way. */
  readonly joined?: Origin | undefined;
  /** Who ended the registration, and by which way. */
  readonly left?: Origin | undefined;
  /** When, in epoch milliseconds. Older records lack it (`leftAtOf`). */
  readonly leftAt?: number | undefined;
  /** Who made the last change, if not the person: an email, `link` or `system`. */
  readonly changedBy?: string | undefined;
  /** How often the person has recently registered again, except by an admin. A tombstone keeps it. */
  readonly again?: Again | undefined;
  /** How often the person has recently changed answers. A tombstone keeps it, too. */
  readonly amended?: Again | undefined;
  /** When the person first registered for this generation of the event, epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** When the person last registered, epoch milliseconds. Unlike `createdAt` it changes when the person registers again. */
export const registeredAtOf = ({ registeredAt, queueKey }: Pick<RegistrationRecord, "registeredAt" | "queueKey">) =>
  registeredAt ?? timeOf(queueKey);

/**
 * Whether the registration is of before the deletion of the person's account, epoch milliseconds. A newer one is of a person
 * who has signed up again, and is kept.
 */
export const isOfBefore = (deletedAt: number, registration: Pick<RegistrationRecord, "registeredAt" | "queueKey">) =>
  !(registeredAtOf(registration) > deletedAt);

/**
 * Whether the person counts as a member for a registration: as when they registered, so that a seat keeps its price when the
 * membership ends, and gets the members' when one begins.
 */
export const countsAsMember = (
  user: Parameters<typeof isMemberAt>[0],
  registration: Pick<RegistrationRecord, "registeredAt" | "queueKey">,
): boolean => isMemberAt(user, registeredAtOf(registration));

/** When a registration ended that has. Epoch milliseconds. */
export const leftAtOf = ({ leftAt, updatedAt }: Pick<RegistrationRecord, "leftAt" | "updatedAt">): number =>
  leftAt ?? updatedAt;

/** Whether the registration has ended, so that the person may register again. */
export const hasEnded = (registration: Stated): boolean => propertiesOf(registration).ended;

/** Whether its person may still answer questions: not once it has ended, was rejected, or is one of a deleted account. */
export const takesAnswers = (registration: RegistrationRecord): boolean =>
  !hasEnded(registration) && registration.status !== "rejected" && !registration.ofDeletedAccount;

/** Whether the registration prevents the person from registering again for this generation of the event. */
export const isLive = (registration: RegistrationRecord, ofGeneration: string): boolean =>
  !hasEnded(registration) && registration.generation === ofGeneration;

/**
 * Whether the registration holds a seat. Independent of the clock: an unpaid seat is held until a transaction ends it.
 */
export const holdsSeat = (registration: Stated): boolean => propertiesOf(registration).seat !== false;

/** Whether the seat of the registration is held until it is paid. */
export const isUnpaid = (registration: Stated): boolean => propertiesOf(registration).unpaid;

/** Whether the person has a seat that nothing is left to do for, so that they can say that they come. */
export const mayCome = (registration: Stated): boolean =>
  propertiesOf(registration).seat !== false && !isUnpaid(registration) && registration.status !== "checkedIn";

/** The payments of others that name the person, who has or had their seats. */
export const paymentsHeld = ({
  held = [],
  handed,
  paidBy,
}: Pick<RegistrationRecord, "held" | "handed" | "paidBy">): readonly string[] =>
  handed && paidBy !== undefined ? [...new Set([...held, paidBy])] : held;

/** Whether an executive has taken the money for the seat. */
export const isPaidByHand = ({ paidBy = "" }: Pick<RegistrationRecord, "paidBy">): boolean =>
  paidBy.startsWith("hand_");

/** The code of which the registration has one of the uses now. */
export const codeInUse = (registration: Stated & Pick<RegistrationRecord, "code">): CodeUse | undefined =>
  propertiesOf(registration).code ? registration.code : undefined;

/** What the seats count. A place in line has only the number of those whom the person brings. */
type Counted = Stated & Pick<RegistrationRecord, "isPartner" | "pool" | "plusOnes"> & Pick<Place, "brings">;

/** What this registration adds to the counters of the event. Only attendees bring people, who check in one by one. */
export function countersOf(registration: Counted): CounterChanges {
  const { seat } = propertiesOf(registration);
  if (!seat) return stateOf(registration) === "applicant" ? { applicants: 1 } : {};
  if (registration.pool === "partners") {
    return { partnerSeats: 1, partners: 1, ...(seat === "checkedIn" && { partnersCheckedIn: 1 }) };
  }
  const brought = broughtBy(registration);
  const partners = registration.isPartner && { partners: 1 };
  const seats = registration.pool === "allotment" ? "allotmentSeats" : "seats";
  if (brought === 0) return { [seats]: 1, [seat]: 1, ...partners };
  const arrived = arrivedOf(registration).length + (seat === "checkedIn" ? 1 : 0);
  const still = seat === "checkedIn" ? "registered" : seat;
  const expected = 1 + brought - arrived;
  const counted = { ...(expected > 0 && { [still]: expected }), ...(arrived > 0 && { checkedIn: arrived }) };
  return { [seats]: 1 + brought, ...counted, ...partners };
}

/** The registration as the seats count it. */
export const holderOf = (registration: Counted & Pick<RegistrationRecord, "choices">): Holder => ({
  choices: holdsSeat(registration) ? registration.choices : {},
  counters: countersOf(registration),
});

/** The fields that a registration and its place in line have in common. */
export type PlaceFields = Pick<RegistrationRecord, Extract<keyof Place, keyof RegistrationRecord> | "plusOnes"> &
  Pick<Place, "brings">;

/** The registration's place in line. */
export function placeOf(registration: PlaceFields): Place {
  const { email, queueKey, choices, isPartner, pool, behindOthers, fname, generation, version } = registration;
  const { entryPrice, agreedPrice, registeredAt } = registration;
  const brings = broughtBy(registration);
  const order = { ...(pool && { pool }), ...(behindOthers && { behindOthers }), ...(brings > 0 && { brings }) };
  const since = registeredAt === undefined ? {} : { registeredAt };
  const place = { email, queueKey, ...since, choices, isPartner, ...order, fname, generation, version };
  const agreed = agreedPrice === undefined ? {} : { agreedPrice };
  return entryPrice === undefined ? { ...place, ...agreed } : { ...place, entryPrice, ...agreed };
}

type FactFields = Pick<RegistrationRecord, "status" | Extract<keyof RegistrationFact, keyof RegistrationRecord>>;

export function factOf(registration: FactFields): RegistrationFact {
  const { eventID, year, generation, email, fname, status, version, isPartner } = registration;
  return { eventID, year, generation, email, fname, registrationStatus: status, version, isPartner };
}

/** Whether a deletion has a notice. A registration that was cancelled before gets no second one. */
const tellsDeletion = ({ status }: RegistrationRecord, quietly: boolean): boolean => !quietly && status !== "cancelled";

/**
 * The message that a registration was deleted.
 * @param after the tombstone
 * @param quietly sends no notice
 */
export const deletionOf = (
  before: RegistrationRecord,
  after: RegistrationRecord,
  origin?: Origin,
  quietly = false,
): OutboxMessage => ({
  type: "registration.deleted",
  data: {
    ...factOf({ ...after, fname: before.fname }),
    ...(origin && { origin }),
    previousStatus: before.status,
    ...(tellsDeletion(before, quietly) && { notice: "cancelled" as const }),
  },
});

/**
 * The tombstone of a registration, without anything that the person has entered.
 * @param quietly the deletion has no notice
 * @param left absent: the person was never in, because the registration is undone
 */
export const tombstoneOf = (
  registration: RegistrationRecord,
  { now }: { readonly now: number },
  { quietly = false, left }: { readonly quietly?: boolean; readonly left?: Origin | undefined } = {},
): RegistrationRecord => {
  const {
    email,
    eventID,
    year,
    queueKey,
    generation,
    isPartner,
    calendarUid,
    ticketId,
    again,
    amended,
    gave,
    createdAt,
  } = registration;
  const version = registration.version + 1;
  const held = paymentsHeld(registration);
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
    // Only a notice supersedes an earlier notice.
    noticeVersion: tellsDeletion(registration, quietly) ? version : registration.noticeVersion,
    ticketId,
    calendarUid,
    ...(again && { again }),
    ...(amended && { amended }),
    ...(gave && { gave }),
    ...(held.length > 0 && { held }),
    ...(left && { left, leftAt: registration.left ? leftAtOf(registration) : now }),
    createdAt,
    updatedAt: now,
  };
};

/**
 * The `applicationStatus` in responses (`docs/contract.md`, "Registrations"), derived from the status and never stored.
 */
export const applicationStatusOf = (registration: Stated & Pick<RegistrationRecord, "applicationBased">): string =>
  registration.applicationBased ? propertiesOf(registration).application : "";
