#!/usr/bin/env tsx
/**
 * `npm run openapi`: writes the reference of the API to `docs/openapi.json`. A test compares the file with the routes.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../tools/reference/document.ts";
import { NoExample } from "../tools/reference/examples.ts";

const file = "docs/openapi.json";

try {
  const document = openApiDocument();
  await writeFile(fileURLToPath(new URL(`../${file}`, import.meta.url)), `${JSON.stringify(document, undefined, 2)}\n`);
  console.log(`wrote ${file}`);
} catch (problem) {
  if (!(problem instanceof NoExample)) throw problem;
  console.error(problem.message);
  process.exitCode = 1;
}
