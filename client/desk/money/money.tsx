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
import { Day } from "./day.tsx";
import { type Following, Progress, useFollowing } from "./following.tsx";
import { EventSelect } from "./form-act.tsx";
import {
  byHandOf,
  dayAfter,
  isFound,
  monthAt,
  monthBeside,
  type Payment,
  type Position,
  possibleOf,
  purposeText,
  refundTexts,
  stateTexts,
  sumOf,
  type Totals,
  yearUntil,
} from "./rules.ts";

/** The treasurer's two pages. */
export const MoneyTabs = () => {
  const { path } = useLocation();
  const pages = [
    [deskPages.money, "Payments"],
    [deskPages.journal, "Journal"],
  ] as const;
  return (
    <nav class="tabs" aria-label="Money">
      {pages.map(([page, text]) => (
        <a key={page} href={page} aria-current={path === page ? "page" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
};

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

interface DetailsProps extends DoneProps {
  readonly payment: Payment;
  readonly disputes: Position["disputes"];
}

function Details({ payment, disputes, done }: DetailsProps) {
  const { refunds, kept = [], byHand, payouts, settledAs, review } = payment;
  const amounts = (["fee", "wentBack", "open", "frozen", "lost", "owes"] as const).map(
    (name) => payment[name] || undefined,
  );
  const [fee, wentBack, open, frozen, lost, owes] = amounts.map((amount) => amount && money(amount));
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
          ["Went back", wentBack],
          ["Has to go back, or is on its way", open],
          ["Frozen by disputes", frozen],
          ["Lost in disputes", lost],
          ["Left to pay", owes],
          ["The provider's fee", fee],
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
        {disputes.map(({ disputeId, status, taken, dueBy }) => (
          <li key={disputeId}>
            Dispute {disputeId}: {status.replaceAll("_", " ")}, {money(taken)} taken
            {dueBy && `, answer by ${moment(dueBy)}`}
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
      {possibleOf(payment).left === 0 && <p class="minor">Nothing of it is left to give back.</p>}
      <PaymentActs {...{ payment, done }} />
      <p>
        <a href={deskPages.money}>Close</a>
      </p>
    </section>
  );
}

const kinds = { all: "All payments", event: "Of an event", membership: "Memberships" } as const;
type Kind = keyof typeof kinds;

interface Filter {
  readonly kind: Kind;
  readonly event: EventKey | undefined;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

interface FiltersProps {
  readonly filter: Filter;
  set(filter: Filter): void;
}

const Filters = ({ filter, set }: FiltersProps) => (
  <div class="filters">
    <div class="field">
      <label for="kind">Which</label>
      <select
        id="kind"
        value={filter.kind}
        onChange={({ currentTarget: { value } }) => set({ ...filter, kind: value as Kind })}
      >
        {Object.entries(kinds).map(([kind, text]) => (
          <option key={kind} value={kind}>
            {text}
          </option>
        ))}
      </select>
    </div>
    {filter.kind === "event" && (
      <EventSelect id="of" none="Please choose" chosen={filter.event} choose={(event) => set({ ...filter, event })} />
    )}
    <Day id="from" label="From" value={filter.from} set={(from) => set({ ...filter, from })} />
    <Day id="to" label="To, and that day" value={filter.to} set={(to) => set({ ...filter, to })} />
    <Line id="text" label="Search" required={false} value={filter.text} set={(text) => set({ ...filter, text })} />
  </div>
);

const monthsShown = 3;

/** What the API is asked for. */
const queryOf = ({ kind, event, from, to }: Filter) => ({
  ...(kind === "event" && event && { eventID: event.id, year: event.year }),
  purpose: kind === "membership" ? "membership" : undefined,
  ...{ from: from || undefined, to: dayAfter(to) },
});

function PaymentTable({ rows, none }: { readonly rows: readonly Payment[]; readonly none: string }) {
  return (
    <Table<Payment>
      title="Payments"
      {...{ rows, none, keyOf: ({ paymentId }) => paymentId, pageOf: ({ paymentId }) => paymentPage(paymentId) }}
      columns={[
        { title: "Person", of: ({ email }) => email, by: ({ email }) => email },
        { title: "For", of: purposeText, by: purposeText },
        { title: "Came", of: ({ amount }) => money(amount), by: ({ amount }) => amount, isNumber: true },
        { title: "State", of: ({ state }) => stateTexts[state], by: ({ state }) => state },
        { title: "When", of: ({ settledAt }) => moment(settledAt), by: ({ settledAt }) => settledAt, isMinor: true },
        {
          title: "Went back",
          ...{ of: ({ wentBack }) => (wentBack ? money(wentBack) : ""), by: ({ wentBack }) => wentBack },
          ...{ isNumber: true, isMinor: true },
        },
        { title: "Waits for", of: ({ waitsFor = "" }) => waitsFor, by: ({ waitsFor = "" }) => waitsFor, isMinor: true },
      ]}
    />
  );
}

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
      {disputes.map(({ disputeId, email, paymentId, status, taken, dueBy }) => (
        <p key={disputeId}>
          Dispute of <a href={paymentPage(paymentId)}>{email}</a>: {status.replaceAll("_", " ")}, {money(taken)} taken
          {dueBy && `, answer by ${moment(dueBy)}`}
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

function TotalsTable({ from, to, version }: Pick<Filter, "from" | "to"> & { readonly version: number }) {
  const time = yearUntil(from, to, localTime(new Date(now()).toISOString(), settings.timeZone).slice(0, 10));
  const totals = useLoaded(() => read<readonly Totals[]>("/payments/totals", time), [time.from, time.to, version]);
  const figure = (title: string, name: "came" | "wentBack" | "fee" | "lost" | "net" | "frozen" | "open" | "owes") => ({
    ...{ title, isNumber: true, of: (row: Totals) => money(row[name]), by: (row: Totals) => row[name] },
    isMinor: name !== "came" && name !== "net",
  });
  const sums = sumOf(totals.value ?? []);
  return (
    <section>
      <h2>
        Totals from {time.from} until {time.to}
      </h2>
      <Waiting of={totals} />
      {totals.value && (
        <>
          <Table
            {...{ title: "Totals", rows: totals.value, none: "No payments in this time." }}
            keyOf={(row) => `${totalText(row)} ${row.currency} ${row.isDeleted}`}
            columns={[
              { title: "For", of: totalText, by: totalText },
              {
                title: "Payments",
                of: (row) => row.payments,
                by: (row) => row.payments,
                isNumber: true,
                isMinor: true,
              },
              ...[
                figure("Came", "came"),
                figure("Went back", "wentBack"),
                figure("Fees", "fee"),
                figure("Lost", "lost"),
              ],
              ...[figure("The club has", "net"), figure("Frozen", "frozen"), figure("To go back", "open")],
              figure("Left to pay", "owes"),
            ]}
          />
          <p>
            In all, {count(sums.payments, "payment")}: {money(sums.came)} came, {money(sums.wentBack)} went back,{" "}
            {money(sums.fee)} were fees; the club has {money(sums.net)}.
          </p>
        </>
      )}
    </section>
  );
}

/** What waits for the treasurer, all payments, and where the club stands. */
export function MoneyPage() {
  const { query } = useLocation();
  const { q = "", payment: shownId = "" } = query as { readonly q?: string; readonly payment?: string };
  const act = useAct();
  const recent = `${monthBeside(monthAt(now(), settings.timeZone), 1 - monthsShown)}-01`;
  const [filter, setFilter] = useState<Filter>({
    kind: "all",
    event: undefined,
    from: q ? "" : recent,
    to: "",
    text: q,
  });
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
      <MoneyTabs />
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
        <Filters filter={filter} set={setFilter} />
        <Progress of={all} one="payment" />
        {found.length < all.rows.length && <p role="status">{count(found.length, "payment")} found.</p>}
        <PaymentTable rows={found} none="No payments." />
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
