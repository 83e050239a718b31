/** The part of the page about the rush. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { number, type Section, table } from "./page.ts";
import type { SimulatedRush } from "./simulation/rush.ts";

const rowOf = (rush: SimulatedRush): readonly string[] => [
  `${number(rush.people)} for ${number(rush.seats)}`,
  ...[rush.p50, rush.p99].map((value) => number(Math.round(value))),
  rush.seatsGivenAfter === undefined ? "never" : number(Math.round(rush.seatsGivenAfter)),
  rush.transactionsPerAnswer.toFixed(1),
  number(rush.passedBy),
  number(rush.jumps + rush.wrong.length),
];

/** The results as a part of the page. Pure. */
const rushSection = (rushes: readonly SimulatedRush[]): Section => ({
  title: "Rushes",
  markdown: `Many people register for one event within a second, in simulated time: 10 ms a call, 1,000 functions, conflicts and partition limits. Times
are milliseconds. *Transactions* are those sent for each answer. *Passed by* are people who wait although a later arrival has a seat.
*Wrong* are answers that differ from the records, and people who took a seat although they could know of somebody ahead.

${table(["people, seats", "p50", "p99", "all seats given", "transactions", "passed by", "wrong"], rushes.map(rowOf))}`,
});

/** Runs `tools/upkeep/bench/rush.ts`. It takes minutes. */
export async function measureRush(): Promise<Section> {
  const script = fileURLToPath(new URL("rush.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script], { maxBuffer: 2 ** 24 });
  return rushSection(JSON.parse(stdout) as SimulatedRush[]);
}
