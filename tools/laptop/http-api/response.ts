/** The response rules of payload format 2.0: from a function's result to the HTTP response. */
import { validateHeaderName, validateHeaderValue } from "node:http";

/** A response on its way to the caller. Header names are lower-case. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body: Buffer;
  /** Whether it comes from the gateway and not from a function. */
  readonly isOwn?: boolean;
}

const messages: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  413: "Request Entity Too Large",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** An answer of the gateway itself; it has only a message. */
export function gatewayError(status: keyof typeof messages, headers: Record<string, string> = {}): GatewayResponse {
  const body = Buffer.from(JSON.stringify({ message: messages[status] }));
  return { status, headers: { "content-type": "application/json", ...headers }, body, isOwn: true };
}

/** The gateway writes these itself. */
const ownHeaders = new Set(["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"]);

/**
 * A result with a `statusCode` is a response; any other result is the body of a 200. An invalid response becomes a 500.
 * Source: API Gateway developer guide, "Lambda function response for format 2.0".
 */
export function responseOf(result: unknown): GatewayResponse {
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    const text = typeof result === "string" ? result : JSON.stringify(result);
    return { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from(text) };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = result as Record<string, unknown>;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return gatewayError(500);
  if (body !== undefined && body !== null && typeof body !== "string") return gatewayError(500);
  const sent = sentHeaders(headers);
  if (!sent) return gatewayError(500);
  return {
    status,
    headers: { "content-type": "text/plain;charset=utf-8", ...sent },
    cookies: Array.isArray(cookies) ? cookies.map(String) : [],
    body: Buffer.from(body ?? "", isBase64Encoded === true ? "base64" : "utf8"),
  };
}

/** @returns undefined when a header cannot be sent */
function sentHeaders(headers: unknown): Record<string, string> | undefined {
  const sent = Object.entries((headers ?? {}) as Record<string, unknown>)
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !ownHeaders.has(name));
  try {
    for (const [name, value] of sent) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
  } catch {
    return undefined;
  }
  return Object.fromEntries(sent);
}
