/** Serves the pages that stand for the club's web application. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { WebAppSettings } from "./web-app.ts";

/** One page for all paths: the script looks at the address. */
const page = (settings: WebAppSettings) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Club</title>
<style>
body { margin: 0 auto; max-width: 50rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header { border-bottom: 1px solid #999; }
h1 { font-size: 1.5rem; line-height: 1.2; }
form { margin: 1.5rem 0; }
label { display: block; margin-bottom: .75rem; }
input { display: block; box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; }
button { padding: .5rem 1rem; font: inherit; }
[role=alert] { color: #a00; }
</style>
<script type="application/json" id="settings">${JSON.stringify(settings)}</script>
<script type="module" src="/app.js"></script>
`;

/** @returns the script of the application, for browsers */
export async function webAppScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("./web-app-pages.mjs", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    minify: true,
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * Serves the application on an origin of its own. The caller must close it.
 * @param settings of the stage, which may start after the server
 */
export async function serveWebApp(
  script: string,
  settings: () => WebAppSettings,
): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer(({ url }, response) => {
    // A kept script is compiled once, and not at each page.
    const headers = { "content-type": "text/javascript", "cache-control": "max-age=3600" };
    if (url === "/app.js") response.writeHead(200, headers).end(script);
    else response.setHeader("content-type", "text/html").end(page(settings()));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
