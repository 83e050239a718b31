/**
 * A payment with everything that became of its money. The provider's events are facts that may come repeatedly and in any
 * order: applying them in another order gives the same payment. Pure.
 */
import type { EventKey } from "#domain/events/event.ts";
import type { Deposit } from "#domain/events/pricing.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import type { Money } from "#outbox/catalogue.ts";
import { coveredBy, type Entry, entriesOf, type HowByHand, isReversed, type Reversal, takenByHand } from "./by-hand.ts";
import {
  type Dispute,
  forbidsRefunds,
  meaningOf,
  type StoredDispute,
  statusOf,
  takenBy,
  updatedDispute,
} from "./dispute.ts";
import type { PurposeName } from "./purpose.ts";

/** What a payment was used for. */
export type Settlement = "seat" | "membership" | "refund";

/**
 * `reserved`: recorded here, and perhaps asked for at the provider. `pending`: the provider has it, the money has not left.
 * `failed`: refused, or the money came back.
 */
export type RefundState = "reserved" | "pending" | "succeeded" | "failed";

/** A later state replaces an earlier one, but never the other way round. */
const order: readonly RefundState[] = ["reserved", "pending", "succeeded", "failed"];

/** What the provider says of a refund. */
export interface ProviderRefund {
  /** `re_…` */
  readonly providerId: string;
  /** In cents. */
  readonly amount: number;
  readonly state: Exclude<RefundState, "reserved">;
  /** Why it failed, in the provider's word. */
  readonly failure?: string;
  /** Why it is pending, in the provider's word: it goes on by itself. */
  readonly delayedBy?: string;
}

/** A refund. One that was made in the provider's dashboard has no `by`, and the provider's id as its own. */
export interface Refund extends Omit<ProviderRefund, "providerId" | "state"> {
  readonly state: RefundState;
  readonly providerId?: string;
  /** Epoch milliseconds at which it was reserved, or became known. */
  readonly at: number;
  /** The actor that asked for it. */
  readonly by?: string;
  /** What the person is told. */
  readonly reason?: string;
  /** It was given back by hand, and the provider knows nothing of it. */
  readonly isByHand?: true;
  /** How it was given back. Older records of refunds by hand lack it. */
  readonly how?: HowByHand;
  /** Epoch milliseconds: when it was given back by hand, if that was before it was recorded. */
  readonly dated?: number;
}

/** A decision of the treasurer to keep money that had to go back, or was to be decided about. */
export interface KeptMoney {
  /** In cents. */
  readonly amount: number;
  readonly reason: string;
  /** The actor that decided. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The refunds that had failed by then: they are not owed again. */
  readonly failedRefunds: readonly string[];
}

/** One line of the provider's books about the payment: it was charged, refunded, or disputed. In cents. */
export interface BankLine {
  /** In the provider's word, such as `charge` or `refund`. */
  readonly type: string;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  /** ISO 4217, upper case, where it is not known to be the payment's: then no sum has the line. */
  readonly currency?: string;
  /** Epoch milliseconds: when it was booked. Older records lack it. */
  readonly at?: number;
  /** The transfer to the club's bank account, `po_…`, once it is known. The provider names it for automatic ones only. */
  readonly payout?: string;
  /** Epoch milliseconds: when that arrives. */
  readonly paidOutAt?: number;
}

/** Why the treasurer has to decide about a refund. */
export type Review = "late" | "third";

/** What became of the money. All of it may be known before the payment itself is. */
export interface MoneyFacts {
  readonly refunds?: Readonly<Record<string, Refund>>;
  readonly disputes?: Readonly<Record<string, StoredDispute>>;
  /** By the id of the provider's transaction. */
  readonly lines?: Readonly<Record<string, BankLine>>;
  /** What has to go back in all, in cents, as it was required or decided. */
  readonly owed?: number;
  readonly review?: Review;
  /**
   * What of the payment stays by rule, in cents: the price of those who still come, of several people, or have come. Absent:
   * all had to go back, or no seat was given up.
   */
  readonly keeps?: number;
  /** The messages that said so of some seats. */
  readonly givenUp?: readonly string[];
  /** In the order of time. */
  readonly kept?: readonly KeptMoney[];
  /** Reversals of entries by hand. */
  readonly reversals?: Readonly<Record<string, Reversal>>;
  /** Facts came before the settlement, and no message has told of them. */
  readonly isUntold?: boolean;
  /** Counts the writes. */
  readonly version: number;
}

