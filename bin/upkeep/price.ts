/**
 * npm run upkeep -- price [<staging|production>]
 * What a stage costs in a month in which no request comes, made of its template;
 * production when none is named.
 */
import { execFileSync } from "node:child_process";
import { usageOf } from "../../tools/kit/usage.ts";
import { type Line, totalOf } from "../../tools/upkeep/bench/cost.ts";
import { idleBillOf } from "../../tools/upkeep/bench/idle.ts";
import { stageTemplate } from "../../tools/upkeep/bench/stage-template.ts";

const [stage = "production"] = process.argv.slice(2);
if (stage !== "production" && stage !== "staging") {
  console.error(usageOf("upkeep price"));
  process.exitCode = 2;
} else {
  execFileSync(process.execPath, ["bin/start.mjs", "build"]);
  const template = stageTemplate(stage);
  const lines = idleBillOf(template);
  const print = ({ what, count, usd }: Line): void =>
    console.log(`${usd.toFixed(2).padStart(6)} USD  ${what} (${Number(count.toPrecision(3)).toLocaleString("en")})`);
  lines.forEach(print);
  console.log(`${totalOf(lines).toFixed(2).padStart(6)} USD  a month of ${stage} without a request or stored data`);
}
