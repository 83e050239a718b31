/** The local stage's S3: one bucket, with real signatures, CORS, public reads and object-created events. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Authorize, allowAll } from "../service-kit/authorize.ts";
import { closeServer, listen } from "../service-kit/http-server.ts";
import { type CorsRule, corsHeaders } from "./cors.ts";
import { listing } from "./listing.ts";
import { type ObjectCreatedEvent, objectCreatedEvents } from "./object-created.ts";
import { folderObjects, memoryObjects, type ObjectDescription, type ObjectStore } from "./objects.ts";
import { readPayload } from "./payload.ts";
import { accessDenied, problemXml, S3Problem } from "./problem.ts";
import { type SignatureSettings, verifySignature } from "./signature.ts";

export type { CorsRule } from "./cors.ts";
export type { ObjectCreatedEvent } from "./object-created.ts";
export { publicPrefixes, type Statement } from "./policy.ts";

export interface BucketOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Absent: in memory. */
  readonly directory?: string;
  readonly name: string;
  readonly region: string;
  readonly accountId: string;
  readonly corsRules: readonly CorsRule[];
  /** The public may read keys that begin with one of these. */
  readonly publicPrefixes: readonly string[];
  readonly secretOf: SignatureSettings["secretOf"];
  /** Authorizes every signed request. Absent: every caller may do everything. */
  readonly authorize?: Authorize;
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

const subresources = ["acl", "attributes", "legal-hold", "partNumber", "retention", "tagging", "uploadId", "uploads"];

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
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

const copyOntoItself =
  "This copy request is illegal because it is trying to copy an object to itself without changing the object's " +
  "metadata, storage class, website redirect location or encryption attributes.";
const preconditionFailed = () =>
  new S3Problem(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");

/** Whether the object has this ETag, with quotes or without. */
const isSame = (etag: string, object: ObjectDescription | undefined): boolean =>
  etag.replaceAll('"', "") === object?.etag.replaceAll('"', "");
const notFound = () => new S3Problem(404, "NoSuchKey", "The specified key does not exist.");

export async function startBucket(options: BucketOptions): Promise<Bucket> {
  const { name, region, accountId, corsRules, publicPrefixes, secretOf, clock = Date.now } = options;
  const { authorize = allowAll } = options;
  const objects: ObjectStore = options.directory ? await folderObjects(options.directory) : memoryObjects();
  const listeners = new Set<(event: ObjectCreatedEvent) => void>();

  const eventOf = objectCreatedEvents(name, { region, accountId }, clock);

  function announce(stored: ObjectDescription, reason: "PutObject" | "CopyObject", requestId: string): void {
    const event = eventOf(stored, reason, requestId);
    for (const listener of listeners) listener(event);
  }

  /** The key that a request names by its path: `/<bucket>/<key>`. */
  function keyOf(url: URL): string {
    const path = decodeURIComponent(url.pathname);
    if (path === `/${name}`) return "";
    if (path.startsWith(`/${name}/`)) return path.slice(name.length + 2);
    throw new S3Problem(404, "NoSuchBucket", "The specified bucket does not exist");
  }

  /**
   * @param signer the access key; undefined for the public, which the bucket policy judges
   * @throws S3Problem AccessDenied
   */
  function check(signer: string | undefined, action: string, key: string): void {
    if (signer === undefined) return;
    const refusal = authorize(signer, `s3:${action}`, `arn:aws:s3:::${name}${key && `/${key}`}`);
    if (refusal) throw accessDenied(refusal);
  }

  /** A caller without permission to list the bucket gets the same answer for a missing and for a forbidden key. */
  function missing(signer: string | undefined): S3Problem {
    if (signer === undefined) return accessDenied();
    check(signer, "ListBucket", "");
    return notFound();
  }

  async function copy(signer: string | undefined, request: IncomingMessage, key: string, requestId: string) {
    const source = header(request, "x-amz-copy-source") ?? "";
    const [, from = ""] = /^\/?[^/]+\/(.+)$/.exec(decodeURIComponent(source)) ?? [];
    check(signer, "GetObject", from);
    const ifMatch = header(request, "x-amz-copy-source-if-match");
    const replaces = header(request, "x-amz-metadata-directive") === "REPLACE";
    const stored = await objects.change(async (store) => {
      const original = store.describe(from);
      if (!original) throw missing(signer);
      if (ifMatch !== undefined && !isSame(ifMatch, original)) throw preconditionFailed();
      if (key === from && !replaces) throw new S3Problem(400, "InvalidRequest", copyOntoItself);
      return store.write(key, await store.read(from), replaces ? storedHeaders(request) : original, clock());
    });
    announce(stored, "CopyObject", requestId);
    const lastModified = new Date(stored.lastModified).toISOString();
    return {
      status: 200,
      headers: { "content-type": "application/xml" },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<CopyObjectResult><LastModified>${lastModified}</LastModified><ETag>${stored.etag.replaceAll('"', "&quot;")}</ETag></CopyObjectResult>`,
    };
  }

  async function put(
    signer: string | undefined,
    request: IncomingMessage,
    key: string,
    requestId: string,
  ): Promise<Reply> {
    check(signer, "PutObject", key);
    if (header(request, "x-amz-copy-source") !== undefined) return copy(signer, request, key, requestId);
    const body = await readPayload(request);
    const stored = await objects.change((store) => store.write(key, body, storedHeaders(request), clock()));
    announce(stored, "PutObject", requestId);
    return { status: 200, headers: { etag: stored.etag } };
  }

  async function respond(request: IncomingMessage, url: URL, requestId: string): Promise<Reply> {
    const { method = "GET", headers } = request;
    const key = keyOf(url);
    const signer = verifySignature({ method, url, headers }, { region, secretOf, clock });
    const isRead = method === "GET" || method === "HEAD";
    if (!signer && !(isRead && publicPrefixes.some((prefix) => key.startsWith(prefix)))) throw accessDenied();
    if (key === "" && method === "GET" && url.searchParams.get("list-type") === "2") {
      check(signer, "ListBucket", "");
      return { status: 200, headers: { "content-type": "application/xml" }, body: listing(name, objects.list(), url) };
    }
    // The local stage does not serve the bucket itself otherwise, tags of objects and parts of uploads: the club needs none
    // of these.
    if (key === "" || subresources.some((part) => url.searchParams.has(part)))
      throw new S3Problem(501, "NotImplemented", "The local stage has no such operation.");
    if (method === "PUT") return put(signer, request, key, requestId);
    if (method === "DELETE") {
      check(signer, "DeleteObject", key);
      const ifMatch = header(request, "if-match");
      // A condition needs the right to read, too. https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-deletes.html
      if (ifMatch !== undefined) check(signer, "GetObject", key);
      await objects.change(async (store) => {
        const object = store.describe(key);
        if (ifMatch !== undefined && !object) throw notFound();
        if (ifMatch !== undefined && !isSame(ifMatch, object)) throw preconditionFailed();
        return store.remove(key);
      });
      return { status: 204 };
    }
    if (!isRead)
      throw new S3Problem(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
    check(signer, "GetObject", key);
    const object = objects.describe(key);
    if (!object) throw missing(signer);
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
  return {
    url: await listen(server, { port: options.port }),
    name,
    onObjectCreated: (listener) => void listeners.add(listener),
    close: () => closeServer(server),
  };
}
