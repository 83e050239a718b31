#!/usr/bin/env tsx
/**
 * `npm run openapi`: writes the reference of the API to `docs/openapi.json`, and what the typed client has of it without
 * its types. A test compares the files with the routes.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../lib/openapi/document.ts";
import { keyedOperationsFile } from "../lib/openapi/keyed-operations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const document = openApiDocument();
await writeFile(`${root}docs/openapi.json`, `${JSON.stringify(document, undefined, 2)}\n`);
await writeFile(`${root}lib/client/keyed-operations.ts`, keyedOperationsFile(document));
