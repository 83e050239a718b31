/** The page with all results, as Markdown. */
import { type Line, totalOf } from "./cost.ts";
import { sizes } from "./dataset.ts";
import { growthOf, smallestOf } from "./judge.ts";
import type { Figures, Measured } from "./measure.ts";
import { prices, pricesOf } from "./prices.ts";
import type { Bundle, Start } from "./startup.ts";

/** A part of the page that another measurement writes. */
export interface Section {
  readonly title: string;
  readonly markdown: string;
  /** SVG by the name of the file, which is put into `docs/performance/`. */
  readonly charts: Readonly<Record<string, string>>;
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
const milliseconds = (value: number): string => (value < 10 ? value.toFixed(1) : number(Math.round(value)));

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, index) => (index === 0 ? "---" : "--:")), ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");

/** One value for each size, or one for all when they are the same. */
const cell = (values: readonly string[]): string =>
  new Set(values).size === 1 ? (values[0] ?? "") : values.join(" · ");

/** Columns are the sizes, rows the endpoints. */
function costTable(columns: readonly Measured[]): string {
  const names = Object.keys(columns.at(-1)?.figures ?? {});
  const smallest = smallestOf(columns);
  const rows = names.map((name) => {
    const all = columns.flatMap(({ figures }) => figures[name] ?? []);
    const each = (of: (figures: Figures) => number) => cell(all.map((figures) => number(of(figures))));
    const [small, large] = [smallest.figures[name], all.at(-1)];
    return [
      `\`${name}\``,
      each(({ asked }) => asked),
      each(({ roundTrips }) => roundTrips),
      each(({ readUnits }) => readUnits),
      each(({ writeUnits }) => writeUnits),
      each(({ behindReadUnits }) => behindReadUnits),
      each(({ behindWriteUnits }) => behindWriteUnits),
      each(({ bytes }) => bytes),
      small && large ? growthOf(small, large).toFixed(2) : "",
    ];
  });
  const head = ["request", "things", "round trips", "read", "write", "read behind", "write behind", "bytes", "growth"];
  return table(head, rows);
}

function timeTable(columns: readonly Measured[]): string {
  const names = Object.keys(columns.at(-1)?.figures ?? {});
  const rows = names.map((name) => [
    `\`${name}\``,
    ...columns.map(({ figures }) => {
      const one = figures[name];
      return one ? `${milliseconds(one.medianMilliseconds)} / ${milliseconds(one.p95Milliseconds)}` : "";
    }),
  ]);
  return table(["request", ...columns.map(({ size }) => size.toLocaleString("en"))], rows);
}

function hotTable(measured: readonly Measured[]): string {
  const largest = Math.max(...measured.filter(({ share }) => share === "all").map(({ size }) => size));
  const [fifth, all] = (["fifth", "all"] as const).map((share) =>
    measured.find((one) => one.share === share && one.size === largest),
  );
  if (!fifth || !all) return "";
  const rows = Object.keys(all.figures).flatMap((name) => {
    const [few, many] = [fifth.figures[name], all.figures[name]];
    if (!few || !many) return [];
    const each = (of: (figures: Figures) => number, show = number) => cell([show(of(few)), show(of(many))]);
    return [
      [
        `\`${name}\``,
        each(({ asked }) => asked),
        each(({ roundTrips }) => roundTrips),
        each(({ readUnits, behindReadUnits }) => readUnits + behindReadUnits),
        each(({ writeUnits, behindWriteUnits }) => writeUnits + behindWriteUnits),
        each(({ medianMilliseconds }) => medianMilliseconds, milliseconds),
        growthOf(few, many).toFixed(2),
      ],
    ];
  });
  const head = ["request", "things", "round trips", "read", "write", "median ms", "growth"];
  return `An event with ${number(largest / 5)} and with ${number(largest)} people. Units are those of the request and behind it.

${table(head, rows)}`;
}

/** The largest parts of a bundle that are named. */
const partsShown = 5;

