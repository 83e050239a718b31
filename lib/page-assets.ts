/** What `npm run build` has made of `client/pages` and `client/desk`. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PageAssets } from "#api/pages/document.ts";

export type { PageAssets } from "#api/pages/document.ts";

/** A file or folder in `dist`. @throws Error it was not built */
export function built(name: string): string {
  const path = fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
  if (!existsSync(path)) throw new Error(`dist/${name} is missing: run "npm run build" first.`);
  return path;
}

/** Of each application. */
export const pageAssets = (): Readonly<Record<"pages" | "desk", PageAssets>> =>
  JSON.parse(readFileSync(built("pages/manifest.json"), "utf8"));
