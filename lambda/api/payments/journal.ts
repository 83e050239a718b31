/** The pages of sums: the journal, its closings, totals, and what is open (`docs/contract.md`, "Payments"). */
import { textOf } from "#domain/codes/code.ts";
import { toUtc } from "#domain/events/dates.ts";
import type { EventKey } from "#domain/events/event.ts";
import { readEvents } from "#domain/events/store.ts";
import { prices } from "#domain/payments/checkout/prices.ts";
import { providerPosition } from "#domain/payments/provider/balance-calls.ts";
import { type Closing, sortKeyOf } from "#domain/payments/record/journal-store.ts";
import { purposeOf } from "#domain/payments/record/money.ts";
import type { Payment } from "#domain/payments/record/payment.ts";
import { openPayments, paymentsOf } from "#domain/payments/record/payment-store.ts";
import { closeJournal, type JournalEntry, type JournalRow, journalPage } from "#domain/payments/treasurer/journal.ts";
import { type OpenAmount, positionOf } from "#domain/payments/treasurer/position.ts";
import { groupedTotals } from "#domain/payments/treasurer/totals.ts";
import { requiredEnv } from "#kit/env.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { type Column, csvTable, timeColumn } from "#kit/lists/csv.ts";
import { decodeCursor, part, sortKeyOf as shapeOf } from "#kit/lists/cursor.ts";
import { allOf, nextHeader, takeTexts } from "#kit/lists/pages.ts";
import { created, csv, ok } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import { api } from "#kit/request/api.ts";
import { dateAt } from "#kit/text/time-zone.ts";
import { noteDownload } from "#outbox/downloads.ts";
import * as routes from "./routes.ts";

const timeZone = requiredEnv("TIME_ZONE");
const { currency } = prices;

const utc = (date: string): number => Date.parse(toUtc(date, timeZone));

/** Milliseconds. */
const longestPeriod = 400 * 86_400_000;

/** @throws ValidationFailed it ends before it begins, or is longer than 400 days */
function periodOf(query: { readonly from: string; readonly to: string }) {
  const [from, to] = [utc(query.from), utc(query.to)];
  if (to <= from) throw new ValidationFailed([{ path: "/to", message: "must be later than `from`" }]);
  if (to - from > longestPeriod) throw new ValidationFailed([{ path: "/to", message: "must be within 400 days" }]);
  return { from, to };
}

/** Whose money it was. */
const ofPayment = ({ paymentId, email, money: { paymentIntent }, purpose, code }: Payment) => ({
  ...{ paymentId, email, ...(paymentIntent !== undefined && { paymentIntent }), ...purposeOf(purpose) },
  ...(code && { code }),
});

function rowAnswer({ of, payment: _, id, ...row }: JournalRow) {
  const payout = of?.lines?.[id]?.payout;
  const isDeposit = of?.deposit !== undefined && { isDeposit: true };
  return { id, ...row, ...(payout !== undefined && { payout }), ...(of && ofPayment(of)), ...isDeposit };
}
type Row = ReturnType<typeof rowAnswer> & Partial<ReturnType<typeof ofPayment>> & { readonly isDeposit?: boolean };

/** In the currency. A number, because a text that begins with a minus is escaped. */
const decimal = (cents: number | undefined): number | string => (cents === undefined ? "" : cents / 100);

const forText = (row: Row): string => (row.purpose === "event" ? `${row.eventID} ${row.year}` : (row.purpose ?? ""));

