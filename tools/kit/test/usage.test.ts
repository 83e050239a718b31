/** Every command says with `--help` how it is called, and does nothing else. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { commands, ops } from "../../ops/command.ts";

const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: Record<string, string> };
const namesIn = async (folder: string) => (await readdir(folder)).map((file) => file.replace(/\.ts$/, ""));
const of = async (script: string): Promise<[string, string][]> =>
  (await namesIn(`bin/${script}`)).map((name) => [`${script} ${name}`, `${scripts[script]} ${name}`]);
const all = [...Object.entries(scripts), ...(await of("once")), ...(await of("upkeep"))];

/** A folder with Node alone: no npm, npx or git can be started from there. */
let onlyNode: string;
beforeAll(async () => {
  onlyNode = await mkdtemp(join(tmpdir(), "usage-"));
  await symlink(process.execPath, join(onlyNode, "node"));
});
afterAll(() => rm(onlyNode, { recursive: true }));

test.each(all)("%s", async (_name, words) => {
  const env = { PATH: [onlyNode, resolve("node_modules/.bin")].join(":"), HOME: onlyNode };
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", `${words} --help`], { env });
  expect(stdout).toMatch(/^(?:Usage: |npm start -- \[flags\])/);
  // A file without a comment, or one that does not begin with its call.
  expect(stdout).not.toMatch(/^Usage: *$/m);
});

test.each(Object.keys(commands))("ops %s", async (name) => {
  const printed: string[] = [];
  const terminal = { print: (line: string) => void printed.push(line), note: () => {}, ask: async () => "" };
  expect(await ops([name, "--help"], terminal as never)).toBe(0);
  expect(printed[0]).toMatch(new RegExp(`^Usage: npm run ops -- ${name}\\b`));
});
