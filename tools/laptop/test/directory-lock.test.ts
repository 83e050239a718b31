import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { DirectoryInUse, lockDirectory } from "../directory-lock.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lock-"));
});
afterEach(() => rm(directory, { recursive: true }));

test("a killed owner leaves the directory free", async () => {
  const module = JSON.stringify(new URL("../directory-lock.ts", import.meta.url).href);
  const script = `const { lockDirectory } = await import(${module});
    await lockDirectory(${JSON.stringify(directory)}); console.log("locked"); setInterval(() => {}, 1000);`;
  const { NODE_OPTIONS: _jest, ...env } = process.env;
  const owner = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], { env });
  await once(owner.stdout, "data");
  await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUse);
  owner.kill("SIGKILL");
  await once(owner, "exit");

  const release = await lockDirectory(directory);
  await release();
});
