/** AWS Signature Version 4 as S3 verifies it, in the query (presigned) or in the Authorization header. */
import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { accessDenied, S3Problem } from "./problem.ts";

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

export interface SignatureSettings {
  readonly region: string;
  /** The secret of an access key; undefined for an unknown key. */
  readonly secretOf: (accessKeyId: string) => string | undefined;
  readonly clock: () => number;
}

interface Claim {
  readonly credential: string;
  readonly date: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payloadHash: string;
}

const algorithm = "AWS4-HMAC-SHA256";
const maxExpirySeconds = 7 * 24 * 3600;
const allowedSkewMilliseconds = 15 * 60_000;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** RFC 3986: everything but the unreserved characters is escaped. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** `20261120T221500Z` as epoch milliseconds. */
function timeOf(date: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (!match) throw accessDenied("X-Amz-Date must be formatted as yyyyMMdd'T'HHmmss'Z'");
  const [year, month, day, hour, minute, second] = match.slice(1);
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
}

const headerValue = (headers: IncomingHttpHeaders, name: string): string =>
  [headers[name] ?? []].flat().join(",").trim().replace(/ +/g, " ");

function expectedSignature({ method, url, headers }: SignedRequest, claim: Claim, secret: string): string {
  const [, day = "", region = "", service = ""] = claim.credential.split("/");
  const path = url.pathname
    .split("/")
    .map((segment) => encode(decodeURIComponent(segment)))
    .join("/");
  const canonicalHeaders = claim.signedHeaders.map((name) => `${name}:${headerValue(headers, name)}\n`).join("");
  const request = [
    method,
    path,
    canonicalQuery(url),
    canonicalHeaders,
    claim.signedHeaders.join(";"),
    claim.payloadHash,
  ];
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = [algorithm, claim.date, scope, sha256(request.join("\n"))].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(
    (k, part) => hmac(k, part),
    `AWS4${secret}`,
  );
  return hmac(key, text).toString("hex");
}

function queryClaim({ searchParams }: URL): Claim {
  return {
    credential: searchParams.get("X-Amz-Credential") ?? "",
    date: searchParams.get("X-Amz-Date") ?? "",
    signedHeaders: (searchParams.get("X-Amz-SignedHeaders") ?? "").split(";"),
    signature: searchParams.get("X-Amz-Signature") ?? "",
    payloadHash: searchParams.get("X-Amz-Content-Sha256") ?? "UNSIGNED-PAYLOAD",
  };
}

function headerClaim(headers: IncomingHttpHeaders): Claim {
  const part = (name: string) => new RegExp(`${name}=([^,\\s]+)`).exec(headers.authorization ?? "")?.[1] ?? "";
  return {
    credential: part("Credential"),
    date: headerValue(headers, "x-amz-date"),
    signedHeaders: part("SignedHeaders").split(";"),
    signature: part("Signature"),
    payloadHash: headerValue(headers, "x-amz-content-sha256"),
  };
}

function checkTime(url: URL, isPresigned: boolean, signedAt: number, now: number): void {
  if (!isPresigned) {
    if (Math.abs(now - signedAt) <= allowedSkewMilliseconds) return;
    throw new S3Problem(
      403,
      "RequestTimeTooSkewed",
      "The difference between the request time and the server's time is too large.",
    );
  }
  const expires = Number(url.searchParams.get("X-Amz-Expires") ?? Number.NaN);
  if (!(expires > 0 && expires <= maxExpirySeconds)) {
    throw new S3Problem(400, "AuthorizationQueryParametersError", "X-Amz-Expires must be between 1 and 604800 seconds");
  }
  if (signedAt > now + allowedSkewMilliseconds) throw accessDenied("Request is not valid yet");
  if (now > signedAt + expires * 1000) throw accessDenied("Request has expired");
}

/**
 * Verifies the signature of a request.
 * @returns the access key id, or undefined when the request is not signed
 * @throws S3Problem when the signature is wrong or expired
 */
export function verifySignature(
  request: SignedRequest,
  { region, secretOf, clock }: SignatureSettings,
): string | undefined {
  const { url, headers } = request;
  const isPresigned = url.searchParams.has("X-Amz-Signature");
  if (!isPresigned && headers.authorization === undefined) return undefined;
  const claim = isPresigned ? queryClaim(url) : headerClaim(headers);
  const stated = isPresigned ? url.searchParams.get("X-Amz-Algorithm") : headers.authorization?.split(" ")[0];
  if (stated !== algorithm) throw new S3Problem(400, "InvalidRequest", `Please use ${algorithm}.`);
  const [accessKeyId = "", day, claimedRegion, service, terminator] = claim.credential.split("/");
  const secret = secretOf(accessKeyId);
  if (secret === undefined) {
    throw new S3Problem(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.");
  }
  const isInScope =
    claimedRegion === region && service === "s3" && terminator === "aws4_request" && claim.date.startsWith(day ?? "-");
  if (!isInScope) {
    const code = isPresigned ? "AuthorizationQueryParametersError" : "AuthorizationHeaderMalformed";
    throw new S3Problem(400, code, `The credential scope must be ${region}/s3/aws4_request`);
  }
  // All these headers must be signed: otherwise the holder of an upload URL could turn the upload into a copy of
  // another object.
  const unsigned = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))].filter(
    (name) => !claim.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) throw accessDenied("There were headers present in the request which were not signed");
  checkTime(url, isPresigned, timeOf(claim.date), clock());
  if (claim.signature !== expectedSignature(request, claim, secret)) {
    throw new S3Problem(
      403,
      "SignatureDoesNotMatch",
      "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
    );
  }
  return accessKeyId;
}
