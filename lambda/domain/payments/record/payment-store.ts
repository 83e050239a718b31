/**
 * Keys, reads and writes of payments. A payment has two items: the settlement of its session, which exists once, and the
 * payment itself, under the provider's id of the transfer, which events about refunds, disputes and payouts name.
 */

import type { EventKey } from "#domain/events/event.ts";
import {
  allOf,
  itemsBeginning,
  itemsOf,
  type Page,
  type PageRequest,
  type Portion,
  portionOf,
  queryItems,
  queryPortion,
  takePage,
} from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { timeText, ttlAfter } from "#kit/table/item.ts";
import {
  drop,
  getItem,
  getItems,
  getRecord,
  type Item,
  isAsRead,
  type Key,
  listFromStart,
  put,
  putIf,
  putNew,
  type Query,
  queryOnce,
  recordOf,
  type Stored,
  setting,
  type TransactItem,
  type Transaction,
  updateIf,
} from "#kit/table/table.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import { outboxRow } from "#outbox/store.ts";
import { keyOf, partitionOf, personalFieldsOf, prefixOf, storedKindOf } from "#outbox/stored-kinds.ts";
import { entryOf, isReversed } from "./by-hand.ts";
import { checkOpen, putMovement } from "./journal-store.ts";
import type { ArrivedMoney } from "./money.ts";
import { movementsByHand } from "./movement.ts";
import { newsOf } from "./news.ts";
import {
  isSettled,
  type Payment,
  type PaymentList,
  paymentName,
  type Refund,
  type Settlement,
  type StoredPayment,
  unsentOf,
} from "./payment.ts";
import type { PurposeName } from "./purpose.ts";
import { isOpen, waitsFor } from "./waits-for.ts";

export const settledKey = (session: string): Key => keyOf("settlement", { session });

/** Epoch milliseconds. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What leads to a payment by its name. */
interface Pointer {
  readonly payment: string;
}

/** The settlement of a session: it has been used once, and where its payment is. */
interface SettledItem extends Pointer {
  readonly as: Settlement;
}

/** @param name of `paymentName` */
export const paymentKey = (payment: string): Key => keyOf("payment", { payment });

const listOf = (list: PaymentList): string =>
  list.kind === "event" ? `PAYMENTS#${list.event.id}#${list.event.year}` : `PAYMENTS#${list.kind.toUpperCase()}`;

/** The place of a payment in its lists. */
export const sortKeyOf = ({ settledAt, paymentId }: Pick<Payment, "settledAt" | "paymentId">): string =>
  `${settledAt}#${paymentId}`;

const indexKeyOf = (list: PaymentList, payment: Pick<Payment, "settledAt" | "paymentId">) => ({
  GSI1PK: listOf(list),
  GSI1SK: sortKeyOf(payment),
});

/** In the order of time, as long as the payment is open. */
export const waitingKey = ({ settledAt, paymentId }: Pick<Payment, "settledAt" | "paymentId">): Key =>
  keyOf("payment that waits", { ms: settledAt, session: paymentId });

/**
 * The members that settle a payment. Refused when it is settled already. Facts that came before are kept.
 * @param purpose a form in it is not stored
 */
export function settlementMembers(
  { paymentId, email, money, byHand, code, deposit }: ArrivedMoney & Pick<Payment, "code">,
  as: Settlement,
  purpose: PurposeName,
  { now }: Pick<RequestContext, "now">,
): Record<"payment" | "settlement", TransactItem> & Record<string, TransactItem> {
  const name = paymentName({ paymentId, ...money });
  const stored: Omit<Payment, "version"> = {
    paymentId,
    email,
    money,
    as,
    purpose: purpose.kind === "event" ? purpose : { kind: purpose.kind },
    ...(code && { code }),
    settledAt: now,
    ...(deposit && { deposit }),
    ...(byHand && {
      byHand: { how: byHand.how, by: byHand.by },
      entries: { [paymentId]: entryOf(byHand, money.amount, now) },
      price: byHand.price,
    }),
  };
  const payment = { ...stored, version: 0 };
  const { parts, names, values } = setting<unknown>({ ...stored, ...indexKeyOf(stored.purpose, stored) });
  const ofAll = indexKeyOf({ kind: "all" }, stored);
  return {
    ...shownMembers(name, shownOf(undefined), payment, now),
    ...journalMembers(undefined, payment, now),
    own: ownPayment(stored),
    settlement: putNew({ ...settledKey(paymentId), as, payment: name, ...ofAll } satisfies Key & SettledItem),
    payment: updateIf(paymentKey(name), {
      UpdateExpression: `SET ${parts.join(", ")} REMOVE #ttl ADD version :one`,
      ExpressionAttributeNames: { ...names, "#ttl": "ttl" },
      ExpressionAttributeValues: { ...values, ":one": 1 },
    }),
  };
}

