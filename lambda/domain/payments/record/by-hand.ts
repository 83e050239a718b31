/**
 * Entries by hand: money that an executive has taken or given back in cash or by transfer. As in any books, an entry is never
 * changed: a wrong one is reversed by another one that names it. Pure.
 */

/** How money changed hands that the provider has not seen. */
export type HowByHand = "cash" | "transfer";

/** Money that was taken, or a part of the price that is not asked for any more. */
export interface Entry {
  /** What was taken, in cents. */
  readonly amount: number;
  /** Absent when nothing was taken. */
  readonly how?: HowByHand;
  /** What of the price is waived, in cents, and why. */
  readonly waived?: number;
  readonly reason?: string;
  /** Epoch milliseconds: when it was recorded. */
  readonly at: number;
  /** Epoch milliseconds: when the money was taken, if that was before it was recorded. */
  readonly dated?: number;
  /** The actor who recorded it. */
  readonly by: string;
}

/** An entry that takes another one back. */
export interface Reversal {
  /** The id of the reversed entry: of money that was taken, or of a refund by hand. */
  readonly of: string;
  readonly reason: string;
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Money as an executive has taken it. */
export interface TakenByHand {
  readonly how: HowByHand;
  readonly by: string;
  /** What was asked for, in cents. */
  readonly price: number;
  /** Why the rest of the price is not asked for any more. Absent: it stays owed. */
  readonly waive?: string | undefined;
  /** Epoch milliseconds: when it was taken, if that was before. */
  readonly dated?: number | undefined;
}

/** The entry of money that was taken. @param amount in cents @param now epoch milliseconds */
export const entryOf = ({ how, by, price, waive, dated }: TakenByHand, amount: number, now: number): Entry => ({
  amount,
  how,
  ...(waive !== undefined && price > amount && { waived: price - amount, reason: waive }),
  ...(dated !== undefined && { dated }),
  by,
  at: now,
});

/** What stays owed after an entry of this money, in cents. */
export const restAfter = ({ price, waive }: TakenByHand, amount: number): number =>
  waive === undefined ? Math.max(price - amount, 0) : 0;

/** What of a payment is by hand. */
interface ByHand {
  readonly paymentId: string;
  readonly money: { readonly amount: number };
  readonly byHand?: { readonly how: HowByHand; readonly by: string };
  readonly settledAt: number;
  readonly entries?: Readonly<Record<string, Entry>>;
  readonly reversals?: Readonly<Record<string, Reversal>>;
}

/** Whether another entry has taken this one back. */
export const isReversed = ({ reversals = {} }: Pick<ByHand, "reversals">, id: string): boolean =>
  Object.values(reversals).some(({ of }) => of === id);

/** What was taken by hand, by entry. An older payment has one, of its id. */
export function entriesOf({ paymentId, money, byHand, settledAt, entries }: ByHand): Readonly<Record<string, Entry>> {
  return entries ?? (byHand ? { [paymentId]: { amount: money.amount, ...byHand, at: settledAt } } : {});
}

const validEntries = (payment: ByHand): Entry[] =>
  Object.entries(entriesOf(payment)).flatMap(([id, entry]) => (isReversed(payment, id) ? [] : entry));

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** What was taken by the entries that are valid, in cents. */
export const takenByHand = (payment: ByHand): number => sum(validEntries(payment).map(({ amount }) => amount));

/** What of the price was taken or waived, in cents. */
export const coveredBy = (payment: ByHand): number =>
  sum(validEntries(payment).map(({ amount, waived = 0 }) => amount + waived));
