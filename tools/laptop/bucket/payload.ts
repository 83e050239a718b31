/** The body of an upload: its size, and its hash. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { readBody } from "../service-kit/http-server.ts";
import { S3Problem } from "./problem.ts";

/** S3 takes 5 GB in one PUT; a laptop needs less. */
const maxBytes = 50 * 1024 * 1024;

const header = (request: IncomingMessage, name: string): string => [request.headers[name] ?? ""].flat().join(",");

/**
 * Reads the bytes to store.
 * @throws S3Problem when the body is too large, or differs from the signed hash
 */
export async function readPayload(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request, maxBytes);
  if (!body) throw new S3Problem(400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
  const stated = header(request, "x-amz-content-sha256");
  if (stated.startsWith("STREAMING-"))
    throw new S3Problem(501, "NotImplemented", `The local stage does not take ${stated}.`);
  if (!/^[0-9a-f]{64}$/.test(stated) || createHash("sha256").update(body).digest("hex") === stated) return body;
  throw new S3Problem(
    400,
    "XAmzContentSHA256Mismatch",
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  );
}
