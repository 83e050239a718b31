/**
 * What an executive records of a payment after its first entry: more money, a rest that is waived, reversals, and that
 * money which waits is kept.
 */
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import { amountText } from "#kit/text/amount.ts";
import { type Entry, entriesOf, entryOf, isReversed, type TakenByHand } from "../record/by-hand.ts";
import { assertOpen } from "../record/journal-store.ts";
import {
  isSettled,
  maxDecisions,
  type Payment,
  restOf,
  type StoredPayment,
  sumsOf,
  undecidedOf,
  withEntry,
  withKept,
  withReversal,
} from "../record/payment.ts";
import { changeMembers, nameOfPayment, readPayment } from "../record/payment-store.ts";
import { AmountDiffers, NothingToDecide, NothingToPay, NotReversible } from "../refusals.ts";
import { type Brought, markMembers, readBrought } from "./brought.ts";

/** Money that an executive has taken, in cents. */
export interface Taking extends Omit<TakenByHand, "price" | "by"> {
  readonly amount: number;
  /** It is recorded although it is not what is asked for. */
  readonly confirm?: boolean | undefined;
}

/** A reversal, and the entry that is right. */
export interface AskedReversal {
  readonly entryId: string;
  readonly reason: string;
  readonly instead?: Taking | undefined;
}

/** Entries of a payment, so that its item stays small. */
const maxEntries = 20;

/** @param expected in cents @throws AmountDiffers */
export function assertExpected({ amount, confirm }: Taking, expected: number, currency: string): void {
  if (amount !== expected && !confirm) throw new AmountDiffers({ amount, currency }, expected);
}

/** @throws AmountDiffers NotReversible */
function taken(payment: Payment, taking: Taking, context: RequestContext): Payment {
  const rest = restOf(payment);
  assertExpected(taking, rest, payment.money.currency);
  if (Object.keys(entriesOf(payment)).length >= maxEntries)
    throw new NotReversible("This payment has too many entries.");
  const entry = entryOf({ ...taking, by: context.actor, price: rest }, taking.amount, context.now);
  return withEntry(payment, context.newId(), entry);
}

/** @throws NotFound NotReversible */
function assertReversible(payment: Payment, id: string): void {
  const entry = entriesOf(payment)[id];
  const refund = payment.refunds?.[id];
  if (!entry && !refund) throw new NotFound("Entry");
  if (isReversed(payment, id)) throw new NotReversible("This entry is reversed already.");
  if (refund && !refund.isByHand)
    throw new NotReversible("The provider has made this refund: it cannot be reversed here.");
  const { came, wentBack } = sumsOf(payment);
  if (entry && came - entry.amount < wentBack) {
    const back = amountText({ ...payment.money, amount: wentBack });
    throw new NotReversible(`${back} of this payment went back: reverse that first.`);
  }
}

/** @throws NotFound NotReversible AmountDiffers @throws ValidationFailed a refund by hand is recorded anew by itself */
function reversed(payment: Payment, { entryId, reason, instead }: AskedReversal, context: RequestContext): Payment {
  assertReversible(payment, entryId);
  if (instead && payment.refunds?.[entryId]) {
    throw new ValidationFailed([{ path: "/instead", message: "is for money that was taken: record the refund anew" }]);
  }
  const reversal = { of: entryId, reason, by: context.actor, at: context.now };
  const after = withReversal(payment, context.newId(), reversal);
  return instead ? taken(after, instead, context) : after;
}

/** @throws NothingToDecide */
function waived(payment: Payment, { amount, reason }: Waiver, context: RequestContext): Payment {
  const rest = restOf(payment);
  const cents = amount ?? rest;
  if (rest === 0) throw new NothingToDecide("Nothing of this payment is owed to the club.");
  if (cents > rest) {
    throw new NothingToDecide(
      `Only ${amountText({ ...payment.money, amount: rest })} of this payment is owed to the club.`,
    );
  }
  const entry: Entry = { amount: 0, waived: cents, reason, by: context.actor, at: context.now };
  return withEntry(payment, context.newId(), entry);
}

