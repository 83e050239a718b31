/** The figures of an event's report. Pure. */
import type { components } from "../../paths.ts";
import { type Schedule, spanOf } from "../../shared/dates.ts";

export type Report = components["schemas"]["Report"];

type Figure = readonly [label: string, value: number];

/** What happened, in numbers. Applications are left out of events that have none. */
export function figuresOf(report: Report): readonly Figure[] {
  const { noShows, applicants, rejected } = report;
  return [
    ["Have a seat", report.registered],
    ["Of them partners", report.partners],
    ["Came", report.came],
    ...(noShows === undefined ? [] : [["Did not come", noShows] as const]),
    ["Said that they come", report.saidTheyCome],
    ["Said it and came", report.saidTheyComeAndCame],
    ["Wait in line", report.waiting],
    ["Got a seat after waiting", report.promoted],
    ...(applicants + rejected > 0
      ? ([
          ["Applications not decided", applicants],
          ["Rejected", rejected],
        ] as const)
      : []),
    ["Cancelled early", report.cancelled - report.cancelledLate],
    ["Cancelled in the last 24 hours", report.cancelledLate],
    ["Cancelled by a mail's link", report.cancelledByLink],
    ["Unpaid seats given up", report.lapsed],
  ];
}

/** The money of the event, in cents. */
export const amountsOf = ({ money }: Report): readonly Figure[] => [
  ["Came in", money.came],
  ["Went back", money.wentBack],
  ["Still to go back", money.open],
  ["Held by disputes", money.frozen],
  ["Lost in disputes", money.lost],
  ["Fees", money.fee],
  ["The club has", money.net],
  ["Still owed to the club", money.owes],
];

/** How many of a hundred seat holders came; undefined without any, and before the end. */
export const showUpRate = ({ came, noShows }: Report): number | undefined =>
  noShows === undefined || came + noShows === 0 ? undefined : Math.round((100 * came) / (came + noShows));

interface Held extends Schedule {
  readonly id: string;
  readonly year: number;
}

/** The events that began before another one, the latest first. */
export function earlierEvents<E extends Held>(events: readonly E[], than: Held, most: number): readonly E[] {
  const start = (event: Held) => spanOf(event)[0];
  return events
    .filter((event) => start(event) < start(than))
    .toSorted((one, other) => start(other) - start(one))
    .slice(0, most);
}

const cell = (value: string | number): string => `"${String(value).replaceAll('"', '""')}"`;

/** The report as a table of two columns. Amounts are in units of the currency. */
export function reportTable(report: Report, { id, year }: Held): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ["Event", `${id} ${year}`],
    ["Counted at", new Date(report.at).toISOString()],
    ...figuresOf(report),
    ...amountsOf(report).map(([label, cents]) => [label, (cents / 100).toFixed(2)] as const),
    ["Feedback", report.feedback.count],
    ["Overall rating", report.feedback.mean ?? ""],
    ...report.registrationsByDay.map(({ day, count }) => [`Registered on ${day}`, count] as const),
    ...report.checkIns.map(({ from, count }) => [`Came from ${new Date(from).toISOString()}`, count] as const),
  ];
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
