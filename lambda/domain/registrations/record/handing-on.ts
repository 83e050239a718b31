/** Who may hand on a seat, and who may take it (`docs/contract.md`, "Handing on"). Pure. */
import type { EventRecord } from "#domain/events/event.ts";
import { NotAllowed } from "#kit/errors.ts";
import { mayCome, type RegistrationRecord } from "./registration.ts";

type HandsOn = Pick<EventRecord, "transfers">;

/** How often the seat may still be handed on. */
const timesLeft = ({ handed }: RegistrationRecord, { transfers = 0 }: HandsOn): number =>
  transfers - (handed?.times ?? 0);

/** Whether the person has a seat that is theirs to hand on: confirmed, paid as a whole, and not used. */
const isTheirs = (registration: RegistrationRecord): boolean =>
  mayCome(registration) && !registration.ofDeletedAccount && !registration.owes;

const bringsOthers = ({ plusOnes = [] }: RegistrationRecord): boolean => plusOnes.length > 0;

/** Whether the person may offer the seat before the start. */
export const mayHandOn = (registration: RegistrationRecord, event: HandsOn): boolean =>
  isTheirs(registration) && !bringsOthers(registration) && timesLeft(registration, event) > 0;

/** Why the person may not offer the seat, at an event that has it. Undefined: the person may. */
export function whyNotHandedOn(registration: RegistrationRecord, event: HandsOn): string | undefined {
  if (!isTheirs(registration)) return "Only a confirmed seat of which nothing is left to pay can be handed on.";
  if (bringsOthers(registration)) return "Others come along with this seat. Change who does first, then hand it on.";
  return timesLeft(registration, event) > 0 ? undefined : "This seat was handed on as often as the event allows.";
}

/** Deposits that have gone back, or have to: their person was checked in, and out again. */
const backOf: readonly RegistrationRecord["deposit"][] = ["due", "dueByHand", "returned"];

/**
 * The payment stays that of its payer, and no difference is paid.
 * @param price of the event for the person who takes the seat, in cents
 * @throws NotAllowed more than was paid for the seat
 */
export function assertPaidFor({ paid, refunded, deposit, seatPrices }: RegistrationRecord, price = 0): void {
  const amount = paid?.amount ?? 0;
  const isBack = refunded || (deposit !== undefined && backOf.includes(deposit));
  // What was paid for others has been refunded.
  if (price > (isBack ? 0 : Math.min(amount, seatPrices?.own ?? amount))) {
    throw new NotAllowed("For you this event costs more than was paid for this seat, so you cannot take it.");
  }
}