/** The settlement of a session. Undefined when it is not settled yet. */
export const readSettlement = async (paymentId: string): Promise<Settlement | undefined> =>
  (await getItem<SettledItem>(settledKey(paymentId), "strong"))?.as;

/** @param name of `paymentName` */
export const readPayment = (name: string): Promise<StoredPayment | undefined> =>
  getRecord<StoredPayment>(paymentKey(name), "strong");

/** The name of the payment of a session. Undefined when it is not settled. */
export const nameOfPayment = async (paymentId: string): Promise<string | undefined> =>
  (await getItem<SettledItem>(settledKey(paymentId), "strong"))?.payment;

/** Payments that are read in one batch. */
const batchSize = 100;

/** Payments by their names; those that do not exist lack. */
export async function paymentsNamed(names: readonly string[]): Promise<ReadonlyMap<string, StoredPayment>> {
  const found = new Map(
    (await getItems<StoredPayment>(names.map(paymentKey), "strong")).map((item) => [item.PK, item]),
  );
  return new Map(
    names.flatMap((name) => {
      const item = found.get(paymentKey(name).PK);
      return item ? [[name, recordOf<StoredPayment>(item)]] : [];
    }),
  );
}

/** Reads the payments of pointers, in their order. */
async function readPayments(pointers: readonly Pointer[]): Promise<Payment[]> {
  const found = await paymentsNamed(pointers.map(({ payment }) => payment));
  return [...found.values()].filter(isSettled);
}

async function* followed(query: Query, portion: Portion): AsyncGenerator<Payment> {
  const size = Math.min(portion.most ?? batchSize, batchSize);
  let batch: Pointer[] = [];
  for await (const pointer of queryPortion<Pointer>(query, portion)) {
    batch.push(pointer);
    if (batch.length < size) continue;
    yield* await readPayments(batch);
    batch = [];
  }
  yield* await readPayments(batch);
}

/** Payments of a list that were settled in a time, in epoch milliseconds: from `from` on, and before `to`. */
export async function* paymentsOf(
  list: PaymentList,
  { from = 0, to = Number.POSITIVE_INFINITY, after = "" }: TimeRange & { readonly after?: string | undefined } = {},
  portion: Portion = {},
): AsyncGenerator<Payment> {
  const first = timeText(from);
  const query = listFromStart(listOf(list), first > after ? first : after);
  const payments = list.kind === "all" ? followed(query, portion) : queryPortion<Payment>(query, portion);
  for await (const item of payments) {
    if (item.settledAt >= to) return;
    if (item.settledAt >= from) yield recordOf(item as Stored<Payment>);
  }
}

/** A page of payments, oldest first. `after` is the sort key at which the previous page ended. */
export const pageOfPayments = (
  list: PaymentList,
  { limit, after }: PageRequest,
  range: TimeRange = {},
): Promise<Page<Payment>> =>
  takePage(paymentsOf(list, { ...range, after }, portionOf({ limit })), { limit, sortKeyOf });

/** The payments that are open, oldest first. */
export const openPayments = (after?: string, portion: Portion = {}): AsyncGenerator<Payment> =>
  followed(itemsOf(partitionOf("payment that waits", {}), after), portion);

const isWaiting = (payment: Payment): boolean => waitsFor(payment) !== undefined;

/** A page of the payments that wait for a person, oldest first. */
export const pageOfWaiting = ({ limit, after }: PageRequest): Promise<Page<Payment>> => {
  const page = { limit, sortKeyOf, isWanted: isWaiting };
  return takePage(openPayments(after, portionOf(page)), page);
};

