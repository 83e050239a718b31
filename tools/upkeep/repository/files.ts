/** The files of this repository. Paths begin at its root. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

/** The files below a folder, without installed packages. */
export const filesIn = (folder: string, ending = /\.(?:ts|mjs)$/): string[] =>
  readdirSync(join(root, folder), { encoding: "utf8", recursive: true })
    .filter((path) => ending.test(path) && !path.includes("node_modules/"))
    .map((path) => join(folder, path))
    .sort();