/** A settled payment, kept for good. */
export interface Payment extends MoneyFacts {
  /** The checkout session at the provider, or `hand_…`. */
  readonly paymentId: string;
  readonly email: string;
  /** The email of who has the paid seat, if the payer has handed it on. Refunds go to the payer. */
  readonly holder?: string;
  readonly money: Money;
  readonly as: Settlement;
  readonly purpose: PurposeName;
  /** The code by which the person had registered. */
  readonly code?: NonNullable<RegistrationRecord["code"]>;
  /** Epoch milliseconds. */
  readonly settledAt: number;
  /** An executive has taken it. */
  readonly byHand?: { readonly how: HowByHand; readonly by: string };
  /** What was taken by hand, by entry; `money` is their sum. The first one has the payment's id. Older payments lack it. */
  readonly entries?: Readonly<Record<string, Entry>>;
  /** It is a deposit: who comes gets it back. `due`: its person was checked in. Absent: a price like any other. */
  readonly deposit?: Extract<Deposit, "held" | "due">;
  /** What was asked for, in cents. Only of money that was taken by hand. */
  readonly price?: number;
}

/** A payment as stored. Without `paymentId`, the provider's facts have come before the settlement. */
export type StoredPayment = MoneyFacts & Partial<Payment>;

export const isSettled = (payment: StoredPayment | undefined): payment is Payment => payment?.paymentId !== undefined;

/** The settled payment for which everybody hears of what came before; as it was, if nothing did. */
export function withAllTold(payment: StoredPayment): StoredPayment {
  if (!isSettled(payment) || !payment.isUntold) return payment;
  const { isUntold, ...told } = payment;
  return told;
}

/** What names a payment in the table: the provider's id of the transfer, or its session if the provider sent none. */
export const paymentName = ({ paymentId, paymentIntent }: Pick<Payment, "paymentId"> & Pick<Money, "paymentIntent">) =>
  paymentIntent ?? paymentId;

/** What the payments of one list are for: one event, memberships, or anything. */
export type PaymentList =
  | { readonly kind: "event"; readonly event: EventKey }
  | { readonly kind: "membership" }
  | { readonly kind: "all" };

/** Refunds of a payment after which the service makes no more. */
export const maxRefunds = 20;
/**
 * Refunds of the dashboard, and disputes, that are kept of a payment: each may be an item and two messages in a transaction,
 * which has at most 100 members.
 */
const maxFacts = 20;
/** Lines that are kept of a payment, so that its item stays small. */
const maxLines = 100;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** The refunds that no other entry has reversed, by id. */
const validRefunds = (payment: MoneyFacts): [string, Refund][] =>
  Object.entries(payment.refunds ?? {}).filter(([id]) => !isReversed(payment, id));

const refundsIn = (payment: MoneyFacts, ...states: readonly RefundState[]): number =>
  sum(
    validRefunds(payment)
      .filter(([, { state }]) => states.includes(state))
      .map(([, { amount }]) => amount),
  );

/** The part of a payment that its sums need. */
type Counted = MoneyFacts & Pick<Payment, "money"> & Partial<Pick<Payment, "as">>;

/** In cents. */
export interface Sums {
  readonly came: number;
  /** What the provider has kept. */
  readonly fee: number;
  readonly wentBack: number;
  /** What has to go back, or is on its way. */
  readonly open: number;
  /** What disputes have taken and may bring back. */
  readonly frozen: number;
  /** What lost disputes have taken for good. */
  readonly lost: number;
}

