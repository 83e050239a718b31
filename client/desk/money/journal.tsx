import { useState } from "preact/hooks";
import { now } from "../../shared/clock.ts";
import { Press, Said, Title, useAct } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { deskPages } from "../addresses.ts";
import { changeOnce } from "../calls.ts";
import { Progress, useFollowing } from "../following.tsx";
import { FormAct } from "../form-act.tsx";
import { count, Day, moment, money, SaveTable, Values } from "../parts.tsx";
import { column, figure, minor, Table, when } from "../table.tsx";
import { type Journal, joined, payoutsOf } from "./journal-rules.ts";
import { MoneyTabs } from "./money.tsx";
import { codeText, purposeText } from "./rules.ts";
import { dayAfter, monthAt, monthBeside } from "./times.ts";

const accounts = { provider: "At the provider", cash: "In the cash box", bank: "At the bank" } as const;
const accountNames = Object.keys(accounts) as readonly (keyof typeof accounts)[];

type Row = Journal["rows"][number];

const whatText = ({ kind, isDeposit }: Row): string =>
  kind.charAt(0).toUpperCase() + kind.slice(1) + (isDeposit ? " (deposit)" : "");
const whoseText = ({ email, purpose, eventID = "", year }: Row): string =>
  [email, purpose && purposeText({ purpose, eventID, ...(year && { year }) })].filter(Boolean).join(", ");
const amountText = ({ amount, currency }: Row): string =>
  currency === settings.currency ? money(amount) : `${(amount / 100).toFixed(2)} ${currency}`;
const balanceText = ({ balance }: Row): string => (balance === undefined ? "" : money(balance));
const Whose = (row: Row) =>
  row.paymentId ? <a href={`${deskPages.money}?q=${encodeURIComponent(row.paymentId)}`}>{whoseText(row)}</a> : "";

const columns = [
  when<Row>("When", ({ at }) => at, false),
  column<Row>("What", whatText),
  figure<Row>("Amount", ({ amount }) => amount, { of: amountText }),
  column<Row>("Where", ({ account }) => accounts[account], minor),
  figure<Row>("Then there", ({ balance = 0 }) => balance, { of: balanceText, isMinor: true }),
  column<Row>("Whose", whoseText, { of: Whose, isMinor: true }),
  column<Row>("Code", codeText, minor),
  column<Row>("Provider's id", ({ source }) => source, minor),
];

/** The days of a month, its last one also. */
const daysOf = (month: string) => ({
  from: `${month}-01`,
  to: new Date(Date.parse(`${monthBeside(month, 1)}-01`) - 1).toISOString().slice(0, 10),
});

async function close(body: object) {
  const { balances } = await changeOnce<{ readonly balances: Journal["opening"] }>("/payments/journal/closings", body);
  const stood = accountNames.map((name) => `${accounts[name].toLowerCase()} ${money(balances[name])}`);
  return { message: `Closed. At its end there stood ${stood.join(", ")}.` };
}

/** Each movement of the club's money, its balances, and the closing of months. */
export function JournalPage() {
  const act = useAct();
  const current = monthAt(now(), settings.timeZone);
  const [{ from, to }, setTime] = useState(daysOf(current));
  const query = { from, to: dayAfter(to) };
  const pages = useFollowing("/payments/journal", query, { rowsOf: (page: Journal) => [page] });
  const { opening, closing, rows, readUntil } = joined(pages.rows);
  const payouts = payoutsOf(rows);
  const move = (by: number) => setTime(daysOf(monthBeside(from.slice(0, 7), by)));
  return (
    <>
      <Title text="Journal" />
      <MoneyTabs here={deskPages.journal} />
      <div class="filters">
        <Day id="from" label="From" value={from} set={(day) => day && setTime({ from: day, to })} />
        <Day id="to" label="To, and that day" value={to} set={(day) => day && setTime({ from, to: day })} />
        <div class="buttons">
          <Press text="The month before" onPress={() => move(-1)} />
          <Press text="The month after" onPress={() => move(1)} />
        </div>
      </div>
      <Progress of={pages} one="page" />
      {pages.rows.length > 0 && (
        <>
          <h2>What stands in the accounts</h2>
          <Values
            rows={accountNames.map((name) => [
              accounts[name],
              `${money(opening[name])} before, ${money(closing[name])} ${pages.isWhole ? "after" : "so far"}`,
            ])}
          />
        </>
      )}
      {readUntil > 0 && (
        <p class="minor">
          The provider's books are read until {moment(readUntil)}; what it has booked since may lack here.
        </p>
      )}
      <h2>{count(rows.length, "movement")}</h2>
      <Table
        {...{ title: "Movements", rows, columns, none: pages.isWhole ? "No movements in this time." : "" }}
        keyOf={({ id, kind, account }) => `${id} ${kind} ${account}`}
      />
      <div class="buttons">
        <SaveTable {...{ path: "/payments/journal", query, file: "journal.csv" }} />
      </div>
      <h2>Payouts to the bank</h2>
      {payouts.length === 0 && pages.isWhole && <p class="minor">None in this time.</p>}
      <Values
        rows={payouts.map(({ id, at, amount, rows: inIt, isFailed }) => [
          moment(at),
          `${isFailed ? "Failed, came back: " : ""}${money(amount)}, ${id}, with ${count(inIt, "movement")} shown here`,
        ])}
      />
      <h2>Close a month</h2>
      <p>
        A closed month never changes: nothing with an earlier date can be added any more. A month can be closed once the
        provider's books are read beyond its end.
      </p>
      <div class="buttons">
        <FormAct
          {...{ text: "Close a month", title: "Close the journal until the end of a month", sure: "Close it for good" }}
          says={`This cannot be undone. The provider's books are read until ${readUntil > 0 ? moment(readUntil) : "no time yet"}: a month that ends later cannot be closed yet.`}
          {...{ schema: "NewClosing", draft: "closing", usual: { month: monthBeside(current, -1) }, send: close }}
          {...{ look: { hints: { month: "Year and month, such as 2030-01." } }, done: act.say }}
        />
      </div>
      <Said {...act} />
    </>
  );
}
