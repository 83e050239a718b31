/** The body of an upload: its size, its hash, and the framing that the SDK gives to streams. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { readBody } from "../service-kit/http-server.ts";
import { S3Problem } from "./problem.ts";

/** S3 takes 5 GB in one PUT; a laptop needs less. */
const maxBytes = 50 * 1024 * 1024;

const header = (request: IncomingMessage, name: string): string => [request.headers[name] ?? ""].flat().join(",");

const incomplete = () =>
  new S3Problem(
    400,
    "IncompleteBody",
    "You did not provide the number of bytes specified by the Content-Length HTTP header",
  );

/** `<size in hex>[;extensions]\r\n<bytes>\r\n` until a chunk of size 0. The trailers after it are ignored. */
function decodeChunks(framed: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let position = 0; ; ) {
    const lineEnd = framed.indexOf("\r\n", position);
    const line = lineEnd < 0 ? "" : framed.toString("latin1", position, lineEnd);
    const [, digits] = /^([0-9a-f]+)(?:;.*)?$/i.exec(line) ?? [];
    if (digits === undefined) throw incomplete();
    const size = Number.parseInt(digits, 16);
    if (size === 0) return Buffer.concat(parts);
    const start = lineEnd + 2;
    if (start + size + 2 > framed.length) throw incomplete();
    parts.push(framed.subarray(start, start + size));
    position = start + size + 2;
  }
}

/**
 * Reads the bytes to store.
 * @throws S3Problem when the body is too large, or differs from the signed hash
 */
export async function readPayload(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request, maxBytes);
  if (!body) throw new S3Problem(400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
  const stated = header(request, "x-amz-content-sha256");
  if (stated === "STREAMING-UNSIGNED-PAYLOAD-TRAILER") return decodeChunks(body);
  if (stated.startsWith("STREAMING-"))
    throw new S3Problem(501, "NotImplemented", `The local stage does not take ${stated}.`);
  if (!/^[0-9a-f]{64}$/.test(stated) || createHash("sha256").update(body).digest("hex") === stated) return body;
  throw new S3Problem(
    400,
    "XAmzContentSHA256Mismatch",
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  );
}
