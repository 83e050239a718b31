/** Prints what was run on the stage, and what was skipped because of what. */
import { existsSync, readFileSync, rmSync } from "node:fs";

const counted = (lines, key) => {
  const counts = new Map();
  for (const line of lines) counts.set(key(line), (counts.get(key(line)) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
};

export default class StageReporter {
  onRunComplete() {
    const file = process.env.STAGE_REPORT;
    if (!existsSync(file)) return;
    const lines = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    rmSync(file);
    const suites = [...new Set(lines.map(({ suite }) => suite))].sort();
    console.log(`\nOn the stage ${process.env.DEPLOYED_STAGE}:`);
    for (const suite of suites) {
      const own = lines.filter((line) => line.suite === suite);
      const outcomes = counted(own, ({ outcome }) => outcome).map(([outcome, count]) => `${count} ${outcome}`);
      console.log(`  ${suite.padEnd(24)} ${outcomes.join(", ")}`);
    }
    const skipped = lines.filter(({ outcome }) => outcome === "skipped");
    if (skipped.length > 0) console.log("\nSKIPPED, because");
    for (const [reason, count] of counted(skipped, (line) => line.reason)) {
      const where = counted(
        skipped.filter((line) => line.reason === reason),
        ({ suite }) => suite,
      );
      console.log(`  ${reason}: ${count}`);
      console.log(`    ${where.map(([suite, times]) => `${suite} ${times}`).join(", ")}`);
      if (process.env.SKIPPED === "all") {
        for (const { suite, test } of skipped.filter((line) => line.reason === reason))
          console.log(`      ${suite}: ${test}`);
      }
    }
    const [passed, failed] = ["passed", "failed"].map(
      (which) => lines.filter(({ outcome }) => outcome === which).length,
    );
    console.log(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped, in ${suites.length} suites.\n`);
  }
}
