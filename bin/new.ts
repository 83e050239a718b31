/**
 * npm run new -- capability <name> | route <capability> <name> | consumer <name> | setting <name> | field <name>
 * Writes the places that a new one has (docs/developing.md), and lists the sentences that are missing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { textOf } from "../tools/upkeep/repository/files.ts";
import { additions, CannotAdd, unwritten } from "../tools/upkeep/repository/new.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
try {
  const paths = [...additions(process.argv.slice(2), (path) => (existsSync(path) ? textOf(path) : undefined))].map(
    ([path, text]) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
  );
  const sources = paths.filter((path) => path.endsWith(".ts"));
  process.exitCode = spawnSync("npx", ["biome", "check", "--write", ...sources], { stdio: "inherit" }).status ?? 1;
  console.log([...paths, "", ...unwritten(paths.map((path) => [path, textOf(path)]))].join("\n"));
} catch (problem) {
  if (!(problem instanceof CannotAdd)) throw problem;
  console.error(problem.message);
  process.exitCode = 2;
}
