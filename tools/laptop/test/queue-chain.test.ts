/** A commit to the table reaches the consumer behind the bus, even when the process is killed. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type ChainOptions, deliveredFile, startChain } from "./queue-chain.ts";

// Starts processes, which takes its time on a busy machine.

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function givenChain(directory: string, options: ChainOptions = {}) {
  const chain = await startChain(directory, options);
  open.push(chain.close);
  return chain;
}

const writer = fileURLToPath(new URL("queue-chain-writer.ts", import.meta.url));

/** Runs the writer from a number on until it kills itself, after so many commits at the latest. @returns the commits */
function killedAfter(directory: string, first: number, count: number, keeps = true): Promise<number[]> {
  const child = spawn(process.execPath, ["--import", "tsx", writer, directory, `${first}`, `${count}`, `${keeps}`], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  open.push(() => child.kill("SIGKILL"));
  const committed: number[] = [];
  let complaint = "";
  child.stderr.on("data", (text) => {
    complaint += text;
  });
  createInterface(child.stdout).on("line", (line) => committed.push(Number(line)));
  return new Promise((resolve, reject) => {
    child.on("close", (_code, signal) =>
      signal === "SIGKILL" ? resolve(committed) : reject(new Error(`The writer ended by itself: ${complaint}`)),
    );
  });
}

const delivered = async (directory: string): Promise<number[]> => {
  const text = await readFile(deliveredFile(directory), "utf8").catch(() => "");
  return text.split("\n").slice(0, -1).map(Number);
};

test("without a kill every commit is delivered once, and all parts are settled together", async () => {
  const directory = await givenFolder(open);
  const chain = await givenChain(directory);
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  await Promise.all(numbers.map((number) => chain.commit(number)));
  await chain.settled();
  expect((await delivered(directory)).sort((a, b) => a - b)).toEqual(numbers);
});

/** Commits that the consumer has not seen. */
async function missing(directory: string, committed: readonly number[]): Promise<number[]> {
  const seen = new Set(await delivered(directory));
  return committed.filter((number) => !seen.has(number));
}

test("every commit is delivered although the process is killed again and again", async () => {
  const directory = await givenFolder(open);
  const committed: number[] = [];
  for (const count of [40, 15, 70]) committed.push(...(await killedAfter(directory, committed.length, count)));
  // The kills came in the middle of the work, or this test shows nothing.
  expect(await missing(directory, committed)).not.toEqual([]);
  const chain = await givenChain(directory);
  await chain.settled();
  expect(await missing(directory, committed)).toEqual([]);
});

test("control: with a bus and a queue without files, a kill loses some commits", async () => {
  const directory = await givenFolder(open);
  const committed = await killedAfter(directory, 0, 10_000, false);
  const chain = await givenChain(directory, { keeps: false });
  await chain.settled();
  expect(await missing(directory, committed)).not.toEqual([]);
});
