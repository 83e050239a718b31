/** The part of the page about the rush. The rushes run in a process of their own, because each needs its own clock. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rushChart } from "./charts.ts";
import type { LaptopRush } from "./laptop-rush.ts";
import { number, type Section, table } from "./page.ts";
import type { RushReport } from "./rush.ts";
import type { SimulatedRush } from "./simulation/rush.ts";

const answersOf = (answers: Readonly<Record<string, number>>): string =>
  Object.entries(answers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([answer, count]) => `${number(count)} ${answer}`)
    .join(", ");

const sizeOf = ({ people, seats }: { readonly people: number; readonly seats: number }): string =>
  `${number(people)} for ${number(seats)}`;

function simulatedTable({ simulated, withoutCrowds }: RushReport): string {
  const row = (rule: string, rush: SimulatedRush): string[] => [
    sizeOf(rush),
    rule,
    answersOf(rush.answers),
    ...[rush.p50, rush.p99, rush.max].map((value) => number(Math.round(value))),
    rush.seatsGivenAfter === undefined ? "never" : number(Math.round(rush.seatsGivenAfter)),
    rush.transactionsPerAnswer.toFixed(1),
    number(rush.jumps),
    number(rush.passedBy),
    number(rush.wrong.length),
  ];
  const rows = simulated.flatMap((rush, index) => {
    const other = withoutCrowds[index];
    return [...(other ? [row("each their own seat", other)] : []), row("a crowd joins the line", rush)];
  });
  const head = ["people, seats", "rule", "answers", "p50", "p99", "max", "all seats given", "transactions", "jumps"];
  return table([...head, "passed by", "wrong"], rows);
}

const laptopTable = (rushes: readonly LaptopRush[]): string =>
  table(
    ["people, seats", "through", "answers", "p50", "p99", "max", "answers a second", "transactions", "last mail after"],
    rushes.map((rush) => [
      sizeOf(rush),
      rush.through === "http" ? "HTTP" : "the function",
      answersOf(rush.answers),
      ...[rush.p50, rush.p99, rush.max].map((value) => number(Math.round(value))),
      number(Math.round(rush.answersASecond)),
      rush.transactionsPerAnswer.toFixed(1),
      rush.lastMailAfter === undefined ? "over 5 minutes" : number(Math.round(rush.lastMailAfter)),
    ]),
  );

/** The results as a part of the page. Pure. */
const rushSection = (report: RushReport): Section => ({
  title: "The rush",
  markdown: `Many people register for one event within a second. *Transactions* are those that were sent for each answer. Times are milliseconds.

**In AWS-like time**: the product's own admission, a simulated clock, 10 ms a call, 1,000 functions at once, conflicts and the limits of a
partition. The numbers are the same on every machine. "Each their own seat" is the rule with the crowd switched off (\`docs/decisions.md\`,
"Capacity"). *Jumps* are people who took a seat although they could know of a person ahead who could take it; *passed by* are
people who wait although a person who arrived later has a seat; *wrong* are answers that differ from the records.

${simulatedTable(report)}

![Slowest of a hundred answers in a rush](performance/rush.svg)

**On this machine**, in its own time, with conflicts and the limits of a partition; all people at the same moment.

${laptopTable(report.laptop)}`,
  charts: {
    rush: rushChart(
      report.simulated.map((rush, index) => ({
        name: sizeOf(rush),
        alone: report.withoutCrowds[index]?.p99,
        crowd: rush.p99,
      })),
    ),
  },
});

/** Runs the rushes of `tools/bench/rush.ts`. It takes minutes. */
export async function measureRush(): Promise<Section> {
  const script = fileURLToPath(new URL("rush.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script], { maxBuffer: 2 ** 24 });
  return rushSection(JSON.parse(stdout) as RushReport);
}
