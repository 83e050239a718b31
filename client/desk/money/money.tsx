import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Refused } from "../../shared/call.ts";
import { now } from "../../shared/clock.ts";
import { localTime } from "../../shared/dates.ts";
import { Line } from "../../shared/field.tsx";
import { Failure, Focused, type Loaded, Press, Said, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { accountDesk, deskPages, type EventKey, personDesk } from "../addresses.ts";
import { read } from "../calls.ts";
import { type Following, Progress, useFollowing } from "../following.tsx";
import {
  count,
  Day,
  type DoneProps,
  EventSelect,
  moment,
  money,
  SaveTable,
  Section,
  sayer,
  Tabs,
  Tag,
  Values,
} from "../parts.tsx";
import { amount, column, figure, minor, Table, when } from "../table.tsx";
import { PaymentActs, Reverse, TakeByHand } from "./acts.tsx";
import type { Payment, Position, Totals } from "./rules.ts";
import { byHandOf, codeText, disputeText, isFound, purposeText, refundTexts, stateTexts } from "./rules.ts";
import { dayAfter, monthAt, monthBeside, yearUntil } from "./times.ts";

const tabs = [["Payments", deskPages.money] as const, ["Journal", deskPages.journal] as const];

/** The treasurer's two pages. */
export const MoneyTabs = ({ here }: { readonly here: string }) => <Tabs {...{ here, label: "Money", pages: tabs }} />;

/** The page of the person at the event, or of the account. */
const pageOf = ({ email, eventID, year }: Payment): string =>
  eventID && year ? personDesk({ id: eventID, year }, email) : accountDesk(email);

const paymentPage = (paymentId: string): string => `${deskPages.money}?payment=${encodeURIComponent(paymentId)}`;

/** Of what waits, so much is shown at first. */
const firstShown = 20;

function WaitingPayments({ open, done }: DoneProps & { readonly open: Following<Payment> }) {
  const [most, setMost] = useState(firstShown);
  const { rows, isWhole } = open;
  return (
    <Section title="Waits for a person">
      {rows.length === 0 && isWhole ? <p>Nothing waits.</p> : <Progress of={open} one="payment" />}
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
    </Section>
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

const disputeWords = (dispute: Position["disputes"][number]): string =>
  disputeText(dispute, money(dispute.taken), moment(dispute.dueBy));

function Details({ payment, disputes, done }: DetailsProps) {
  const { refunds, kept = [], byHand, payouts, settledAs, review } = payment;
  const lines = [
    ...refunds
      .filter(({ isByHand }) => !isByHand)
      .map(({ amount: cents, state, at, by = "in the provider's dashboard", ...told }) => {
        const refund = `Refund of ${money(cents)}, ${refundTexts[state]}, ${moment(at)}, ${by}`;
        return [refund, told.reason, told.failure, told.delayedBy, told.providerId].filter(Boolean).join(": ");
      }),
    ...kept.map(({ amount: cents, reason, by, at }) => `Kept ${money(cents)}, ${moment(at)}, ${by}: ${reason}`),
    ...disputes.map((dispute) => `Dispute ${dispute.disputeId}: ${disputeWords(dispute)}`),
  ];
  return (
    <section class="group">
      <Focused text={`${money(payment.amount)} of ${payment.email}`} />
      {payment.waitsFor && <p class="notice">{payment.waitsFor}</p>}
      <Values
        rows={[
          ["Person", <a href={pageOf(payment)}>{payment.email}</a>],
          ["For", `${purposeText(payment)}${settledAs === "refund" ? ", but it paid for nothing" : ""}`],
          ["Code", codeText(payment)],
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
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {byHandOf(payment).map(({ entryId, text, amount: cents, by, at, reason, reversed }) => (
          <li key={entryId}>
            {text}: {money(cents)}, {moment(at)}, {by}
            {reason && `: ${reason}`} {reversed !== undefined && <Tag text={`Reversed: ${reversed}`} />}
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
    .map((one) => (one.currency === settings.currency ? money(one.amount) : `${one.amount / 100} ${one.currency}`))
    .join(", ");

const totalText = (rows: Position["owed"]): string =>
  `${money(rows.reduce((sum, one) => sum + one.amount, 0))}, ${count(rows.length, "payment")}`;

const providerIsDown =
  "The payment provider does not answer now, so what it owes the club, and disputes, cannot be shown. The rest of this page is complete.";

function WhereItStands({ provider, owed, owing, disputes, isWhole }: Position) {
  return (
    <>
      <Values
        rows={[
          ["At the provider", sumText(provider.available) || money(0)],
          ["Coming in there", sumText(provider.pending)],
          ...provider.payouts.map(
            (one) => ["Payout on its way", `${sumText([one])}, arrives ${moment(one.arrivesAt)}`] as const,
          ),
          ["The club owes people", totalText(owed)],
          ["People owe the club", totalText(owing)],
          ["Open disputes", disputes.length ? count(disputes.length, "dispute") : "None"],
        ]}
      />
      {disputes.map((dispute) => (
        <p key={dispute.disputeId}>
          Dispute of <a href={paymentPage(dispute.paymentId)}>{dispute.email}</a>: {disputeWords(dispute)}
        </p>
      ))}
      {!isWhole && <p class="notice">More than 1,000 payments are open: these sums are not complete.</p>}
    </>
  );
}

/** Of deleted events, which can have had the same name, too. */
const whatFor = (totals: Totals): string =>
  totals.membershipYear
    ? `Memberships ${totals.membershipYear}`
    : `${purposeText(totals)}${totals.isDeleted ? " (deleted)" : ""}`;

const totalColumns = [
  column<Totals>("For", whatFor),
  figure<Totals>("Payments", ({ payments }) => payments, minor),
  amount<Totals>("Came", ({ came }) => came),
  amount<Totals>("Went back", ({ wentBack }) => wentBack, minor),
  amount<Totals>("Fees", ({ fee }) => fee, minor),
  amount<Totals>("Lost", ({ lost }) => lost, minor),
  amount<Totals>("The club has", ({ net }) => net),
  amount<Totals>("Frozen", ({ frozen }) => frozen, minor),
  amount<Totals>("To go back", ({ open }) => open, minor),
  amount<Totals>("Left to pay", ({ owes }) => owes, minor),
  amount<Totals>("Deposits returned", ({ depositsReturned }) => depositsReturned, minor),
  amount<Totals>("Deposits kept", ({ depositsKept }) => depositsKept, minor),
];

function TotalsTable({ from, to, version }: Pick<Filter, "from" | "to"> & { readonly version: number }) {
  const time = yearUntil(from, to, localTime(new Date(now()).toISOString(), settings.timeZone).slice(0, 10));
  const totals = useLoaded(() => read<readonly Totals[]>("/payments/totals", time), [time.from, time.to, version]);
  const sum = (name: "came" | "wentBack" | "net") =>
    money((totals.value ?? []).reduce((all, row) => all + row[name], 0));
  return (
    <Section title={`Totals from ${time.from} until ${time.to}`}>
      <Table<Totals>
        {...{ title: "Totals", of: totals, columns: totalColumns, none: "No payments in this time." }}
        keyOf={(row) => `${whatFor(row)} ${row.currency} ${row.isDeleted}`}
      />
      {totals.value && (
        <p>
          In all, {sum("came")} came, and {sum("wentBack")} went back; the club has {sum("net")}.
        </p>
      )}
    </Section>
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
  const open = useFollowing<Payment>("/payments", { open: true });
  const asked = queryOf(filter);
  const all = useFollowing<Payment>("/payments", asked);
  const position: Loaded<Position> = useLoaded(() => read("/payments/position"), []);
  const isProviderDown = position.problem instanceof Refused && position.problem.status === 503;
  const found = filter.text.trim() === "" ? all.rows : all.rows.filter((payment) => isFound(payment, filter.text));
  const shown = [...open.rows, ...all.rows].find(({ paymentId }) => paymentId === shownId);
  const disputes = position.value?.disputes.filter(({ paymentId }) => paymentId === shownId) ?? [];
  const [version, setVersion] = useState(0);
  const done = sayer(act, open, all, position, { reload: () => setVersion((former) => former + 1) });
  return (
    <>
      <Title text="Money" />
      <MoneyTabs here={deskPages.money} />
      <Said {...act} />
      {shown && <Details key={shownId} {...{ payment: shown, done, disputes }} />}
      {shownId && !shown && all.isWhole && (
        <p class="notice">This payment is not among those below: choose an earlier time.</p>
      )}
      <WaitingPayments {...{ open, done }} />
      <Section title="Payments">
        <div class="buttons">
          <TakeByHand text="Record cash or a transfer" done={done} />
        </div>
        <div class="filters">
          <EventSelect
            {...{ id: "of", label: "For", none: "All payments", other: memberships, chosen: filter.of }}
            choose={(event, other) => set({ of: event ?? (other || undefined) })}
          />
          <Day id="from" label="From" value={filter.from} set={(from) => set({ from })} />
          <Day id="to" label="To, and that day" value={filter.to} set={(to) => set({ to })} />
          <Line id="text" label="Search" required={false} value={filter.text} set={(text) => set({ text })} />
        </div>
        <Progress of={all} one="payment" />
        {found.length < all.rows.length && <p role="status">{count(found.length, "payment")} found.</p>}
        <Table<Payment>
          {...{
            title: "Payments",
            rows: found,
            columns,
            none: all.isWhole ? "No payments." : "",
            keyOf: ({ paymentId }) => paymentId,
          }}
          pageOf={({ paymentId }) => paymentPage(paymentId)}
        />
        <div class="buttons">
          <SaveTable {...{ path: "/payments", query: asked, file: "payments.csv" }} />
        </div>
      </Section>
      <Section title="Where the club stands">
        {position.value && <WhereItStands {...position.value} />}
        {!position.value && isProviderDown ? (
          <Failure text={providerIsDown} again={position.reload} />
        ) : (
          <Waiting of={position} />
        )}
      </Section>
      <TotalsTable {...{ from: filter.from, to: filter.to, version }} />
    </>
  );
}
