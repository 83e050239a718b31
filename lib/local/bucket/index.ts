/** The local stage's S3: one bucket, with real signatures, CORS, public reads and object-created events. */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type CorsRule, corsHeaders } from "./cors.ts";
import { folderObjects, memoryObjects, type ObjectDescription, type ObjectStore } from "./objects.ts";
import { accessDenied, problemXml, S3Problem } from "./problem.ts";
import { type SignatureSettings, verifySignature } from "./signature.ts";

export type { CorsRule } from "./cors.ts";
export { publicPrefixes, type Statement } from "./policy.ts";

/** What EventBridge delivers for a stored object. */
export interface ObjectCreatedEvent {
  readonly version: "0";
  readonly id: string;
  readonly "detail-type": "Object Created";
  readonly source: "aws.s3";
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: {
    readonly version: "0";
    readonly bucket: { readonly name: string };
    readonly object: { readonly key: string; readonly size: number; readonly etag: string; readonly sequencer: string };
    readonly "request-id": string;
    readonly requester: string;
    readonly "source-ip-address": string;
    readonly reason: "PutObject" | "CopyObject";
  };
}

export interface BucketOptions {
  /** 0 or absent: any free one. */
  readonly port?: number;
  /** Absent: in memory. */
  readonly directory?: string;
  readonly name: string;
  readonly region: string;
  readonly accountId: string;
  readonly corsRules: readonly CorsRule[];
  /** Keys that everybody may read begin with one of these. */
  readonly publicPrefixes: readonly string[];
  readonly secretOf: SignatureSettings["secretOf"];
  readonly clock?: () => number;
}

export interface Bucket {
  /** `http://127.0.0.1:<port>`: the endpoint; objects are below `/<name>/`. */
  readonly url: string;
  readonly name: string;
  /** Called after an object was stored. */
  onObjectCreated(listener: (event: ObjectCreatedEvent) => void): void;
  close(): Promise<void>;
}

