/** The hosted pages, as CloudFront serves them in AWS: by the declaration in `lib/page-behaviours.ts`, from `dist`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { documentOf, type PageSettings } from "#api/pages/document.ts";
import type { pageAssets } from "../../../lib/page-assets.ts";
import {
  type Behaviour,
  behaviours,
  cacheControl,
  contentPolicy,
  documents,
  folderSettings,
  folders,
  type Neighbours,
  viewerRequest,
  worker,
} from "../../../lib/page-behaviours.ts";
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

/** What the template says of the pages, and where the laptop's own services are. */
export interface HostedPages {
  readonly settings: PageSettings;
  readonly assets: ReturnType<typeof pageAssets>;
  readonly neighbours: Neighbours;
}

/** What the edge makes of a request: another path at the origin, or an answer of its own. */
interface Edge {
  readonly uri?: string;
  readonly headers?: { readonly location: { readonly value: string } };
}

const edgeFunction = runInNewContext(`${viewerRequest}; handler`) as (event: object) => Edge;
const edgeOf = (uri: string): Edge => edgeFunction({ request: { uri } });

const behaviourOf = (path: string): Behaviour =>
  behaviours.find(({ pattern }) => path.startsWith(pattern.slice(0, -1))) as Behaviour;

/** The headers that CloudFront adds, but those about TLS. */
const headersOf = (policy: Behaviour["policy"], neighbours: Neighbours) => ({
  "content-security-policy": contentPolicy(policy, neighbours),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
});

/** Where a path leads in the API, and the headers of the answer; undefined when its behaviour leads elsewhere. */
export const apiBehind =
  ({ neighbours }: Pick<HostedPages, "neighbours">) =>
  (path: string) => {
    const { origin, policy } = behaviourOf(path);
    return origin === "api" ? { path: edgeOf(path).uri ?? path, headers: headersOf(policy, neighbours) } : undefined;
  };

/** The body of a file; undefined when there is none. @param key as in the bucket */
async function bodyOf(key: string, { settings, assets }: HostedPages): Promise<string | Buffer | undefined> {
  const application = Object.hasOwn(documents, key) ? documents[key] : undefined;
  if (application) return documentOf(settings, assets[application]);
  if (key === worker) return readFile(join(dist, "pages", worker));
  const [, folder = "", file = ""] = /^([\w-]+)\/([\w-][\w.-]*)$/.exec(key) ?? [];
  if (file === "settings.json" && folders.includes(folder)) return JSON.stringify(folderSettings);
  const from = folder === "assets" ? "pages/assets" : folders.find((name) => name === folder);
  return from && readFile(join(dist, from, file)).catch(() => undefined);
}

/** @param path `/door/page.js`; `/door/` is the page itself. @returns undefined when there is no such file */
export async function pageFile(path: string, hosted: HostedPages): Promise<GatewayResponse | undefined> {
  const { uri, headers: own } = edgeOf(path);
  if (own) return reply(302, "text/plain", "", { location: own.location.value });
  const key = uri?.slice(1) ?? "";
  const body = await bodyOf(key, hosted);
  if (body === undefined) return undefined;
  return reply(200, types[key.split(".").at(-1) as keyof typeof types] ?? "application/octet-stream", body, {
    "cache-control": key.startsWith("assets/") ? cacheControl.assets : cacheControl.others,
    ...headersOf(behaviourOf(path).policy, hosted.neighbours),
  });
}

/** The first parts of all paths that are files: `/` is the laptop's own page. */
export const firstParts: readonly string[] = [
  "assets",
  worker,
  ...folders,
  ...Object.keys(documents)
    .filter((name) => name.includes("/"))
    .map((name) => name.split("/")[0] as string),
];