/** Days for which facts about a payment are kept that was not made here: it is one of another system of the club. */
const daysOfOthers = 35;
/** Days for which people see a refund. */
const daysShown = 90;

/** A refund as its person sees it. `owed`: it has not begun, and its id is the payment's. */
export interface OwnRefund extends Pick<Refund, "amount"> {
  readonly state: Refund["state"] | "owed";
  readonly refundId: string;
  readonly currency: string;
  readonly purpose: PurposeName;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

const ownRefundKey = (email: string, id: string): Key => keyOf("own refund", { email, id });
const ownPaymentKey = (email: string, session: string): Key => keyOf("own payment", { email, session });

/** A payment as its person sees it. */
export interface OwnPayment {
  readonly paymentId: string;
  /** In cents. */
  readonly amount: number;
  readonly currency: string;
  readonly purpose: PurposeName;
  /** Epoch milliseconds. */
  readonly paidAt: number;
}

/** The member that shows a payment to its person. */
function ownPayment({ email, paymentId, money, purpose, settledAt }: Omit<Payment, "version">): TransactItem {
  const { amount, currency } = money;
  const own = { paymentId, amount, currency, purpose, paidAt: settledAt } satisfies OwnPayment;
  return put({ ...ownPaymentKey(email, paymentId), ...own }, "beside a condition");
}

/** What a person has paid, the refunds of the last 90 days, and what is owed to them. */
export async function moneyOf(email: string): Promise<{ payments: OwnPayment[]; refunds: OwnRefund[] }> {
  const [{ PK, SK: first }, { SK: last }] = [ownPaymentKey(email, ""), ownRefundKey(email, "~")];
  const { items } = await queryOnce<{ readonly ttl?: number }>({
    KeyConditionExpression: "PK = :person AND SK BETWEEN :first AND :last",
    ExpressionAttributeValues: { ":person": PK, ":first": first, ":last": last },
  });
  const ownIn = <T>(kind: "own payment" | "own refund"): T[] =>
    items
      .filter((item) => storedKindOf(item) === kind)
      .map((item) => {
        const { ttl: _, ...own } = recordOf(item);
        return own as T;
      });
  return { payments: ownIn<OwnPayment>("own payment"), refunds: ownIn<OwnRefund>("own refund") };
}

/** A person's payments for an event, strongly consistent: what the person has paid leads to them. */
export async function eventPaymentsOf(email: string, { id, year }: EventKey): Promise<Payment[]> {
  const own = itemsBeginning(partitionOf("own payment", { email }), prefixOf("own payment"));
  const paid = (await allOf(queryItems<OwnPayment>(own))).filter(
    ({ purpose }) => purpose.kind === "event" && purpose.event.id === id && purpose.event.year === year,
  );
  const settled = paid.map(({ paymentId }) => settledKey(paymentId));
  return readPayments(await getItems<SettledItem>(settled, "strong"));
}

function ownRefunds(before: StoredPayment | undefined, after: Payment, now: number): Record<string, TransactItem> {
  const changed = Object.entries(after.refunds ?? {}).filter(
    ([id, { state }]) => state !== before?.refunds?.[id]?.state,
  );
  const reversed = Object.keys(after.refunds ?? {}).filter(
    (id) => isReversed(after, id) && !(before && isReversed(before, id)),
  );
  const { email, money, purpose } = after;
  const because = "beside a condition";
  return Object.fromEntries([
    ...changed.map(([refundId, { amount, state }]) => {
      const own: OwnRefund = { refundId, amount, state, currency: money.currency, purpose, updatedAt: now };
      const item = { ...ownRefundKey(email, refundId), ...own, ttl: ttlAfter(now, daysShown) };
      return [`refund ${refundId}`, put(item, because)] as const;
    }),
    ...reversed.map((id) => [`refund ${id}`, drop(ownRefundKey(email, id), because)] as const),
  ]);
}

/** What is shown of a payment: that it is open, and what is owed to its person, in cents. */
interface Shown {
  readonly isOpen: boolean;
  readonly owed: number;
}

const shownOf = (payment: StoredPayment | undefined): Shown =>
  isSettled(payment) ? { isOpen: isOpen(payment), owed: unsentOf(payment) } : { isOpen: false, owed: 0 };

/** The members that show a payment. @param before undefined when it is not known */
function shownMembers(
  name: string,
  before: Shown | undefined,
  after: Payment,
  now: number,
): Record<string, TransactItem> {
  const { email, paymentId, money, purpose } = after;
  const { isOpen, owed } = shownOf(after);
  const [waiting, own] = [waitingKey(after), ownRefundKey(email, paymentId)];
  const facts = { refundId: paymentId, amount: owed, state: "owed", currency: money.currency, purpose, updatedAt: now };
  const because = "beside a condition";
  return {
    // Also when it was open before: a lost item comes back.
    ...((isOpen || before?.isOpen !== false) && {
      waiting: isOpen ? put({ ...waiting, payment: name } satisfies Key & Pointer, because) : drop(waiting, because),
    }),
    ...(owed !== before?.owed && { owed: owed > 0 ? put({ ...own, ...facts }, because) : drop(own, because) }),
  };
}

/** The members that note what has changed hands without the provider. Refused when its month is closed. */
function journalMembers(before: StoredPayment | undefined, after: Payment, now: number): Record<string, TransactItem> {
  const known = new Set(movementsByHand(before).map(({ id }) => id));
  const added = movementsByHand(after).filter(({ id }) => !known.has(id));
  const earliest = Math.min(...added.map(({ at }) => at));
  return {
    ...Object.fromEntries(added.map((movement) => [`movement ${movement.id}`, putMovement(movement)])),
    ...(earliest < now && { open: checkOpen(earliest) }),
  };
}

/** What people have heard of: nothing that was known before the settlement. */
export const toldOf = (before: StoredPayment | undefined): StoredPayment | undefined =>
  before?.isUntold ? undefined : before;

/** What an executive does with a payment. */
interface AskedChange {
  /** For the audit, where no message says so. */
  readonly action: string;
  readonly email: string;
  readonly id: string;
  readonly reason: string;
}

const auditOf = (before: StoredPayment | undefined, after: StoredPayment, asked: AskedChange | undefined) => ({
  // Who has a paid seat is personal, and the payment says it.
  changes: changesOf(before, after, personalFieldsOf("payment")),
  ...(asked && { reason: asked.reason }),
});

/** The row of a change without a message: of an executive, or of the system, which heard of it from the provider. */
function auditMember(
  before: StoredPayment | undefined,
  after: StoredPayment,
  context: RequestContext,
  asked?: AskedChange,
) {
  const { action, email, id } = asked ?? { action: "payment.updated", email: after.email, id: after.paymentId };
  return auditRow({ action, email, id, ...auditOf(before, after, asked) }, context);
}

/**
 * The members that write a changed payment, show its refunds to the person, and tell who has to hear of it. Refused when
 * the payment has changed since the read.
 */
export function changeMembers(
  name: string,
  before: StoredPayment | undefined,
  after: StoredPayment,
  context: RequestContext,
  asked?: AskedChange,
): Transaction {
  const { now } = context;
  const { isUntold, ...facts } = after;
  const record = { ...facts, version: (before?.version ?? 0) + 1 };
  const more = isSettled(record)
    ? indexKeyOf(record.purpose, record)
    : { ttl: ttlAfter(now, daysOfOthers), isUntold: true };
  const item: Item = { ...paymentKey(name), ...more, ...record };
  const news = isSettled(record) ? newsOf(toldOf(before), record) : [];
  return {
    payment: putIf(item, isAsRead(before)),
    ...(isSettled(record) && ownRefunds(toldOf(before), record, now)),
    ...(isSettled(record) && shownMembers(name, before?.isUntold ? undefined : shownOf(before), record, now)),
    ...(isSettled(record) && journalMembers(before, record, now)),
    ...(isSettled(record) && record.byHand && { own: ownPayment(record) }),
    ...Object.fromEntries(
      news.map((message, index) => [
        `message ${index}`,
        outboxRow(message, context, undefined, index === 0 && asked ? auditOf(before, record, asked) : undefined),
      ]),
    ),
    ...((asked || isSettled(record)) && news.length === 0 && { audit: auditMember(before, record, context, asked) }),
  };
}
