/** What is served below the address of the pages, as data: CloudFront does it in AWS (`lib/pages.ts`), the gateway on the laptop. */

/** Below one address, so that pages call the API without CORS. */
export interface Behaviour {
  /** Of CloudFront. The first that matches counts. */
  readonly pattern: string;
  readonly origin: "api" | "files";
  /** For how long answers are kept: as their `cache-control` says, or not at all. */
  readonly caches: boolean;
  readonly policy: "pages" | "desk" | "door";
}

export const behaviours = [
  { pattern: "/api/*", origin: "api", caches: false, policy: "pages" },
  { pattern: "/event/*", origin: "api", caches: true, policy: "pages" },
  { pattern: "/desk/*", origin: "files", caches: true, policy: "desk" },
  { pattern: "/door/*", origin: "files", caches: true, policy: "door" },
  { pattern: "*", origin: "files", caches: true, policy: "pages" },
] as const satisfies readonly Behaviour[];

/** The documents that are the same for everyone, and the application that each loads. */
export const documents: Readonly<Record<string, "pages" | "desk">> = {
  "index.html": "pages",
  "club/index.html": "pages",
  "registration/index.html": "pages",
  "lost/index.html": "pages",
  "my-data/index.html": "pages",
  "sign-in/index.html": "pages",
  "desk/index.html": "desk",
};

/** The service worker of these, from `dist/pages`: it may answer below its own path, so it is not in `assets/`. */
export const worker = "service-worker.js";

/** Pages with their own documents: folders of `dist`. */
export const folders: readonly string[] = ["door"];

/** What is written into `settings.json` of these. */
export const folderSettings = { api: "/api" };

/** Hashed names keep their contents. Others are asked for each time. */
export const cacheControl = { assets: "public, max-age=31536000, immutable", others: "no-cache" } as const;

/**
 * A CloudFront Function, of at most 10 KB, in front of every behaviour: the API has no `/api`, and a bucket no index of a folder.
 * Every address of the desk is one document.
 * Only plain names get a slash: another path in `location` could lead to another site.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
export const viewerRequest = `function handler(event) {
  var request = event.request;
  if (/^\\/api\\//.test(request.uri)) request.uri = request.uri.slice(4);
  else if (/^\\/event\\//.test(request.uri)) return request;
  else if (/^\\/desk\\//.test(request.uri)) request.uri = "/desk/index.html";
  else if (/\\/$/.test(request.uri)) request.uri += "index.html";
  else if (/^\\/[\\w-]+$/.test(request.uri)) {
    return { statusCode: 302, statusDescription: "Found", headers: { location: { value: request.uri + "/" } } };
  }
  return request;
}`;

/** Where pages may load from and send to, besides their own address. */
export interface Neighbours {
  /** The origin of the banners. */
  readonly images: string;
  /** The origins of the user pool. */
  readonly identity: readonly string[];
}

/** The content security policy. WebAssembly decodes QR codes at the door. CloudFront takes 1,783 characters. */
export function contentPolicy(policy: Behaviour["policy"], { images, identity }: Neighbours): string {
  const isDoor = policy === "door";
  const isDesk = policy === "desk";
  return [
    "default-src 'none'",
    `script-src 'self'${isDoor ? " 'wasm-unsafe-eval'" : ""}`,
    "style-src 'self'",
    // Banners are uploaded at the desk, and cut to size there.
    `connect-src 'self'${isDoor ? "" : ` ${identity.join(" ")}`}${isDesk ? ` ${images}` : ""}`,
    `img-src 'self' data:${isDoor ? "" : ` ${images}`}${isDesk ? " blob:" : ""}`,
    ...(isDoor ? ["media-src 'self' blob:"] : ["manifest-src 'self'"]),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Seconds: two years. */
export const strictTransport = 63_072_000;
