/**
 * The event that a function gets for an HTTP request: payload format 2.0.
 * Source: API Gateway developer guide, "Create AWS Lambda proxy integrations for HTTP APIs".
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RouteMatch } from "./routing.ts";

/** The authorizer's result, in the shape that functions get. */
export interface JwtContext {
  readonly claims: Readonly<Record<string, string>>;
  readonly scopes: readonly string[] | null;
}

/** The request before its function is called. */
export interface GatewayRequest {
  readonly message: IncomingMessage;
  /** Address of the caller. */
  readonly sourceIp: string;
  /** Decoded. */
  readonly path: string;
  /** As sent, without `?`. */
  readonly query: string;
  /** Epoch milliseconds of the arrival. */
  readonly time: number;
  readonly requestId: string;
}

/** The API as its events name it. */
export interface ApiIdentity {
  readonly apiId: string;
  readonly accountId: string;
  readonly domainName: string;
}

/** In the form that API Gateway gives its request ids. */
export const newRequestId = (): string => `${randomBytes(11).toString("base64").replace(/[+/]/g, "x").slice(0, 15)}=`;

/**
 * Headers that the function does not get: those of the connection between caller and gateway, and cookies, which are a
 * field of their own.
 */
const notForwarded = new Set([
  "connection",
  "cookie",
  "expect",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The content types that arrive as text; other projects verified them:
 * https://github.com/ministackorg/ministack/pull/766
 */
const textType = /^(text\/.*|application\/(json|xml|javascript))$/;

export function requestEvent(
  api: ApiIdentity,
  request: GatewayRequest,
  { route, params }: RouteMatch,
  body: Buffer,
  jwt: JwtContext | undefined,
): object {
  const { message, path, query, sourceIp, time, requestId } = request;
  const headers = forwardedHeaders(request, body);
  const cookies = headerValues(message, "cookie").flatMap((line) => line.split(/;\s*/));
  const isText = textType.test((headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "");
  const queryParameters = queryStringParameters(query);
  return {
    version: "2.0",
    routeKey: route.RouteKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(queryParameters && { queryStringParameters: queryParameters }),
    requestContext: {
      accountId: api.accountId,
      apiId: api.apiId,
      ...(jwt && { authorizer: { jwt } }),
      domainName: api.domainName,
      domainPrefix: api.domainName.split(".")[0],
      http: {
        method: message.method,
        path,
        protocol: `HTTP/${message.httpVersion}`,
        sourceIp,
        userAgent: message.headers["user-agent"] ?? "",
      },
      requestId,
      routeKey: route.RouteKey,
      stage: "$default",
      time: logTime(time),
      timeEpoch: time,
    },
    ...(Object.keys(params).length > 0 && { pathParameters: params }),
    ...(body.length > 0 && { body: body.toString(isText ? "utf8" : "base64") }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** All values of a header that was sent several times. */
function headerValues(message: IncomingMessage, wanted: string): string[] {
  return pairs(message.rawHeaders).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

const pairs = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index] ?? "", flat[2 * index + 1] ?? ""]);

function forwardedHeaders({ message, sourceIp, time }: GatewayRequest, body: Buffer): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs(message.rawHeaders)) {
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    if (!notForwarded.has(key)) headers.set(key, earlier === undefined ? value : `${earlier},${value}`);
  }
  const forwardedFor = headers.get("x-forwarded-for");
  headers.set("content-length", `${body.length}`);
  headers.set("x-forwarded-for", forwardedFor ? `${forwardedFor}, ${sourceIp}` : sourceIp);
  headers.set("x-forwarded-port", `${message.socket.localPort}`);
  headers.set("x-forwarded-proto", "http");
  const second = Math.floor(time / 1_000).toString(16);
  headers.set("x-amzn-trace-id", `Root=1-${second}-${randomBytes(12).toString("hex")}`);
  return Object.fromEntries([...headers].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Decoded, `+` as a space; values of the same name are joined by commas. */
function queryStringParameters(query: string): Record<string, string> | undefined {
  if (query === "") return undefined;
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(values);
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `20/Nov/2026:22:22:22 +0000` */
function logTime(time: number): string {
  const [date = "", clock = ""] = new Date(time).toISOString().split("T");
  const [year, month, day] = date.split("-");
  return `${day}/${months[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}