export interface Keeping {
  /** In cents; undefined: all that waits. */
  readonly amount?: number | undefined;
  readonly reason: string;
}

const tooMany = "This payment has too many decisions already.";

/** @throws NothingToDecide less than the amount waits */
function decided(payment: Payment, { amount, reason }: Keeping, context: RequestContext): Payment {
  const most = undecidedOf(payment);
  if (most === 0) throw new NothingToDecide("Nothing of this payment waits for a decision.");
  const cents = amount ?? most;
  if (cents > most) {
    const { currency } = payment.money;
    throw new NothingToDecide(`Only ${amountText({ amount: most, currency })} of this payment waits for a decision.`);
  }
  if ((payment.kept ?? []).length >= maxDecisions) throw new NothingToDecide(tooMany);
  return withKept(payment, { amount: cents, at: context.now, by: context.actor, reason });
}

interface Facts {
  readonly payment: StoredPayment | undefined;
  readonly brought: Brought;
}

/** Changes a payment as an executive asks, and marks what it has brought, in one transaction. */
async function changeAsAsked(
  paymentId: string,
  asked: { readonly action: string; readonly reason: string },
  change: (payment: Payment) => Payment,
  context: RequestContext,
  keep?: Keep<Payment>,
): Promise<Payment> {
  const name = await nameOfPayment(paymentId);
  if (name === undefined) throw new NotFound("Payment");
  return execute(
    {
      keep,
      async read(): Promise<Facts> {
        const payment = await readPayment(name);
        return { payment, brought: isSettled(payment) ? await readBrought(payment) : {} };
      },
      decide({ payment, brought }: Facts): Decision<Payment, void> {
        if (!isSettled(payment)) throw new NotFound("Payment");
        const after = change(payment);
        const members = changeMembers(name, payment, after, context, { ...asked, email: payment.email, id: paymentId });
        return write({ ...members, ...markMembers(after, brought, context) }, after, assertOpen);
      },
    },
    context,
  );
}

/** Records more money for a payment of which something is owed. @throws NothingToPay AmountDiffers MonthClosed */
export const takeRest = (paymentId: string, taking: Taking, context: RequestContext, keep?: Keep<Payment>) =>
  changeAsAsked(
    paymentId,
    { action: "payment.taken", reason: taking.how },
    (payment) => {
      if (restOf(payment) === 0) throw new NothingToPay("Nothing of this payment is owed any more.");
      return taken(payment, taking, context);
    },
    context,
    keep,
  );

/**
 * Reverses an entry: the seat or membership owes its amount again, or a refund by hand has not been made.
 * @returns the payment after it
 * @throws NotFound NotReversible AmountDiffers MonthClosed Contended UnknownOutcome
 */
export const reverseEntry = (paymentId: string, asked: AskedReversal, context: RequestContext, keep?: Keep<Payment>) =>
  changeAsAsked(
    paymentId,
    { action: "payment.reversed", reason: asked.reason },
    (payment) => reversed(payment, asked, context),
    context,
    keep,
  );

/** What of a payment's rest is not asked for any more, in cents; all of it when the amount is absent. */
export interface Waiver {
  readonly amount?: number | undefined;
  readonly reason: string;
}

/** @returns the payment after it @throws NotFound NothingToDecide Contended UnknownOutcome */
export const waiveRest = (paymentId: string, waiver: Waiver, context: RequestContext, keep?: Keep<Payment>) =>
  changeAsAsked(
    paymentId,
    { action: "payment.decided", reason: waiver.reason },
    (payment) => waived(payment, waiver, context),
    context,
    keep,
  );

/**
 * Records that money which waits for a decision is kept.
 * @returns the payment after it
 * @throws NotFound NothingToDecide Contended UnknownOutcome
 */
export const keepMoney = (paymentId: string, keeping: Keeping, context: RequestContext, keep?: Keep<Payment>) =>
  changeAsAsked(
    paymentId,
    { action: "payment.decided", reason: keeping.reason },
    (payment) => decided(payment, keeping, context),
    context,
    keep,
  );