/** What disputes have taken, by what becomes of it. */
const takenIn = ({ disputes = {} }: MoneyFacts, money: ReturnType<typeof meaningOf>["money"]): number =>
  sum(
    Object.values(disputes)
      .filter((dispute) => meaningOf(statusOf(dispute)).money === money)
      .map(takenBy),
  );

/** What has reached the person, by refunds or by a card network. */
const wentBackOf = (payment: MoneyFacts): number => refundsIn(payment, "succeeded") + takenIn(payment, "paid back");

/** What is left of the payment at the club, in cents. */
const leftOf = (payment: Counted): number =>
  Math.max(payment.money.amount - wentBackOf(payment) - takenIn(payment, "frozen") - takenIn(payment, "lost"), 0);

/** Whether a dispute forbids refunds of what is left. */
export const isLocked = ({ disputes = {} }: MoneyFacts): boolean => Object.values(disputes).some(forbidsRefunds);

/**
 * What has to go back in all: what was required, and every refund, also one that has failed, unless a decision was made
 * about that. A refund that replaces a failed one adds nothing.
 */
function dueOf(payment: Counted): number {
  const { owed, as, money, kept = [] } = payment;
  const decided = new Set(kept.flatMap(({ failedRefunds }) => failedRefunds));
  const inOrder = validRefunds(payment).sort(([a, one], [b, other]) => one.at - other.at || (a < b ? -1 : 1));
  let sent = 0;
  let due = owed ?? (as === "refund" ? money.amount : 0);
  for (const [id, { amount, state }] of inOrder) {
    if (!decided.has(id)) due = Math.max(due, sent + amount);
    if (state !== "failed") sent += amount;
  }
  return Math.min(due, money.amount);
}

/** Whether a line is in the payment's currency: the provider may settle in another one, and converts the amounts. */
const isInCurrencyOf = (
  { money }: Partial<Pick<Payment, "money">>,
  { currency }: Pick<BankLine, "currency">,
): boolean => currency === undefined || currency === money?.currency;

export function sumsOf(payment: Counted): Sums {
  const [wentBack, underWay] = [wentBackOf(payment), refundsIn(payment, "reserved", "pending")];
  const owed = isLocked(payment) ? 0 : Math.min(dueOf(payment) - wentBack, leftOf(payment));
  return {
    came: payment.money.amount,
    fee: sum(
      Object.values(payment.lines ?? {})
        .filter((line) => isInCurrencyOf(payment, line))
        .map(({ fee }) => fee),
    ),
    wentBack,
    open: Math.max(owed, underWay, 0),
    frozen: takenIn(payment, "frozen"),
    lost: takenIn(payment, "lost"),
  };
}

/** What has to go back and is not on its way, in cents. */
export const unsentOf = (payment: Counted): number => sumsOf(payment).open - refundsIn(payment, "reserved", "pending");

/** What the payment is, from what is known of it. */
export type PaymentState = "kept" | "refunded" | "part refunded" | "frozen" | "lost" | "reversed";

export function paymentStateOf(payment: Counted): PaymentState {
  const { came, wentBack, frozen, lost } = sumsOf(payment);
  if (frozen > 0) return "frozen";
  if (lost > 0) return "lost";
  if (came === 0) return "reversed";
  if (wentBack === 0) return "kept";
  return wentBack < came ? "part refunded" : "refunded";
}

/** What can still be refunded, in cents: nothing while a dispute forbids it, and nothing of what disputes have taken. */
export function refundable(payment: Counted): number {
  if (isLocked(payment) || Object.keys(payment.refunds ?? {}).length >= maxRefunds) return 0;
  return Math.max(leftOf(payment) - refundsIn(payment, "reserved", "pending"), 0);
}

/** What the treasurer has decided to keep of seats that were given up one by one, in cents: no later one brings it back. */
const keptOfSeats = ({ givenUp, kept = [] }: MoneyFacts): number =>
  givenUp === undefined ? 0 : sum(kept.map(({ amount }) => amount));

/** What has to go back by rule, in cents, once seats are given up: all but what stays. */
const dueByRule = (payment: Counted): number =>
  Math.max(payment.money.amount - (payment.keeps ?? 0) - keptOfSeats(payment), 0);

