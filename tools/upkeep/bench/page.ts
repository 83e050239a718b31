/** The page with all results, as Markdown. */
import { type Line, totalOf } from "./cost.ts";
import { sizes } from "./dataset.ts";
import { growthOf } from "./judge.ts";
import type { Measured } from "./measure.ts";
import { pricesOf } from "./prices.ts";
import type { Bundle, Start } from "./startup.ts";

/** A part of the page, written by another measurement. */
export interface Section {
  readonly title: string;
  readonly markdown: string;
}

export interface Results {
  readonly measured: readonly Measured[];
  readonly bundles: readonly Bundle[];
  /** Absent where it could not be measured. */
  readonly start: Start | undefined;
  readonly registrationBill: readonly Line[];
  /** USD of the table for a million registrations. */
  readonly tablePerMillion: number;
  readonly idleBill: readonly Line[];
  readonly machine: string;
  readonly commit: string;
  /** ISO 8601, the day. */
  readonly day: string;
  readonly seconds: number;
}

export const number = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 1 });
const usd = (value: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 4 });

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, index) => (index === 0 ? "---" : "--:")), ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");

/** What each request costs in the largest stage. */
function costTable({ figures }: Measured): string {
  const rows = Object.entries(figures).map(([name, { asked, roundTrips, ...units }]) => [
    `\`${name}\``,
    ...[asked, roundTrips, units.readUnits + units.asyncReadUnits, units.writeUnits + units.asyncWriteUnits].map(
      number,
    ),
  ]);
  return table(["request", "things", "round trips", "read", "write"], rows);
}

/** How the cost of one item differs between an event with few and with all people. Empty when it was not measured. */
function hotText(measured: readonly Measured[], few: Measured): string {
  const all = measured.find(({ share, size }) => share === "all" && size === few.size);
  if (!all) return "";
  const growth = Object.entries(all.figures).flatMap(([name, many]) => {
    const one = few.figures[name];
    return one ? [growthOf(one, many)] : [];
  });
  const [least, most] = [Math.min(...growth), Math.max(...growth)].map((times) => times.toFixed(2));
  return `\nWith all ${number(few.size)} people in that event, one thing costs ${least} to ${most} times as many units.`;
}

/** The lines of a bill, with all lines below ten cents merged. */
function withoutTrifles(lines: readonly Line[]): Line[] {
  const isTrifle = ({ usd: dollars }: Line): boolean => dollars < 0.1;
  const rest = lines.filter(isTrifle);
  const other = { what: "all other lines", count: rest.length, usd: totalOf(rest) };
  return [...lines.filter((one) => !isTrifle(one)), ...(rest.length > 0 ? [other] : [])];
}

const billTable = (lines: readonly Line[]): string =>
  table(
    ["what", "how many", "USD"],
    [
      ...lines.map(({ what, count, usd: dollars }) => [
        what,
        count < 1 ? count.toPrecision(2) : number(count),
        usd(dollars),
      ]),
      ["**together**", "", `**${usd(totalOf(lines))}**`],
    ],
  );

/** @returns the smallest and the largest value */
function rangeOf(values: readonly number[], show: (value: number) => string): string {
  const [least, most] = [show(Math.min(...values)), show(Math.max(...values))];
  return least === most ? least : `${least} to ${most}`;
}

function startText(start: Start | undefined, bundles: readonly Bundle[]): string {
  // The empty module is the baseline.
  const functions = bundles.filter(({ size }) => size !== undefined);
  const rounded = (value: number) => number(Math.round(value));
  return [
    start
      ? `A prepared local stage answers ${start.seconds.toFixed(1)} s after \`npm start -- --memory\`, in ${rounded(start.megabytes)} MB.`
      : "The start of the local stage was not measured.",
    `A function loads ${rangeOf(
      functions.map(({ size }) => (size?.atStart ?? 0) / 1_000),
      rounded,
    )} KB in ${rangeOf(
      functions.map((one) => one.milliseconds),
      rounded,
    )} ms.`,
  ].join("\n");
}

/** @param sections come between the requests and the costs */
export function pageOf(results: Results, sections: readonly Section[]): string {
  const { measured } = results;
  const columns = sizes.flatMap((size) => measured.find((one) => one.size === size && one.share === "fifth") ?? []);
  const largest = columns.at(-1);
  if (!largest) throw new Error("Nothing was measured.");
  const mails = results.registrationBill.find(({ what }) => what === "mails")?.usd ?? 0;
  return `# Performance

\`npm run upkeep -- bench\` writes this page in about ten minutes. By hand, change only the costs of an idle stage. \`npm run upkeep -- bench --quick\` writes nothing. Both fail when
a request exceeds its budget (\`tools/upkeep/bench/budgets.ts\`).

| | |
| --- | --- |
| machine | ${results.machine} |
| commit | ${results.commit} |
| day | ${results.day}, in ${number(Math.round(results.seconds))} s |

Everything runs on the local stage, whose table counts units as AWS bills them. Times hold for this machine only.

## Requests

A stage with ${number(largest.size)} registrations and as many users; a fifth of the people is in the event that is asked for.
*Things* are the entries of a list or the people of a bulk change. A *round trip* is one call to the table by the request. *Read* and *write*
are units, including those of the mails, chat posts and promotions that follow.${hotText(measured, largest)}

${costTable(largest)}

${sections.map(({ title, markdown }) => `## ${title}\n\n${markdown}\n\n`).join("")}## Start

${startText(results.start, results.bundles)}

## Costs

USD in N. Virginia on ${pricesOf}, without free allowances (\`tools/upkeep/bench/prices.ts\`). A million registrations cost
${usd(results.tablePerMillion)} for the table. A thousand with a free seat cost ${usd(totalOf(results.registrationBill))} from the request to
mail and chat, of which mails are ${usd(mails)}. A month without any request or stored data
costs ${totalOf(results.idleBill).toFixed(2)} USD (\`npm run upkeep -- price\`):

${billTable(withoutTrifles(results.idleBill))}
`;
}
