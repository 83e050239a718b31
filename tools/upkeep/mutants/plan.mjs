/** What the command and jest's process tell each other: the plan, and what became of each mutant in each test file. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.MUTANTS ?? "";

/** The mutants, the sources that hold them all, and the files to load once for each mutant that is active while they load. */
export const readPlan = () => JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"));

/** Notes a fact. All facts of a run stand in one file, so that a new process goes on where another one was stopped. */
export const note = (fact) => appendFileSync(join(folder, "facts.jsonl"), `${JSON.stringify(fact)}\n`);

export function readFacts() {
  const file = join(folder, "facts.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
