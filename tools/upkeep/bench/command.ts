/** `npm run upkeep -- bench`: measures stages of up to 10,000 registrations, and checks the budgets. */
import { builtSources } from "../../laptop/template/made-before.ts";
import { buildFunctions } from "../../laptop/template/synthesis.ts";
import { budgets } from "./budgets.ts";
import type { Dataset } from "./dataset.ts";
import { brokenBudgets } from "./judge.ts";
import { type Measured, measure } from "./measure.ts";

/** The data sets, smallest first. */
const datasets: readonly Dataset[] = [
  { size: 100, share: "fifth" },
  { size: 1_000, share: "fifth" },
  { size: 10_000, share: "fifth" },
  { size: 10_000, share: "all" },
];

const number = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 1 });

/** What each request costs in a stage: the rows of `docs/performance.md`. */
const rowsOf = ({ figures }: Measured): string[] =>
  Object.entries(figures).map(([name, { asked, roundTrips, ...units }]) => {
    const cells = [asked, roundTrips, units.readUnits + units.asyncReadUnits, units.writeUnits + units.asyncWriteUnits];
    return `| \`${name}\` | ${cells.map(number).join(" | ")} |`;
  });

/** @returns 0, 1 when a budget is exceeded */
export async function bench(print: (line: string) => void): Promise<0 | 1> {
  if ((await builtSources()) === undefined) {
    print("building the functions …");
    await buildFunctions();
  }
  const measured: Measured[] = [];
  for (const dataset of datasets) measured.push(await measure(dataset, print));
  for (const row of rowsOf(measured.at(-2) as Measured)) print(row);
  const broken = brokenBudgets(measured, budgets);
  for (const sentence of broken) print(`exceeded: ${sentence}`);
  print(broken.length === 0 ? "All budgets hold." : `${broken.length} budgets are exceeded.`);
  return broken.length === 0 ? 0 : 1;
}
