/** `npm run upkeep -- bench`: prints the rows of `docs/performance.md`. */
import { builtSources } from "../../laptop/template/made-before.ts";
import { buildFunctions } from "../../laptop/template/synthesis.ts";
import { columnsOf, measureBoth } from "./measure.ts";
import { startBenchStage } from "./stage.ts";

export async function bench(print: (line: string) => void): Promise<void> {
  if ((await builtSources()) === undefined) {
    print("building the functions …");
    await buildFunctions();
  }
  const stage = await startBenchStage();
  try {
    const { many } = await measureBoth(stage);
    for (const [name, figures] of Object.entries(many)) {
      print(
        `| \`${name}\` | ${columnsOf(figures)
          .map((value) => value.toLocaleString("en"))
          .join(" | ")} |`,
      );
    }
  } finally {
    await stage.close();
  }
}
