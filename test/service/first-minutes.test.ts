/**
 * What a newcomer meets first: mistakes, each a sentence. The end of `npm start` is in
 * `test/deep/stopping.test.ts`, `npm start -- --watch` in `test/deep/watching.test.ts`.
 */

import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { givenCopy, givenTerminal, root } from "./newcomers-project.ts";
import { firstOf } from "./quick-run.ts";

/** Sentences of npm itself, which depend on its version and on the settings of the machine, and the one about another Node. */
const withoutNpm = (said: string) =>
  said.replaceAll(/^(?:npm (?:warn|error|notice) .*|> .*|This is Node .*|)\n/gm, "").trim();

const { engines, dependencies, devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
/** The second major version of `engines`. */
const [, other] = engines.node.match(/\d+/g);

const terminal = givenTerminal();
const { run } = terminal;

describe("before the start", () => {
  const nodeNamed = (node: string) =>
    run([
      process.execPath,
      "--import",
      `data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } })`,
      "bin/start.mjs",
      "once",
    ]).ended();

  test("an old Node is told so", async () => {
    expect(await nodeNamed("18.20.8")).toEqual({
      status: 1,
      said: `This is Node 18.20.8, and Node ${other} or later is needed. Install Node 24: https://nodejs.org`,
    });
  });

  test("the other Node of `engines` goes on; one line a day names the better one", async () => {
    const node = `${other}.20.2`;
    const told = `This is Node ${node}, which gets no security updates; the tests run on it, too. Install Node 24: https://nodejs.org`;
    // Another command of this project would have noted it.
    terminal.folder = await givenCopy("lib", "lambda", "client", "tools");
    const [first, second] = [await nodeNamed(node), await nodeNamed(node)];
    expect(second.said).toMatch(/^Usage: npm run once -- <[^\n]*$/);
    expect(first.said).toBe(`${told}\n${second.said}`);
  });

  const newFolder = () => givenCopy("node_modules", "lib", "lambda", "client", "tools");

  test.each(firstOf(1, ["start", "test", "build", "smoke", "preflight", "token", "upkeep", "once"]))(
    "npm run %s without packages says: npm ci",
    async (script) => {
      terminal.folder = await newFolder();
      const { status, said } = await run(["npm", "run", "-s", script]).ended();
      expect({ status, said: withoutNpm(`${said}\n`) }).toEqual({
        status: 1,
        said: "The packages are not installed. Run: npm ci",
      });
    },
  );

  test("a missing package and one of another version are named", async () => {
    terminal.folder = await newFolder();
    const start = () => run([process.execPath, "bin/start.mjs", "token"]).ended();
    const packages: [string, string][] = Object.entries({ ...dependencies, ...devDependencies });
    for (const [name, version] of packages) {
      await mkdir(join(terminal.folder, "node_modules", name), { recursive: true });
      await writeFile(join(terminal.folder, "node_modules", name, "package.json"), JSON.stringify({ version }));
    }
    const file = join(terminal.folder, "node_modules/p-map/package.json");
    await writeFile(file, '{ "version": "0.0.1" }');
    const wanted = `The package p-map is 0.0.1 and must be ${dependencies["p-map"]}. Run: npm ci`;
    expect(await start()).toEqual({ status: 1, said: wanted });
    await rm(file);
    expect(await start()).toEqual({ status: 1, said: "The package p-map is not installed. Run: npm ci" });
  });

  test("a port in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const ended = await run([process.execPath, "bin/start.mjs", "local"], { PORT: `${port}` }).ended();
    other.close();
    expect(ended).toEqual({
      status: 1,
      said: `Port ${port} is in use. Stop what listens there, or choose others: PORT=5000 npm start`,
    });
  });

  // All sentences about flags are in `tools/laptop/test/flags.test.ts`; this one depends on npm.
  test("a forgotten --", async () => {
    const { status, said } = await run(["npm", "start", "--reset"]).ended();
    expect({ status, said: withoutNpm(`${said}\n`) }).toEqual({
      status: 1,
      said: "npm kept --reset for itself, because -- is missing before it. Write: npm start -- --reset",
    });
  });
});
