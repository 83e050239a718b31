/** The check-in page, as `npm run build` writes it to `dist/door`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GatewayResponse } from "../http-api/response.ts";
import { reply } from "./layout.ts";

const folder = fileURLToPath(new URL("../../../dist/door", import.meta.url));

/** The type of each file, by its name. */
const types: Readonly<Record<string, string>> = {
  "index.html": "text/html; charset=utf-8",
  "door.css": "text/css; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "service-worker.js": "text/javascript; charset=utf-8",
  "settings.json": "application/json",
  "zxing_reader.wasm": "application/wasm",
};

/** @param name of a file; empty: the page. @returns undefined when there is no such file */
export async function doorFile(name: string): Promise<GatewayResponse | undefined> {
  const file = name || "index.html";
  if (!Object.hasOwn(types, file)) return undefined;
  return reply(200, types[file] as string, await readFile(join(folder, file)));
}
