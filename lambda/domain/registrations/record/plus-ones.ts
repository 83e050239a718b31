/**
 * The people whom a person brings along. They are a part of the registration, each with a seat and a ticket of their own:
 * they get their seats together with the person, or not at all (`docs/contract.md`, "Plus-ones"). Pure.
 */
import type { Place } from "#domain/capacity/seats.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { AskedPlusOne } from "./new-registration.ts";
import { propertiesOf, type Stated } from "./statuses.ts";

/** A person who comes along, as stored. The code of the ticket has the email of the registration. */
export interface PlusOne {
  readonly ticketId: string;
  /** Empty when it is forgotten. */
  readonly fname: string;
  /** Epoch milliseconds. */
  readonly checkedInAt?: number;
  /** The scan that is the check-in. Absent: an executive has checked the person in. */
  readonly checkedInBy?: { readonly device: string; readonly nonce: string };
}

/** The prices of a payment for several seats, in integer cents: of the person, and of each who comes along. */
export interface SeatPrices {
  readonly own: number;
  readonly plusOne: number;
}

/** A registration, or its place in line, which has only the number. */
export type Bringing = Pick<Place, "brings"> & { readonly plusOnes?: readonly unknown[] | undefined };

/** How many people come along. */
export const broughtBy = ({ plusOnes, brings = 0 }: Bringing): number => plusOnes?.length ?? brings;

/** All people of these registrations. */
export const peopleIn = (registrations: readonly Bringing[]): number =>
  registrations.reduce((people, one) => people + 1 + broughtBy(one), 0);

/** Who of them has come. Without a seat of the registration none has. */
export const arrivedOf = (
  registration: Stated & { readonly plusOnes?: readonly PlusOne[] | undefined },
): readonly PlusOne[] =>
  propertiesOf(registration).seat === false
    ? []
    : (registration.plusOnes ?? []).filter(({ checkedInAt }) => checkedInAt !== undefined);

/** Those who come along, before one of them has come. */
export const notArrived = (plusOnes: readonly PlusOne[]): PlusOne[] =>
  plusOnes.map(({ ticketId, fname }) => ({ ticketId, fname }));

/** What of a payment stays while so many still come along, in integer cents. */
export const priceOfSeats = ({ own, plusOne }: SeatPrices, plusOnes: number): number => own + plusOnes * plusOne;

const refused = (message: string): ValidationFailed => new ValidationFailed([{ path: "/plusOnes", message }]);

/**
 * Those of a registration who still come along, by their first names.
 * @throws ValidationFailed there are others among them, or one who has come is missing
 */
export function stillComing(plusOnes: readonly PlusOne[], wanted: readonly AskedPlusOne[]): PlusOne[] {
  const left = [...plusOnes];
  const kept = wanted.map(({ fname }) => {
    const found = left.findIndex((one) => one.fname === fname);
    if (found < 0) throw refused("may only lose people: cancel and register again to bring others");
    return left.splice(found, 1)[0] as PlusOne;
  });
  if (left.some(({ checkedInAt }) => checkedInAt !== undefined)) throw refused("must keep who has come");
  return plusOnes.filter((one) => kept.includes(one));
}

/** Why a form may not bring these people. @param seats of the event */
export function plusOneIssues(
  { plusOnes = [], isPartner }: { readonly plusOnes?: readonly unknown[] | undefined; readonly isPartner?: boolean },
  most = 0,
  seats = Number.POSITIVE_INFINITY,
): Issue[] {
  const count = plusOnes.length;
  const path = "/plusOnes";
  if (count === 0) return [];
  if (isPartner) return [{ path, message: "must be empty: partners register one by one" }];
  if (most === 0) return [{ path, message: "must be empty: at this event everybody registers for themselves" }];
  if (count > most) return [{ path, message: `must be at most ${most} people at this event` }];
  return count < seats ? [] : [{ path, message: "must leave a seat for yourself: the event has too few for all" }];
}
