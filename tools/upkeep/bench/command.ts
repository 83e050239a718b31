/** `npm run upkeep -- bench`: measures stages of up to 10,000 registrations, and checks the budgets. */
import { builtSources } from "../../laptop/template/made-before.ts";
import { buildFunctions } from "../../laptop/template/synthesis.ts";
import { budgets } from "./budgets.ts";
import { billOf, type Line, tableBillOf, totalOf } from "./cost.ts";
import type { Dataset } from "./dataset.ts";
import { brokenBudgets, looseBudgets, smallestOf } from "./judge.ts";
import { type Measured, measure } from "./measure.ts";
import { startBenchStage } from "./stage.ts";

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

/** The bill of a thousand registrations, and what the table costs for a million. */
async function costsOf(measured: readonly Measured[]): Promise<string[]> {
  const { registration } = smallestOf(measured);
  if (!registration) throw new Error("No registration was measured.");
  const { stage, close } = await startBenchStage();
  try {
    const memoryOf = (name: string) => Number(stage.environmentOf(name).AWS_LAMBDA_FUNCTION_MEMORY_SIZE);
    const bill = billOf(registration, 1_000, memoryOf);
    const dollars = (usd: number, what: string) => `${usd.toFixed(4).padStart(8)} USD  ${what}`;
    return [
      ...bill.map(({ what, count, usd }: Line) => dollars(usd, `${what} (${number(count)})`)),
      dollars(totalOf(bill), "a thousand registrations with a free seat, with mail and chat"),
      dollars(tableBillOf(registration, 1_000_000), "the table for a million registrations"),
    ];
  } finally {
    await close();
  }
}

/** @returns 0, 1 when a budget is exceeded */
export async function bench(print: (line: string) => void): Promise<0 | 1> {
  if ((await builtSources()) === undefined) {
    print("building the functions …");
    await buildFunctions();
  }
  const measured: Measured[] = [];
  for (const dataset of datasets) measured.push(await measure(dataset, print));
  for (const row of rowsOf(measured.at(-2) as Measured)) print(row);
  for (const line of await costsOf(measured)) print(line);
  const broken = brokenBudgets(measured, budgets);
  for (const sentence of looseBudgets(measured, budgets)) print(`could be lower: ${sentence}`);
  for (const sentence of broken) print(`exceeded: ${sentence}`);
  print(broken.length === 0 ? "All budgets hold." : `${broken.length} budgets are exceeded.`);
  return broken.length === 0 ? 0 : 1;
}