/** What has gone back, or is on its way, in cents. */
const sentOf = (payment: MoneyFacts): number => wentBackOf(payment) + refundsIn(payment, "reserved", "pending");

/** What can still be refunded of what has to go back by rule, in cents. What went back for other reasons counts, too. */
export const refundableByRule = (payment: Counted): number =>
  Math.max(Math.min(refundable(payment), dueByRule(payment) - sentOf(payment)), 0);

/** Seats of a payment that are given up. */
export interface GivenUp {
  /** What of the payment stays after it, in cents. Absent: nothing. */
  readonly keeps?: number | undefined;
  /** Their price, in cents. Absent: all that does not stay. */
  readonly price?: number | undefined;
}

/** What follows for a payment. */
export interface AfterGivingUp {
  /** What is refunded for it now, in cents. */
  readonly amount: number;
  /** The same, but for what a dispute forbids. */
  readonly wanted: number;
  /** The payment before it is decided whether that is owed. */
  readonly payment: Payment;
  /** The payment that owes it. */
  readonly owing: Payment;
}

/** Whether all seats were given up before: all of it has to go back, or the treasurer decides about all. */
const isWhollyGivenUp = (payment: Payment): boolean =>
  payment.keeps === undefined && (payment.review !== undefined || payment.owed === dueByRule(payment));

/** Reports of seats that are given up come in any order: what stays after one of them is no more than after another. */
export function afterGivingUp(
  payment: Payment,
  { keeps = 0, price = payment.money.amount }: GivenUp = {},
): AfterGivingUp {
  const { keeps: _, ...kept } = payment;
  const least = Math.min(payment.keeps ?? keeps, keeps);
  const due = dueByRule({ ...payment, keeps: least });
  const wanted = Math.min(price, Math.max(due - sentOf(payment), 0));
  const known = { ...kept, ...(least > 0 && !isWhollyGivenUp(payment) && { keeps: least }) };
  const before = payment.owed ?? 0;
  const owed = Math.max(before, Math.min(due, Math.max(before, sentOf(payment)) + wanted));
  return {
    amount: Math.min(refundable(payment), wanted),
    wanted,
    payment: known,
    owing: { ...known, ...((owed > 0 || least === 0) && { owed }) },
  };
}

/** Whether all of the money has left the club for good, or is about to: by refunds, or in a dispute that was lost. */
export const hasLeft = (payment: Counted): boolean => {
  const { came, wentBack, lost } = sumsOf(payment);
  return came > 0 && wentBack + lost + refundsIn(payment, "reserved", "pending") >= came;
};

/** What its person still owes of the price, in cents: nothing once the money has to go back. */
export const restOf = ({ price = 0, keeps = price, owed, ...payment }: Payment): number =>
  owed === undefined ? Math.max(Math.min(price, keeps) - coveredBy(payment), 0) : 0;

/** Decisions that are kept of a payment. */
export const maxDecisions = 20;

/** What the treasurer can decide about, in cents: what has to go back and has not begun to, or all that is left. */
export const undecidedOf = (payment: Payment): number =>
  payment.review === undefined ? unsentOf(payment) : refundableByRule(payment);

/** The payment after the decision to keep a part of what was undecided. The rest has to go back. */
export function withKept(payment: Payment, kept: Omit<KeptMoney, "failedRefunds">): Payment {
  const { review, ...rest } = payment;
  const failed = Object.entries(payment.refunds ?? {}).filter(([, { state }]) => state === "failed");
  const decision = { ...kept, failedRefunds: failed.map(([id]) => id) };
  const sent = sentOf(payment);
  const owed = sent + undecidedOf(payment) - kept.amount;
  return { ...rest, owed, kept: [...(payment.kept ?? []), decision] };
}

const isFull = (known: object, most = maxFacts): boolean => Object.keys(known).length >= most;

const adopted = (refunds: Readonly<Record<string, Refund>>) =>
  Object.values(refunds).filter(({ by }) => by === undefined);

