/** An operator of a stage: `npm run ops` with the file of its outputs. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ops } from "../../tools/ops/command.ts";
import { targetIn } from "../../tools/ops/target.ts";
import { givenSettings } from "../settings.ts";
import type { ServiceStage } from "./stage.ts";

/** The caller closes it. */
export async function operatorOf({ outputs }: Pick<ServiceStage, "outputs">) {
  const folder = await mkdtemp(join(tmpdir(), "operator-"));
  const file = join(folder, "outputs.json");
  await writeFile(file, JSON.stringify(outputs));
  givenSettings((await targetIn(file)).environment);
  return {
    folder,
    file,
    /** Runs a command. @returns its code, and what it has printed and noted */
    run: async (...words: readonly string[]) => {
      const [lines, notes]: [string[], string[]] = [[], []];
      const terminal = {
        print: (line: string) => void lines.push(line),
        note: (line: string) => void notes.push(line),
      };
      const code = await ops([...words, "--stage-outputs", file], terminal);
      return { code, lines, text: lines.join("\n"), notes: notes.join("\n") };
    },
    close: () => rm(folder, { recursive: true }),
  };
}