const bundleTable = (bundles: readonly Bundle[]): string => {
  const kilobytes = (bytes: number): string => number(Math.round(bytes / 1_000));
  const rows = bundles.map(({ name, size, milliseconds: time, megabytes }) => [
    name,
    ...(size ? [kilobytes(size.atStart), kilobytes(size.total)] : ["", ""]),
    milliseconds(time),
    number(Math.round(megabytes)),
    Object.entries(size?.packages ?? {})
      .slice(0, partsShown)
      .map(([part, bytes]) => `${part} ${kilobytes(bytes)}`)
      .join(", "),
  ]);
  return table(["function", "KB at start", "KB in all", "import ms", "memory MB", "largest parts at start, KB"], rows);
};

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

const priceTable = (): string =>
  table(
    ["one", "USD for a million", "read at"],
    Object.values(prices).map(({ unit, usd: dollars, page }) => [
      unit,
      dollars < 0.01 ? Number((dollars * 1e6).toPrecision(4)).toString() : `${usd(dollars)} for one`,
      `[${new URL(page).hostname}](${page})`,
    ]),
  );

const startText = (start: Start | undefined): string =>
  start
    ? `\`npm start -- --memory\`, with the bundles and the template of an earlier start, answers after ${start.seconds.toFixed(1)} s. Its process has ${number(Math.round(start.megabytes))} MB then.`
    : "`npm start` was not measured.";

/** @param sections come before the part about starting */
export function pageOf(results: Results, sections: readonly Section[]): string {
  const { measured } = results;
  const columns = sizes.flatMap((size) => measured.find((one) => one.size === size && one.share === "fifth") ?? []);
  const list = columns.map(({ size }) => size.toLocaleString("en")).join(", ");
  return `# Performance

What requests cost and how long they take, measured by \`npm run bench\`, which writes this page. Change nothing here by hand.

| | |
| --- | --- |
| machine | ${results.machine} |
| commit | ${results.commit} |
| day | ${results.day}, in ${number(Math.round(results.seconds))} s |

Everything runs on the local stage, in one process, with the functions' real bundles. Round trips, units and bytes are exact: the engine of
the laptop counts units as AWS bills them. They have budgets in \`tools/bench/budgets.ts\`; \`npm run bench\` fails when one is exceeded, and so
does \`test/service/budgets.test.ts\`. **Times are those of this machine** and have no budgets: compare them with each other only.

## What one request costs

Stages with ${list} registrations, and as many users. A fifth of the people is in the event that is asked for. Where the
sizes differ, a cell has one value for each. *Things* is what the request asks for: entries of a list, people of a mass change. A *round trip*
is one call to the table, also when several run at the same time. *Behind* is all that the request sets off: mails, chat, promotions. *Growth* is how many times as many
units one thing costs in the largest stage as in the smallest: 1 means that nothing grows with what was not asked for.

${costTable(columns)}

![Units of a request, over the number of registrations](performance/units.svg)

## How long it takes

Median / 95th percentile in milliseconds, from the first byte sent to the last byte read, one request after the other.

${timeTable(columns)}

![Median time of a request, over the number of registrations](performance/times.svg)

## The hot event

${hotTable(measured)}

${sections.map(({ title, markdown }) => `## ${title}\n\n${markdown}\n\n`).join("")}## Starting, and memory

${startText(results.start)}

Each bundle is imported in a new process, with the variables of its function: median time, and the memory of the process then. Parts are
packages; \`lambda\` is the service's own code, and \`schemas\` are its compiled validators.

${bundleTable(results.bundles)}

## What it costs

On-demand prices of US East (N. Virginia), looked up on ${pricesOf}, without taxes and free allowances; other regions differ by some percent. The
table is \`tools/bench/prices.ts\`. **The table alone costs ${usd(results.tablePerMillion)} USD for a million registrations**, in the request and behind it.

A thousand registrations with a free seat, from the request to mail and chat, one by one (in a rush one run takes several messages):

${billTable(results.registrationBill)}

A month in which nothing happens, without stored data:

${billTable(results.idleBill)}

${priceTable()}
`;
}
