/**
 * Keys, reads and writes of payments. A payment has two items: the settlement of its session, which exists once, and the
 * payment itself, under the provider's id of the transfer, which events about refunds, disputes and payouts name.
 */
import type { RequestContext } from "#kit/context.ts";
import { type Page, type PageRequest, type Portion, portionOf, queryPortion, takePage } from "#kit/pages.ts";
import {
  getItem,
  getItems,
  getRecord,
  type Item,
  isAbsent,
  type Key,
  listFromStart,
  put,
  putIf,
  putNew,
  type Query,
  queryOnce,
  queryPages,
  recordOf,
  type Stored,
  setting,
  type TransactItem,
  type Transaction,
  updateIf,
} from "#kit/table.ts";
import { outboxRow } from "#outbox/store.ts";
import type { PurposeName } from "./checkout.ts";
import type { ArrivedMoney } from "./money.ts";
import {
  isSettled,
  type Payment,
  type PaymentList,
  paymentName,
  type Refund,
  type Settlement,
  type StoredPayment,
} from "./payment.ts";
import { newsOf } from "./refund-news.ts";

export const settledKey = (paymentId: string): Key => ({ PK: `PAY#${paymentId}`, SK: "SETTLED" });

/** Epoch milliseconds. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The settlement of a session: it has been used once, and where its payment is. */
interface SettledItem {
  readonly as: Settlement;
  /** The name of the payment. */
  readonly payment: string;
}

/** @param name of `paymentName` */
export const paymentKey = (name: string): Key => ({ PK: `PAY#${name}`, SK: "PAYMENT" });

const listOf = (list: PaymentList): string =>
  list.kind === "event" ? `PAYMENTS#${list.event.id}#${list.event.year}` : `PAYMENTS#${list.kind.toUpperCase()}`;

const sortKeyOf = ({ settledAt, paymentId }: Pick<Payment, "settledAt" | "paymentId">): string =>
  `${settledAt}#${paymentId}`;

const indexKeyOf = (payment: Pick<Payment, "purpose" | "settledAt" | "paymentId">) => ({
  GSI1PK: listOf(payment.purpose),
  GSI1SK: sortKeyOf(payment),
});

/** The key of the settlement in the list of all payments. */
const allKeyOf = (payment: Pick<Payment, "settledAt" | "paymentId">) => ({
  GSI1PK: listOf({ kind: "all" }),
  GSI1SK: sortKeyOf(payment),
});

/**
 * The members that settle a payment. Refused when it is settled already. Facts that came before are kept.
 * @param purpose a form in it is not stored
 */
