/** The figures of an event's report. Pure. */
import type { components } from "../../paths.ts";
import { type Schedule, spanOf } from "../../shared/dates.ts";
import type { Bar } from "./at-door.ts";

export type Report = components["schemas"]["Report"];

/** What happened, in numbers. What does not concern the event is left out. */
export function figuresOf(report: Report): readonly Bar[] {
  const { noShows, applicants, rejected, cancelled, cancelledLate } = report;
  const rows: readonly (readonly [label: string, value: number | undefined])[] = [
    ["Have a seat", report.registered],
    ["Of them partners", report.partners],
    ["Came", report.came],
    ["Did not come", noShows],
    ["Said that they come", report.saidTheyCome],
    ["Said it and came", report.saidTheyComeAndCame],
    ["Wait in line", report.waiting],
    ["Got a seat after waiting", report.promoted],
    ["Applications not decided", applicants || undefined],
    ["Rejected", rejected || undefined],
    ["Cancelled early", cancelled - cancelledLate],
    ["Cancelled in the last 24 hours", cancelledLate],
    ["Cancelled by a mail's link", report.cancelledByLink],
    ["Handed on to others", report.handedOn || undefined],
    ["Unpaid seats given up", report.lapsed],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
}

const depositsOf = ({ deposits, depositsReturned, depositsKept }: Report["money"]): readonly Bar[] => [
  ["Deposits among what came", deposits],
  ["Deposits returned to who came", depositsReturned],
  ["Deposits kept", depositsKept],
];

/** The money of the event, in cents. */
export const amountsOf = ({ money }: Report): readonly Bar[] => [
  ["Came in", money.came],
  ["Went back", money.wentBack],
  ["Still to go back", money.open],
  ["Held by disputes", money.frozen],
  ["Lost in disputes", money.lost],
  ["Fees", money.fee],
  ["The club has", money.net],
  ["Still owed to the club", money.owes],
  ...(money.deposits > 0 ? depositsOf(money) : []),
];

/** How many of a hundred seat holders came; undefined without any, and before the end. */
export const showUpRate = ({ came, noShows }: Report): number | undefined =>
  noShows === undefined || came + noShows === 0 ? undefined : Math.round((100 * came) / (came + noShows));

/** The events that began before another one, the latest first. */
export function earlierEvents<E extends Schedule>(events: readonly E[], than: Schedule, most: number): readonly E[] {
  const start = (event: Schedule) => spanOf(event)[0];
  const before = events.filter((event) => start(event) < start(than));
  return before.toSorted((one, other) => start(other) - start(one)).slice(0, most);
}

/** The report as a table of two columns. Amounts are in units of the currency. */
export function reportTable(report: Report): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ["Counted at", new Date(report.at).toISOString()],
    ["Overall rating", report.feedback.mean ?? ""],
    ...figuresOf(report),
    ...amountsOf(report).map(([label, cents]) => [label, (cents / 100).toFixed(2)] as const),
    ...report.answers.flatMap(({ label, choices }) =>
      choices.map(({ choice, count }) => [`${label}: ${choice}`, count] as const),
    ),
    ...report.registrationsByDay.map(({ day, count }) => [`Registered on ${day}`, count] as const),
    ...report.checkIns.map(({ from, count }) => [`Came from ${new Date(from).toISOString()}`, count] as const),
  ];
  const quoted = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`;
  return rows.map(([label, value]) => `${quoted(label)},${quoted(value)}\r\n`).join("");
}
