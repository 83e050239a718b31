import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { now } from "../../shared/clock.ts";
import { localTime } from "../../shared/dates.ts";
import { Line } from "../../shared/field.tsx";
import { Failure, Focused, Press, Said, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { accountDesk, deskPages, type EventKey, personDesk } from "../addresses.ts";
import { download, read } from "../calls.ts";
import { count, Download, moment, money, Tag, Values } from "../parts.tsx";
import { Table } from "../table.tsx";
import { PaymentActs, Reverse, TakeByHand } from "./acts.tsx";
import { type Following, Progress, useFollowing } from "./following.tsx";
import { EventSelect } from "./form-act.tsx";
import { amount, column, Day, figure, minor, Tabs, when } from "./lists.tsx";
import type { Payment, Position, Totals } from "./rules.ts";
import { byHandOf, disputeText, isFound, purposeText, refundTexts, stateTexts } from "./rules.ts";
import { dayAfter, monthAt, monthBeside, yearUntil } from "./times.ts";

/** The treasurer's two pages. */
export const MoneyTabs = ({ here }: { readonly here: string }) => (
  <Tabs
    {...{ here, label: "Money" }}
    pages={[
      ["Payments", deskPages.money],
      ["Journal", deskPages.journal],
    ]}
  />
);

/** The page of the person at the event, or of the account. */
const pageOf = ({ email, eventID, year }: Payment): string =>
  eventID && year ? personDesk({ id: eventID, year }, email) : accountDesk(email);

const paymentPage = (paymentId: string): string => `${deskPages.money}?payment=${encodeURIComponent(paymentId)}`;

interface DoneProps {
  done(said: string): unknown;
}

/** Of what waits, so much is shown at first. */
const firstShown = 20;

function WaitingPayments({ open, done }: DoneProps & { readonly open: Following<Payment> }) {
  const [most, setMost] = useState(firstShown);
  const { rows, isReading } = open;
  return (
    <section>
      <h2>Waits for a person</h2>
      {rows.length === 0 && !isReading ? <p>Nothing waits.</p> : <Progress of={open} one="payment" />}
      {rows.slice(0, most).map((payment) => (
        <div class="item" key={payment.paymentId}>
          <h3>
            <a href={paymentPage(payment.paymentId)}>{payment.email}</a>, {money(payment.amount)} for{" "}
            {purposeText(payment)}
          </h3>
          <p>{payment.waitsFor}</p>
          <PaymentActs {...{ payment, done }} />
        </div>
      ))}
      {rows.length > most && <Press text={`Show ${rows.length - most} more`} onPress={() => setMost(rows.length)} />}
    </section>
  );
}

const amounts = {
  ...{ wentBack: "Went back", open: "Has to go back, or is on its way", frozen: "Frozen by disputes" },
  ...{ lost: "Lost in disputes", owes: "Left to pay", fee: "The provider's fee" },
};
const amountNames = Object.keys(amounts) as readonly (keyof typeof amounts)[];

interface DetailsProps extends DoneProps {
  readonly payment: Payment;
  readonly disputes: Position["disputes"];
}

function Details({ payment, disputes, done }: DetailsProps) {
  const { refunds, kept = [], byHand, payouts, settledAs, review } = payment;
  return (
    <section class="group">
      <Focused text={`${money(payment.amount)} of ${payment.email}`} />
      {payment.waitsFor && <p class="notice">{payment.waitsFor}</p>}
      <Values
        rows={[
          ["Person", <a href={pageOf(payment)}>{payment.email}</a>],
          ["For", `${purposeText(payment)}${settledAs === "refund" ? ", but it paid for nothing" : ""}`],
          ["Came", `${money(payment.amount)}, ${moment(payment.settledAt)}`],
          ["State", stateTexts[payment.state]],
          ["Taken by", byHand && `${byHand.by}, ${byHand.how === "cash" ? "in cash" : "by transfer"}`],
          ...amountNames.map((name) => [amounts[name], payment[name] ? money(payment[name] ?? 0) : ""] as const),
          ["To decide", review && (review === "late" ? "Cancelled late" : "The person's third refund")],
          ["Payment", payment.paymentId],
          ["Transfer", payment.paymentIntent],
          ["Paid out in", payouts.join(", ")],
        ]}
      />
      <ul>
        {refunds.map(({ refundId, amount, state, at, by, reason, isByHand, failure, delayedBy, providerId }) =>
          isByHand ? null : (
            <li key={refundId}>
              Refund of {money(amount)}, {refundTexts[state]}, {moment(at)}, {by ?? "in the provider's dashboard"}
              {[reason, failure, delayedBy, providerId].map((text) => (text ? `: ${text}` : ""))}
            </li>
          ),
        )}
        {kept.map(({ amount, reason, by, at }) => (
          <li key={at}>
            Kept {money(amount)}, {moment(at)}, {by}: {reason}
          </li>
        ))}
        {disputes.map((dispute) => (
          <li key={dispute.disputeId}>
            Dispute {dispute.disputeId}: {disputeText(dispute, money(dispute.taken), moment(dispute.dueBy))}
          </li>
        ))}
        {byHandOf(payment).map(({ entryId, text, amount, by, at, reason, reversed }) => (
          <li key={entryId}>
            {text}: {money(amount)}, {moment(at)}, {by}
            {reason && `: ${reason}`} {reversed === undefined ? "" : <Tag text={`Reversed: ${reversed}`} />}
            <Reverse {...{ payment, entryId, done }} />
          </li>
        ))}
      </ul>
      <PaymentActs {...{ payment, done }} />
      <p>
        <a href={deskPages.money}>Close</a>
      </p>
    </section>
  );
}

const memberships = "Memberships";

interface Filter {
  /** An event, or memberships; undefined: all. */
  readonly of: EventKey | string | undefined;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

const monthsShown = 3;

/** What the API is asked for. */
const queryOf = ({ of, from, to }: Filter) => ({
  ...(typeof of === "object" ? { eventID: of.id, year: of.year } : { purpose: of ? "membership" : undefined }),
  ...{ from: from || undefined, to: dayAfter(to) },
});

const columns = [
  column<Payment>("Person", ({ email }) => email),
  column<Payment>("For", purposeText),
  amount<Payment>("Came", (payment) => payment.amount),
  column<Payment>("State", ({ state }) => stateTexts[state]),
  when<Payment>("When", ({ settledAt }) => settledAt),
  amount<Payment>("Went back", ({ wentBack }) => wentBack, minor),
  column<Payment>("Waits for", ({ waitsFor }) => waitsFor, minor),
];

const sumText = (sums: Position["provider"]["available"]): string =>
  sums
    .map(({ amount, currency }) => (currency === settings.currency ? money(amount) : `${amount / 100} ${currency}`))
    .join(", ");

function WhereItStands({ position }: { readonly position: ReturnType<typeof useLoaded<Position>> }) {
  const { value, problem, reload } = position;
  const heading = <h2>Where the club stands</h2>;
  if (!value) {
    const down =
      "The payment provider does not answer now, so what it owes the club, and disputes, cannot be shown. The rest of this page is complete.";
    return (
      <section>
        {heading}
        {problem === undefined ? <Waiting of={position} /> : <Failure text={down} again={reload} />}
      </section>
    );
  }
  const { provider, owed, owing, disputes, isWhole } = value;
  const total = (rows: typeof owed) =>
    `${money(rows.reduce((sum, { amount }) => sum + amount, 0))}, ${count(rows.length, "payment")}`;
  return (
    <section>
      {heading}
      <Values
        rows={[
          ["At the provider", sumText(provider.available) || money(0)],
          ["Coming in there", sumText(provider.pending)],
          ...provider.payouts.map(
            (one) => ["Payout on its way", `${sumText([one])}, arrives ${moment(one.arrivesAt)}`] as const,
          ),
          ["The club owes people", total(owed)],
          ["People owe the club", total(owing)],
          ["Open disputes", disputes.length ? count(disputes.length, "dispute") : "None"],
        ]}
      />
      {disputes.map((dispute) => (
        <p key={dispute.disputeId}>
          Dispute of <a href={paymentPage(dispute.paymentId)}>{dispute.email}</a>:{" "}
          {disputeText(dispute, money(dispute.taken), moment(dispute.dueBy))}
        </p>
      ))}
      {!isWhole && <p class="notice">More than 1,000 payments are open: these sums are not complete.</p>}
    </section>
  );
}

/** Of deleted events, which can have had the same name, too. */
const totalText = (totals: Totals): string =>
  totals.membershipYear
    ? `Memberships ${totals.membershipYear}`
    : `${purposeText(totals)}${totals.isDeleted ? " (deleted)" : ""}`;

const totalColumns = [
  column<Totals>("For", totalText),
  figure<Totals>("Payments", ({ payments }) => payments, minor),
  amount<Totals>("Came", ({ came }) => came),
  amount<Totals>("Went back", ({ wentBack }) => wentBack, minor),
  amount<Totals>("Fees", ({ fee }) => fee, minor),
  amount<Totals>("Lost", ({ lost }) => lost, minor),
  amount<Totals>("The club has", ({ net }) => net),
  amount<Totals>("Frozen", ({ frozen }) => frozen, minor),
  amount<Totals>("To go back", ({ open }) => open, minor),
  amount<Totals>("Left to pay", ({ owes }) => owes, minor),
];

function TotalsTable({ from, to, version }: Pick<Filter, "from" | "to"> & { readonly version: number }) {
  const time = yearUntil(from, to, localTime(new Date(now()).toISOString(), settings.timeZone).slice(0, 10));
  const totals = useLoaded(() => read<readonly Totals[]>("/payments/totals", time), [time.from, time.to, version]);
  const rows = totals.value ?? [];
  const sum = (name: "came" | "wentBack" | "net") => money(rows.reduce((all, row) => all + row[name], 0));
  return (
    <section>
      <h2>
        Totals from {time.from} until {time.to}
      </h2>
      <Waiting of={totals} />
      <Table
        {...{ title: "Totals", rows, columns: totalColumns, none: totals.value ? "No payments in this time." : "" }}
        keyOf={(row) => `${totalText(row)} ${row.currency} ${row.isDeleted}`}
      />
      <p>
        In all, {sum("came")} came, and {sum("wentBack")} went back; the club has {sum("net")}.
      </p>
    </section>
  );
}

/** What waits for the treasurer, all payments, and where the club stands. */
export function MoneyPage() {
  const { query } = useLocation();
  const { q = "", payment: shownId = "" } = query as { readonly q?: string; readonly payment?: string };
  const act = useAct();
  const recent = `${monthBeside(monthAt(now(), settings.timeZone), 1 - monthsShown)}-01`;
  const [filter, setFilter] = useState<Filter>({ of: undefined, from: q ? "" : recent, to: "", text: q });
  const set = (part: Partial<Filter>) => setFilter({ ...filter, ...part });
  const open = useFollowing("/payments", { open: true }, (rows: readonly Payment[]) => rows);
  const asked = queryOf(filter);
  const all = useFollowing("/payments", asked, (rows: readonly Payment[]) => rows);
  const position = useLoaded(() => read<Position>("/payments/position"), []);
  const found = filter.text.trim() === "" ? all.rows : all.rows.filter((payment) => isFound(payment, filter.text));
  const shown = [...open.rows, ...all.rows].find(({ paymentId }) => paymentId === shownId);
  const [version, setVersion] = useState(0);
  const done = (said: string) => {
    act.say(said);
    setVersion((former) => former + 1);
    open.reload();
    all.reload();
    void position.reload();
  };
  return (
    <>
      <Title text="Money" />
      <MoneyTabs here={deskPages.money} />
      <Said {...act} />
      {shown && (
        <Details
          key={shownId}
          {...{ payment: shown, done }}
          disputes={position.value?.disputes.filter(({ paymentId }) => paymentId === shownId) ?? []}
        />
      )}
      {shownId && !shown && !all.isReading && (
        <p class="notice">This payment is not among those below: choose an earlier time.</p>
      )}
      <WaitingPayments {...{ open, done }} />
      <section>
        <h2>Payments</h2>
        <div class="buttons">
          <TakeByHand text="Record cash or a transfer" done={done} />
        </div>
        <div class="filters">
          <EventSelect
            {...{ id: "of", none: "All payments", other: memberships, chosen: filter.of }}
            choose={(event, other) => set({ of: event ?? (other || undefined) })}
          />
          <Day id="from" label="From" value={filter.from} set={(from) => set({ from })} />
          <Day id="to" label="To, and that day" value={filter.to} set={(to) => set({ to })} />
          <Line id="text" label="Search" required={false} value={filter.text} set={(text) => set({ text })} />
        </div>
        <Progress of={all} one="payment" />
        {found.length < all.rows.length && <p role="status">{count(found.length, "payment")} found.</p>}
        <Table<Payment>
          {...{ title: "Payments", rows: found, columns, none: "No payments." }}
          {...{ keyOf: ({ paymentId }) => paymentId, pageOf: ({ paymentId }) => paymentPage(paymentId) }}
        />
        <div class="buttons">
          <Download
            {...{ act, text: "Save as a table" }}
            load={() => download("/payments", { ...asked, format: "csv" }, "payments.csv")}
          />
        </div>
      </section>
      <WhereItStands position={position} />
      <TotalsTable {...{ from: filter.from, to: filter.to, version }} />
    </>
  );
}