/** S3 takes 5 GB in one PUT; a laptop need not. */
const maxBytes = 50 * 1024 * 1024;

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes)
      throw new S3Problem(400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

const header = (request: IncomingMessage, name: string): string | undefined => [request.headers[name] ?? []].flat()[0];

/** The headers that are stored with an object. */
function storedHeaders(request: IncomingMessage) {
  const metadata = Object.entries(request.headers).flatMap(([name, value]) =>
    name.startsWith("x-amz-meta-") ? [[name.slice("x-amz-meta-".length), String(value)]] : [],
  );
  return {
    contentType: header(request, "content-type") ?? "binary/octet-stream",
    cacheControl: header(request, "cache-control"),
    metadata: Object.fromEntries(metadata) as Record<string, string>,
  };
}

const objectHeaders = ({ contentType, cacheControl, metadata, etag, lastModified, size }: ObjectDescription) => ({
  "content-type": contentType,
  ...(cacheControl !== undefined && { "cache-control": cacheControl }),
  ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
  etag,
  "last-modified": new Date(lastModified).toUTCString(),
  "content-length": String(size),
});

const notFound = () => new S3Problem(404, "NoSuchKey", "The specified key does not exist.");

/** What is stored must be what was signed, where the signature covers the body. */
function checkPayload(request: IncomingMessage, body: Buffer): void {
  const stated = header(request, "x-amz-content-sha256");
  if (!stated || !/^[0-9a-f]{64}$/.test(stated)) return;
  if (createHash("sha256").update(body).digest("hex") === stated) return;
  throw new S3Problem(
    400,
    "XAmzContentSHA256Mismatch",
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  );
}

export async function startBucket(options: BucketOptions): Promise<Bucket> {
  const { name, region, accountId, corsRules, publicPrefixes, secretOf, clock = Date.now } = options;
  const objects: ObjectStore = options.directory ? await folderObjects(options.directory) : memoryObjects();
  const listeners = new Set<(event: ObjectCreatedEvent) => void>();

  function announce(stored: ObjectDescription, reason: "PutObject" | "CopyObject", requestId: string): void {
    const event: ObjectCreatedEvent = {
      version: "0",
      id: randomUUID(),
      "detail-type": "Object Created",
      source: "aws.s3",
      account: accountId,
      time: new Date(clock()).toISOString().replace(/\.\d+Z$/, "Z"),
      region,
      resources: [`arn:aws:s3:::${name}`],
      detail: {
        version: "0",
        bucket: { name },
        object: {
          key: stored.key,
          size: stored.size,
          etag: stored.etag.replaceAll('"', ""),
          sequencer: clock().toString(16).toUpperCase().padStart(16, "0"),
        },
        "request-id": requestId,
        requester: accountId,
        "source-ip-address": "127.0.0.1",
        reason,
      },
    };
    for (const listener of listeners) listener(event);
  }

  /** The key that a request names, by path (`/<bucket>/<key>`) or by host (`<bucket>.<...>`). */
  function keyOf(request: IncomingMessage, url: URL): string {
    const path = decodeURIComponent(url.pathname);
    if (header(request, "host")?.startsWith(`${name}.`)) return path.slice(1);
    if (path.startsWith(`/${name}/`)) return path.slice(name.length + 2);
    throw new S3Problem(404, "NoSuchBucket", "The specified bucket does not exist");
  }

  async function copy(request: IncomingMessage, key: string, source: string, requestId: string): Promise<Reply> {
    const [, from = ""] = /^\/?[^/]+\/(.+)$/.exec(decodeURIComponent(source)) ?? [];
    const original = objects.describe(from);
    if (!original) throw notFound();
    const ifMatch = header(request, "x-amz-copy-source-if-match");
    if (ifMatch !== undefined && ifMatch.replaceAll('"', "") !== original.etag.replaceAll('"', "")) {
      throw new S3Problem(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
    }
    const replaces = header(request, "x-amz-metadata-directive") === "REPLACE";
    if (key === from && !replaces) {
      throw new S3Problem(
        400,
        "InvalidRequest",
        "This copy request is illegal because it is trying to copy an object to itself without changing its metadata.",
      );
    }
    const stored = await objects.write(
      key,
      await objects.read(from),
      replaces ? storedHeaders(request) : original,
      clock(),
    );
    announce(stored, "CopyObject", requestId);
    const lastModified = new Date(stored.lastModified).toISOString();
    return {
      status: 200,
      headers: { "content-type": "application/xml" },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<CopyObjectResult><LastModified>${lastModified}</LastModified><ETag>${stored.etag.replaceAll('"', "&quot;")}</ETag></CopyObjectResult>`,
    };
  }

  async function put(request: IncomingMessage, key: string, requestId: string): Promise<Reply> {
    const source = header(request, "x-amz-copy-source");
    if (source !== undefined) return copy(request, key, source, requestId);
    const body = await readBody(request);
    checkPayload(request, body);
    const stored = await objects.write(key, body, storedHeaders(request), clock());
    announce(stored, "PutObject", requestId);
    return { status: 200, headers: { etag: stored.etag } };
  }

  async function respond(request: IncomingMessage, url: URL, requestId: string): Promise<Reply> {
    const { method = "GET", headers } = request;
    const key = keyOf(request, url);
    const signer = verifySignature({ method, url, headers }, { region, secretOf, clock });
    const isRead = method === "GET" || method === "HEAD";
    if (!signer && !(isRead && publicPrefixes.some((prefix) => key.startsWith(prefix)))) throw accessDenied();
    if (method === "PUT") return put(request, key, requestId);
    if (method === "DELETE") {
      await objects.remove(key);
      return { status: 204 };
    }
    if (!isRead)
      throw new S3Problem(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
    const object = objects.describe(key);
    // Without the right to list, a missing key looks like a forbidden one.
    if (!object) throw signer ? notFound() : accessDenied();
    if (header(request, "if-none-match") === object.etag) return { status: 304, headers: { etag: object.etag } };
    return {
      status: 200,
      headers: objectHeaders(object),
      body: method === "GET" ? await objects.read(key) : undefined,
    };
  }

  function preflight(request: IncomingMessage): Reply {
    const allowed = corsHeaders(corsRules, header(request, "access-control-request-method") ?? "", request.headers);
    if (!allowed) throw new S3Problem(403, "AccessForbidden", "CORSResponse: This CORS request is not allowed.");
    return { status: 200, headers: allowed };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = randomUUID().replaceAll("-", "").slice(0, 16).toUpperCase();
    const isPreflight = request.method === "OPTIONS";
    const cors = isPreflight ? undefined : corsHeaders(corsRules, request.method ?? "", request.headers);
    let reply: Reply;
    try {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      reply = isPreflight ? preflight(request) : await respond(request, url, requestId);
    } catch (error) {
      const problem =
        error instanceof S3Problem
          ? error
          : error instanceof URIError || error instanceof TypeError
            ? new S3Problem(400, "InvalidURI", "Couldn't parse the specified URI.")
            : new S3Problem(500, "InternalError", "We encountered an internal error. Please try again.");
      if (problem.status === 500) console.error("bucket:", error);
      reply = {
        status: problem.status,
        headers: { "content-type": "application/xml" },
        body: request.method === "HEAD" ? undefined : problemXml(problem, request.url ?? "/", requestId),
      };
    }
    request.resume();
    response.writeHead(reply.status, { ...reply.headers, ...cors, "x-amz-request-id": requestId });
    response.end(reply.body);
  }

  const server = createServer((request, response) => void handle(request, response));
  const port = await new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    name,
    onObjectCreated: (listener) => void listeners.add(listener),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