const columns: readonly Column<Row>[] = [
  timeColumn("At", ({ at }) => at, timeZone),
  ["Kind", ({ kind }) => kind],
  ["Account", ({ account }) => account],
  ["Amount", ({ amount }) => decimal(amount)],
  ["Balance", ({ balance }) => decimal(balance)],
  ["Currency", (row) => row.currency],
  ["For", (row) => forText(row)],
  ["Deposit", ({ isDeposit }) => (isDeposit ? "yes" : "")],
  ["Email", ({ email = "" }) => email],
  ["Code", ({ code }) => (code ? textOf(code) : "")],
  ["Id", ({ id }) => id],
  ["Reverses", ({ reverses = "" }) => reverses],
  ["Provider's object", ({ source = "" }) => source],
  ["Transfer", ({ paymentIntent = "" }) => paymentIntent],
  ["Payment", ({ paymentId = "" }) => paymentId],
  ["Payout", ({ payout = "" }) => payout],
];
const table = csvTable(columns);

const isMovement = shapeOf(part.time, (id) => /^\w{1,255}$/.test(id));

const rowsOf = ({ legs }: JournalEntry): Row[] => legs.map(rowAnswer);

/** Movements in a page of JSON, unless the request says so. */
const usualLimit = 500;

export const getJournal = api(routes.getJournal, async ({ query, context }) => {
  const isCsv = query.format === "csv";
  const page = {
    limit: query.limit ?? (isCsv ? undefined : usualLimit),
    after: decodeCursor(query.cursor, isMovement),
  };
  const journal = await journalPage(periodOf(query), page, currency);
  const { opening, readUntil } = journal;
  if (!isCsv) return ok({ opening, readUntil, rows: journal.rows.flatMap(rowsOf) }, nextHeader(journal));
  await noteDownload("journal", {}, context);
  // The lines of a movement may be longer than its record, by which the page ends.
  const lines = await takeTexts(journal.rows, { sortKeyOf }, (entry) => rowsOf(entry).map(table.lineOf).join(""));
  return csv(table, { ...journal, ...lines }, "journal");
});

const closingAnswer = ({ until, balances }: Closing) => created({ until, balances });

/** The end of a month of the stage's time zone, epoch milliseconds. @param month `2030-01` */
function endOfMonth(month: string): number {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const [nextYear, next] = number === 12 ? [year + 1, 1] : [year, number + 1];
  return utc(`${nextYear}-${`${next}`.padStart(2, "0")}-01`);
}

export const closeMonth = apiOnce(routes.closeMonth, async ({ body, now, context, claimed }) => {
  const until = endOfMonth(body.month);
  if (until > now) throw new ValidationFailed([{ path: "/month", message: "must be over" }]);
  return closingAnswer(await closeJournal(until, currency, context, claimed?.keeping(closingAnswer)));
});

export const getTotals = api(routes.getTotals, async ({ query }) => {
  const payments = await allOf(paymentsOf({ kind: "all" }, periodOf(query)));
  const events = payments.flatMap(({ purpose }) => (purpose.kind === "event" ? purpose.event : []));
  const nameOf = ({ id, year }: EventKey): string => `${id}#${year}`;
  const created = new Map((await readEvents(events)).map((event) => [nameOf(event), event.createdAt]));
  const by = {
    dayOf: (at: number) => dateAt(at, timeZone),
    createdAt: (event: EventKey) => created.get(nameOf(event)),
  };
  return ok(groupedTotals(payments, by));
});

/** More payments are seldom open. */
const mostOpen = 1_000;

const openAnswer = <One extends OpenAmount>({ payment, ...open }: One) => ({
  ...{ ...ofPayment(payment), ...open, currency: payment.money.currency },
});

export const getPosition = api(routes.getPosition, async ({ now }) => {
  const [provider, open] = await Promise.all([providerPosition(now), firstOf(openPayments(), mostOpen)]);
  const { owed, owing, disputes } = positionOf(open);
  return ok({
    provider,
    ...{ owed: owed.map(openAnswer), owing: owing.map(openAnswer), disputes: disputes.map(openAnswer) },
    isWhole: open.length < mostOpen,
  });
});

async function firstOf<T>(all: AsyncIterable<T>, most: number): Promise<T[]> {
  const first: T[] = [];
  for await (const one of all) if (first.push(one) === most) break;
  return first;
}
