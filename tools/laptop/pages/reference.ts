/** The reference page: Swagger UI from its npm package. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Html, html } from "#kit/text/html.ts";
import type { SeededAccount } from "../service-kit/outputs.ts";
import { type KnownSeed, withUsableExamples } from "./usable-examples.ts";

/** A server as OpenAPI names it. */
export interface ReferenceServer {
  readonly url: string;
  readonly description: string;
}

/** What the page is made of. */
export interface LaptopReference {
  /** An account for each button that signs in. */
  readonly accounts: readonly SeededAccount[];
  /** Events to try requests with. */
  readonly events: readonly { readonly id: string; readonly year: number }[];
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const require = createRequire(import.meta.url);
const swaggerUi = dirname(require.resolve("swagger-ui-dist/package.json"));

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Files that the page loads, with the license of the package: type and place of each. */
const files: Readonly<Record<string, { readonly type: string; readonly file: string }>> = {
  "swagger-ui.css": { type: "text/css; charset=utf-8", file: join(swaggerUi, "swagger-ui.css") },
  "swagger-ui-bundle.js": { type: "text/javascript; charset=utf-8", file: join(swaggerUi, "swagger-ui-bundle.js") },
  "swagger-ui-LICENSE.txt": { type: "text/plain; charset=utf-8", file: join(swaggerUi, "LICENSE") },
  "swagger-ui-NOTICE.txt": { type: "text/plain; charset=utf-8", file: join(swaggerUi, "NOTICE") },
  "reference.js": { type: "text/javascript; charset=utf-8", file: fromHere("./browser/reference.mjs") },
  "reference.css": { type: "text/css; charset=utf-8", file: fromHere("./browser/reference.css") },
};

/** @returns undefined for a name that is not one of them */
export async function referenceFile(name: string): Promise<{ type: string; body: Buffer } | undefined> {
  const found = Object.hasOwn(files, name) ? files[name] : undefined;
  return found && { type: found.type, body: await readFile(found.file) };
}

/** The document of the API, to try out requests on this server. @param seed absent: unknown */
export async function referenceDocument(server: ReferenceServer, seed: KnownSeed | undefined): Promise<string> {
  const text = await readFile(join(root, "docs/openapi.json"), "utf8");
  return JSON.stringify({ ...withUsableExamples(JSON.parse(text) as object, seed), servers: [server] });
}

/** The policy of the page. Swagger UI needs small pictures from `data:` addresses, and no style or script in the page. */
export const referencePolicy =
  "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const signInBar = ({ accounts, events }: LaptopReference): Html => html`<div class="bar">
<p><strong>Only on the laptop.</strong> <a href="/">Start page</a></p>
<p class="sign-in">Sign in as ${accounts.map(
  ({ email, role }) =>
    html`<button type="button" data-sign-in="${email}" aria-pressed="false" title="${email}">${role}</button> `,
)}<button type="button" data-sign-in="" aria-pressed="true">nobody</button></p>
<p id="signed-in" role="status">Requests are sent without a token.</p>
${
  events.length === 0
    ? ""
    : html`<p><small>Events to try: ${events.map(({ id, year }) => `${id} ${year}`).join(", ")}. A member or user
registers their own email.</small></p>`
}
</div>
`;

/** The page. Its files are in `/docs/`. */
export function referencePage(laptop: LaptopReference): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Club events: reference of the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script type="module" src="/docs/reference.js"></script>
</head>
<body>
${signInBar(laptop)}
<div id="reference"></div>
</body>
</html>
`;
}
