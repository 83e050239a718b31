/** The check-in page and the page of one registration, as `npm run build` writes them to `dist`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GatewayResponse } from "../http-api/response.ts";
import { reply } from "./layout.ts";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));

const types = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  wasm: "application/wasm",
} as const;

/** The folder in `dist` and the files of each page, by its path. */
const pages: Readonly<Record<string, { readonly folder: string; readonly files: readonly string[] }>> = {
  door: {
    folder: "door",
    files: ["index.html", "door.css", "page.js", "service-worker.js", "settings.json", "zxing_reader.wasm"],
  },
  registration: { folder: "link", files: ["index.html", "link.css", "page.js", "settings.json"] },
};

/** @param path `/door/page.js`; `/door/` is the page itself. @returns undefined when there is no such file */
export async function pageFile(path: string): Promise<GatewayResponse | undefined> {
  const [, name = "", file] = /^\/([^/]+)(?:\/([^/]*))?$/.exec(path) ?? [];
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page && file === undefined) return reply(302, "text/plain", "", { location: `/${name}/` });
  const served = file || "index.html";
  if (!page?.files.includes(served)) return undefined;
  const type = types[served.split(".").at(-1) as keyof typeof types];
  return reply(200, type, await readFile(join(dist, page.folder, served)));
}