export function settlementMembers(
  { paymentId, email, money }: ArrivedMoney,
  as: Settlement,
  purpose: PurposeName,
  { now }: Pick<RequestContext, "now">,
): Record<"payment" | "settlement", TransactItem> {
  const name = paymentName({ paymentId, ...money });
  const stored: Omit<Payment, "version"> = {
    paymentId,
    email,
    money,
    as,
    purpose: purpose.kind === "event" ? purpose : { kind: purpose.kind },
    settledAt: now,
  };
  const { parts, names, values } = setting<unknown>({ ...stored, ...indexKeyOf(stored) });
  return {
    settlement: putNew({ ...settledKey(paymentId), as, payment: name, ...allKeyOf(stored) } satisfies Key &
      SettledItem),
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

/** Digits of the times of payments in epoch milliseconds, so that they sort as text. */
const digitsOfTime = 13;

/** The payments of all settlements, a page at a time. */
async function* allPayments(query: Query): AsyncGenerator<Stored<Payment>> {
  for await (const { items } of queryPages<SettledItem>(query)) {
    const keys = items.map(({ payment }) => paymentKey(payment));
    const found = new Map((await getItems<Stored<Payment>>(keys, "strong")).map((item) => [item.PK, item]));
    yield* keys.flatMap(({ PK }) => found.get(PK) ?? []);
  }
}

/** Payments of a list that were settled in a time, in epoch milliseconds: from `from` on, and before `to`. */
export async function* paymentsOf(
  list: PaymentList,
  { from = 0, to = Number.POSITIVE_INFINITY, after = "" }: TimeRange & { readonly after?: string | undefined } = {},
  portion: Portion = {},
): AsyncGenerator<Payment> {
  const first = `${from}`.padStart(digitsOfTime, "0");
  const start = first > after ? first : after;
  const query = listFromStart(listOf(list), start);
  const items = list.kind === "all" ? allPayments(query) : queryPortion<Payment>(query, portion);
  for await (const item of items) {
    if (item.settledAt >= to) return;
    if (item.settledAt >= from) yield recordOf<Payment>(item);
  }
}

/** A page of payments, oldest first. `after` is the sort key at which the previous page ended. */
export const pageOfPayments = (
  list: PaymentList,
  { limit, after }: PageRequest,
  range: TimeRange = {},
): Promise<Page<Payment>> =>
  takePage(paymentsOf(list, { ...range, after }, portionOf({ limit })), { limit, sortKeyOf });

/** Days for which facts about a payment are kept that was not made here: it is one of another system of the club. */
const daysOfOthers = 35;
/** Days for which people see a refund. */
const daysShown = 90;

const inDays = (now: number, days: number): number => Math.floor(now / 1_000) + days * 86_400;

/** A refund as its person sees it. */
export interface OwnRefund extends Pick<Refund, "amount" | "state"> {
  readonly refundId: string;
  readonly currency: string;
  readonly purpose: PurposeName;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

const ownRefundKey = (email: string, refundId: string): Key => ({ PK: `USER#${email}`, SK: `REFUND#${refundId}` });

/** The refunds of a person in the last 90 days. */
export async function refundsOf(email: string): Promise<OwnRefund[]> {
  const { PK, SK } = ownRefundKey(email, "");
  const { items } = await queryOnce<OwnRefund & { readonly ttl: number }>({
    KeyConditionExpression: "PK = :person AND begins_with(SK, :refund)",
    ExpressionAttributeValues: { ":person": PK, ":refund": SK },
  });
  return items.map((item) => {
    const { ttl: _, ...refund } = recordOf(item);
    return refund;
  });
}

function ownRefunds(before: StoredPayment | undefined, after: Payment, now: number): Record<string, TransactItem> {
  const changed = Object.entries(after.refunds ?? {}).filter(
    ([id, { state }]) => state !== before?.refunds?.[id]?.state,
  );
  return Object.fromEntries(
    changed.map(([refundId, { amount, state }]) => {
      const { email, money, purpose } = after;
      const own: OwnRefund = { refundId, amount, state, currency: money.currency, purpose, updatedAt: now };
      const item = { ...ownRefundKey(email, refundId), ...own, ttl: inDays(now, daysShown) };
      return [`refund ${refundId}`, put(item, "beside a condition")];
    }),
  );
}

/** What people have heard of: nothing that was known before the settlement. */
export const toldOf = (before: StoredPayment | undefined): StoredPayment | undefined =>
  before?.isUntold ? undefined : before;

/**
 * The members that write a changed payment, show its refunds to the person, and tell who has to hear of it. Refused when
 * the payment has changed since the read.
 */
export function changeMembers(
  name: string,
  before: StoredPayment | undefined,
  after: StoredPayment,
  context: RequestContext,
): Transaction {
  const { now } = context;
  const { isUntold, ...facts } = after;
  const record = { ...facts, version: (before?.version ?? 0) + 1 };
  const more = isSettled(record) ? indexKeyOf(record) : { ttl: inDays(now, daysOfOthers), isUntold: true };
  const item: Item = { ...paymentKey(name), ...more, ...record };
  const unchanged = { ConditionExpression: "version = :read", ExpressionAttributeValues: { ":read": before?.version } };
  const news = isSettled(record) ? newsOf(toldOf(before), record) : [];
  return {
    payment: putIf(item, before ? unchanged : isAbsent),
    ...(isSettled(record) && ownRefunds(toldOf(before), record, now)),
    ...Object.fromEntries(news.map((message, index) => [`message ${index}`, outboxRow(message, context)])),
  };
}
