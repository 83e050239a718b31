#!/usr/bin/env tsx
/**
 * `npm run openapi`: writes the reference of the API to `docs/openapi.json`. A test compares the file with the routes.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../lib/openapi/document.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const document = openApiDocument();
await writeFile(`${root}docs/openapi.json`, `${JSON.stringify(document, undefined, 2)}\n`);
