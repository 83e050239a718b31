/** The part of the page about the rush. The rushes run in a separate process, because each needs its own clock. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rushChart } from "./charts.ts";
import { number, type Section, table } from "./page.ts";
import type { RushReport } from "./rush.ts";

const sizeOf = ({ people, seats }: { readonly people: number; readonly seats: number }): string =>
  `${number(people)} for ${number(seats)}`;

const simulatedTable = ({ simulated }: RushReport): string =>
  table(
    ["people, seats", "p50", "p99", "all seats given", "transactions", "passed by", "wrong"],
    simulated.map((rush) => [
      sizeOf(rush),
      ...[rush.p50, rush.p99].map((value) => number(Math.round(value))),
      rush.seatsGivenAfter === undefined ? "never" : number(Math.round(rush.seatsGivenAfter)),
      rush.transactionsPerAnswer.toFixed(1),
      number(rush.passedBy),
      number(rush.jumps + rush.wrong.length),
    ]),
  );

/** The largest rush on this machine. */
function laptopText({ laptop }: RushReport): string {
  const rush = laptop.at(-1);
  if (!rush) return "No rush was measured on this machine.";
  const lastMail = rush.lastMailAfter === undefined ? "over 5 minutes" : `${number(Math.round(rush.lastMailAfter))} ms`;
  return `On this machine, ${sizeOf(rush)} at the same moment get ${number(Math.round(rush.answersASecond))} answers a second; p99 is
${number(Math.round(rush.p99))} ms, and the last mail is sent after ${lastMail}.`;
}

/** The results as a part of the page. Pure. */
const rushSection = (report: RushReport): Section => ({
  title: "Rushes",
  markdown: `Many people register for one event within a second, in simulated time: 10 ms a call, 1,000 functions, conflicts and partition limits. Times
are milliseconds. *Transactions* are those sent for each answer. *Passed by* are people who wait although a later arrival has a seat.
*Wrong* are answers that differ from the records, and people who took a seat although they could know of somebody ahead.

${simulatedTable(report)}

![Slowest of a hundred answers in a rush](performance/rush.svg)

${laptopText(report)}`,
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
