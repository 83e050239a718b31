#!/usr/bin/env tsx
/** `npm run openapi`: writes the reference of the API to `docs/openapi.json`. A test compares the file with the routes. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../lib/openapi/document.ts";

const file = fileURLToPath(new URL("../docs/openapi.json", import.meta.url));
await writeFile(file, `${JSON.stringify(openApiDocument(), undefined, 2)}\n`);
