/** Measures size, import time and memory of each bundle, and the start of the local stage. */
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type BundleSize, readBundleSizes } from "../../build/bundle-sizes.ts";
import type { LocalFunctions } from "../../laptop/functions/index.ts";
import { quantile } from "./measure.ts";

const megabyte = 1_000_000;

/** The start of one function. */
export interface Bundle {
  /** Its name in `lib/entries.ts`, or what it is compared with. */
  readonly name: string;
  /** Absent for the empty module. */
  readonly size?: BundleSize;
  /** Median of the time of `import()` in a new process. */
  readonly milliseconds: number;
  /** Resident memory of that process. */
  readonly megabytes: number;
}

/** A warm start of `npm start`: bundles and template exist. */
export interface Start {
  /** Until the API answers. */
  readonly seconds: number;
  /** Resident memory of its process. */
  readonly megabytes: number;
}

const run = promisify(execFile);

/** With the function's own variables, as on the laptop: an import calls no service. */
async function importOnce(file: string, environment: Readonly<Record<string, string | undefined>>) {
  const code = `const from = performance.now(); await import(${JSON.stringify(file)});
    process.stdout.write(JSON.stringify([performance.now() - from, process.memoryUsage.rss()])); process.exit();`;
  const env = { ...environment, PATH: process.env.PATH };
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { env });
  return JSON.parse(stdout) as [milliseconds: number, bytes: number];
}

/** The baseline: Node itself. */
const nothing = { name: "an empty module", file: "data:text/javascript,export {};", environment: {} };

/**
 * The starts of all functions and of an empty module.
 * @param rounds imports of each bundle; interleaved, so that a busy machine slows all bundles alike
 */
export async function measureBundles(functions: LocalFunctions, rounds: number): Promise<Bundle[]> {
  const bundles = functions.ids.map((id) => ({
    name: basename(functions.folderOf(id)),
    file: pathToFileURL(join(functions.folderOf(id), "index.mjs")).href,
    environment: functions.environmentOf(id),
  }));
  const starts = [...bundles, nothing].map((start) => ({ ...start, results: [] as [number, number][] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { file, environment, results } of starts) results.push(await importOnce(file, environment));
  }
  const sizes: Readonly<Record<string, BundleSize>> = await readBundleSizes();
  const medianOf = (results: readonly [number, number][], of: 0 | 1): number =>
    quantile(
      results.map((result) => result[of]),
      0.5,
    );
  return starts.map(({ name, results }) => ({
    name,
    ...(sizes[name] && { size: sizes[name] }),
    milliseconds: medianOf(results, 0),
    megabytes: medianOf(results, 1) / megabyte,
  }));
}

/** @returns a port, most probably with nine free ones after it */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return Math.min(port, 65_000);
}

const start = fileURLToPath(new URL("../../../bin/start.mjs", import.meta.url));

/**
 * Starts the stage as `npm start -- --memory` does, twice: the first start may have to build.
 * @throws Error with the output when it does not start, for example because another stage runs in this folder
 */
export async function measureStart(): Promise<Start> {
  await startOnce();
  return startOnce();
}

async function startOnce(): Promise<Start> {
  const begun = performance.now();
  const child = spawn(process.execPath, [start, "local", "--memory"], {
    env: { ...process.env, PORT: `${await freePort()}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  try {
    const printed: string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text: string) => void printed.push(text));
    let api = "";
    for await (const line of createInterface(child.stdout)) {
      printed.push(line);
      api ||= /^API +(\S+)/.exec(line)?.[1] ?? "";
      if (line === "ready") break;
    }
    if (api === "") throw new Error(`The stage did not start:\n${printed.join("\n")}`);
    await fetch(`${api}/events/getActiveEvent`);
    const seconds = (performance.now() - begun) / 1_000;
    const { stdout } = await run("ps", ["-o", "rss=", "-p", `${child.pid}`]);
    return { seconds, megabytes: (Number(stdout) * 1_024) / megabyte };
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}