/** The payment with a new refund, or as it was if there is one of this id. */
export function withReservation(
  payment: StoredPayment,
  id: string,
  refund: Pick<Refund, "amount" | "at" | "by" | "reason">,
): StoredPayment {
  if (payment.refunds?.[id]) return payment;
  return { ...payment, refunds: { ...payment.refunds, [id]: { ...refund, state: "reserved" } } };
}

/** The name of a refund in the payment. */
function nameOf({ refunds = {} }: MoneyFacts, id: string | undefined, providerId: string): string {
  const own = id === undefined ? undefined : refunds[id];
  return id !== undefined && own && (own.providerId ?? providerId) === providerId ? id : providerId;
}

/**
 * The payment with what the provider says of a refund; as it was, if that is not new. Over a refund that the provider has
 * not confirmed yet, its word prevails whatever is recorded.
 * @param id of a refund of this service; undefined, or unknown, for one that was made elsewhere and is adopted
 * @param at of the refund's creation, in epoch milliseconds
 */
export function withRefund(
  payment: StoredPayment,
  id: string | undefined,
  told: ProviderRefund,
  at: number,
): StoredPayment {
  const { refunds = {} } = payment;
  const name = nameOf(payment, id, told.providerId);
  const known = refunds[name];
  if (!known && isFull(adopted(refunds))) return payment;
  if (known?.providerId !== undefined) {
    const steps = order.indexOf(told.state) - order.indexOf(known.state);
    const saysMore = told.delayedBy !== undefined && known.delayedBy === undefined;
    if (steps < 0 || (steps === 0 && !saysMore)) return payment;
  }
  const { failure, delayedBy, ...kept } = known ?? { at };
  return { ...payment, refunds: { ...refunds, [name]: { ...kept, ...told } } };
}

/** The payment after the provider has refused a refund: what was reserved is free again. */
export function withRefusal(payment: StoredPayment, id: string, failure: string): StoredPayment {
  const refund = payment.refunds?.[id];
  if (refund?.state !== "reserved") return payment;
  return { ...payment, refunds: { ...payment.refunds, [id]: { ...refund, state: "failed", failure } } };
}

/** The payment with what the provider says of a dispute now; as it was, if that is not new. */
export function withDispute(payment: StoredPayment, id: string, told: Dispute): StoredPayment {
  const { disputes = {} } = payment;
  const known = disputes[id];
  if (!known && isFull(disputes)) return payment;
  const updated = updatedDispute(known, told);
  return updated === known ? payment : { ...payment, disputes: { ...disputes, [id]: updated } };
}

/** The payment with a line of the provider's books, as it was if that says nothing new. */
export function withLine(payment: StoredPayment, id: string, { currency, ...rest }: BankLine): StoredPayment {
  const { lines = {} } = payment;
  const line = { ...rest, ...(currency !== undefined && !isInCurrencyOf(payment, { currency }) && { currency }) };
  const known = lines[id];
  const isKnown = known ? line.payout === undefined || known.payout !== undefined : isFull(lines, maxLines);
  return isKnown ? payment : { ...payment, lines: { ...lines, [id]: line } };
}

/** The payment whose money is what its valid entries have taken. What all had to go back still has to. */
function recounted(payment: Payment): Payment {
  if (!payment.byHand) return payment;
  const money = { ...payment.money, amount: takenByHand(payment) };
  return { ...payment, money, ...(payment.owed === dueByRule(payment) && { owed: dueByRule({ ...payment, money }) }) };
}

/** The payment with more money that was taken by hand, or with a part of its price waived. */
export const withEntry = (payment: Payment, id: string, entry: Entry): Payment =>
  recounted({ ...payment, entries: { ...entriesOf(payment), [id]: entry } });

/** The payment with a reversal of one of its entries. @param id of the reversal */
export const withReversal = (payment: Payment, id: string, reversal: Reversal): Payment =>
  recounted({
    ...payment,
    ...(payment.byHand && { entries: entriesOf(payment) }),
    reversals: { ...payment.reversals, [id]: reversal },
  });
