/**
 * Cross-origin rules. An HTTP API applies them itself: it answers preflights and replaces the function's own headers.
 */
import type { CorsConfiguration } from "../template/resources.ts";
import type { GatewayResponse } from "./response.ts";

type Headers = Record<string, string>;

export interface Cors {
  /** Answer to an OPTIONS request; undefined when the API has no CORS configuration and routes it like any other. */
  preflight(origin: string | undefined): GatewayResponse | undefined;
  /** The response with the CORS headers. */
  apply(response: GatewayResponse, origin: string | undefined): GatewayResponse;
}

/**
 * @param onErrors whether the gateway's own answers have the headers, too
 * @throws Error for wildcards and credentials, which the local stage does not play
 */
export function createCors(rules: CorsConfiguration | undefined, onErrors: boolean): Cors {
  if (!rules) return { preflight: () => undefined, apply: (response) => response };
  if (rules.AllowCredentials || rules.AllowOrigins?.some((one) => one.includes("*"))) {
    throw new Error("The local stage has no CORS with credentials or wildcards.");
  }
  return {
    preflight: (origin) => ({ status: 204, headers: preflightHeaders(rules, origin), body: Buffer.alloc(0) }),
    apply: (response, origin) => {
      if (response.isOwn && !onErrors) return response;
      return { ...response, headers: { ...withoutCors(response.headers), ...responseHeaders(rules, origin) } };
    },
  };
}

/** The value of Access-Control-Allow-Origin, if this origin may call. Origins are compared exactly. */
const allowedOrigin = ({ AllowOrigins = [] }: CorsConfiguration, origin: string | undefined): string | undefined =>
  AllowOrigins.find((one) => one === origin);

function responseHeaders(rules: CorsConfiguration, origin: string | undefined): Headers {
  const allowed = allowedOrigin(rules, origin);
  if (allowed === undefined) return {};
  return {
    "access-control-allow-origin": allowed,
    ...listed("access-control-expose-headers", rules.ExposeHeaders),
  };
}

/**
 * The request's origin, when CORS withholds this answer from its page: a preflight then allows nothing. A same-origin
 * page needs no permission.
 */
export function refusedOrigin(
  { headers }: GatewayResponse,
  { origin, host }: { readonly origin?: string | undefined; readonly host?: string | undefined },
): string | undefined {
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return headers["access-control-allow-origin"] === undefined ? origin : undefined;
}

function preflightHeaders(rules: CorsConfiguration, origin: string | undefined): Headers {
  if (allowedOrigin(rules, origin) === undefined) return {};
  return {
    ...responseHeaders(rules, origin),
    ...listed("access-control-allow-methods", rules.AllowMethods),
    ...listed("access-control-allow-headers", rules.AllowHeaders),
    ...(rules.MaxAge !== undefined && { "access-control-max-age": `${rules.MaxAge}` }),
  };
}

const listed = (name: string, values: readonly string[] = []): Headers =>
  values.length > 0 ? { [name]: values.join(",") } : {};

const withoutCors = (headers: Readonly<Headers>): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("access-control-")));
