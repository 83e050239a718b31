/** The end of `npm start`: however it ends, no port and no process is left. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { localAssembly } from "../../tools/laptop/template/made-before.ts";
import { patience } from "../patience.ts";
import { type Command, freePort, givenCopy, givenTerminal, isFree, root } from "../service/newcomers-project.ts";

const terminal = givenTerminal();
const { run } = terminal;

/** A project that are already built, with a started stage. */
async function givenStarted(): Promise<{ npm: Command; port: number; processes: () => Promise<string[]> }> {
  terminal.folder = await givenCopy();
  const assembly = await localAssembly({});
  await writeFile(join(terminal.folder, "bin/build.ts"), "");
  // The template names the bundles of this project; the copy has its pages only.
  await mkdir(join(terminal.folder, "dist/functions"), { recursive: true });
  for (const part of ["pages", "door"])
    await cp(join(root, "dist", part), join(terminal.folder, "dist", part), { recursive: true });
  const copy = `import { cpSync } from "node:fs";
    cpSync(${JSON.stringify(assembly)}, process.env.CDK_OUTDIR as string, { recursive: true });`;
  await writeFile(join(terminal.folder, "bin/app.ts"), copy);
  const port = await freePort();
  const npm = run(["npm", "start", "--", "--memory", "--no-seed"], { PORT: `${port}` });
  await npm.until(/^ready$/m);
  expect(await isFree(port)).toBe(false);
  const processes = () => groupOf(npm.process.pid as number);
  expect(await processes()).not.toEqual([]);
  return { npm, port, processes };
}

/** The processes of a group, which are npm and all its children. */
async function groupOf(group: number): Promise<string[]> {
  const { said } = await run(["ps", "-e", "-o", "pgid=,stat=,args="], {}, root).ended();
  return said.split("\n").filter((line) => new RegExp(`^ *${group} +[^Z]`).test(line));
}

async function eventually<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    const is = await read();
    if (JSON.stringify(is) === JSON.stringify(wanted)) return;
    if (performance.now() > end) expect(is).toEqual(wanted);
  }
}

test.each([
  ["SIGTERM to npm, as from a supervisor", "SIGTERM", false],
  ["SIGKILL to npm", "SIGKILL", false],
  ["SIGINT to the whole group, as from Ctrl-C", "SIGINT", true],
  ["SIGHUP to the whole group, as when a terminal is closed", "SIGHUP", true],
] as const)("%s stops the stage: no port and no process is left", async (_name, signal, isWholeGroup) => {
  const { npm, port, processes } = await givenStarted();
  const pid = npm.process.pid as number;
  process.kill(isWholeGroup ? -pid : pid, signal);
  await eventually(processes, []);
  expect(await isFree(port)).toBe(true);
  expect(npm.said()).toContain("stopping …");
  expect(npm.said()).not.toContain("Error");
});

test("a stage keeps running without a signal", async () => {
  const { port, processes } = await givenStarted();
  // Longer than the stage takes to notice that npm is gone.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await processes()).not.toEqual([]);
  expect((await fetch(`http://127.0.0.1:${port}/events/getActiveEvent`)).status).toBeLessThan(500);
});

test("a signal during the build ends the build too", async () => {
  terminal.folder = await givenCopy();
  await writeFile(join(terminal.folder, "bin/build.ts"), "setInterval(() => undefined, 1_000);");
  const npm = run(["npm", "start"], { PORT: `${await freePort()}` });
  await npm.until("building");
  const pid = npm.process.pid as number;
  await eventually(async () => (await groupOf(pid)).some((line) => line.includes("start.mjs build")), true);
  process.kill(pid, "SIGTERM");
  await eventually(() => groupOf(pid), []);
});
