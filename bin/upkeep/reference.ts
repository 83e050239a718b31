#!/usr/bin/env tsx
/**
 * npm run upkeep -- reference <folder> [--server https://…]
 * Writes the reference page of the API as static files, for any web server.
 * `--server` is the URL of a deployed API.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  referenceDocument,
  referenceFile,
  referenceFiles,
  referencePage,
  referencePolicy,
} from "../../tools/laptop/pages/reference.ts";

/** A wrong argument. The message is printed without a stack trace. */
class UsageError extends Error {}

const usage = "usage: npm run upkeep -- reference <folder> [--server https://…]";

try {
  const { folder, server } = readArguments();
  await mkdir(folder, { recursive: true });
  const policy = referencePolicy(server === undefined ? [] : [new URL(server).origin]);
  const document = await referenceDocument(server === undefined ? undefined : { url: server, description: "The API" });
  await writeFile(join(folder, "index.html"), referencePage("./", { policy }).source);
  await writeFile(join(folder, "openapi.json"), document);
  for (const name of referenceFiles) {
    const file = await referenceFile(name);
    if (file) await writeFile(join(folder, name), file.body);
  }
  console.log(
    `${join(folder, "index.html")} and its files are written. Serve them by a web server: browsers do not load them from disk.`,
  );
} catch (problem) {
  if (!(problem instanceof UsageError)) throw problem;
  console.error(problem.message);
  process.exitCode = 1;
}

/** @throws UsageError */
function readArguments(): { folder: string; server: string | undefined } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { server: { type: "string" } } });
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) throw new Error("expected one folder");
    const server = values.server?.replace(/\/+$/, "");
    if (server !== undefined && !/^https?:$/.test(new URL(server).protocol))
      throw new Error("--server is not an HTTP URL");
    return { folder, server };
  } catch (problem) {
    throw new UsageError(`${(problem as Error).message}\n${usage}`);
  }
}
