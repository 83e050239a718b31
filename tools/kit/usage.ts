/** How a command is called, and what it does: the comment at the top of its file in `bin`. It is not imported for that. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const bin = join(import.meta.dirname, "../../bin");

/** The lines of the first comment. Those that begin with `npm`, or continue one, say how it is called. */
function commentOf(script: string): { readonly calls: readonly string[]; readonly says: readonly string[] } {
  const text = readFileSync(join(bin, `${script.replace(" ", "/")}.ts`), "utf8");
  const [, comment = ""] = /\/\*\*(.*?)\*\//s.exec(text) ?? [];
  const lines = comment.trim().split("\n");
  const all = lines.map((line) => line.replace(/^ *\* /, "").trimEnd());
  const end = all.findIndex((line) => !/^(?:npm | )/.test(line));
  const calls = all.slice(0, end < 0 ? all.length : end).join("\n");
  return { calls: calls.replaceAll(/\n +/g, " ").split("\n"), says: end < 0 ? [] : all.slice(end) };
}

/** @param script the name of its file: `smoke`, `once import` */
export const usageOf = (script: string): string => `Usage: ${commentOf(script).calls.join("\n       ")}`;

/** What `--help` prints. */
export const helpOf = (script: string): string => [usageOf(script), ...commentOf(script).says].join("\n");
