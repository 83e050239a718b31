/** A bucket's CORS rules, as S3 applies them. */
import type { IncomingHttpHeaders } from "node:http";

/** As CloudFormation describes it. */
export interface CorsRule {
  readonly AllowedOrigins: readonly string[];
  readonly AllowedMethods: readonly string[];
  readonly AllowedHeaders?: readonly string[];
  /** Seconds. */
  readonly MaxAge?: number;
}

const listed = (header: string | undefined): string[] =>
  (header ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);

/**
 * An allowed origin may have one `*`, which stands for any text.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html
 */
function isAllowed(origin: string, allowed: string): boolean {
  const [begin = "", end] = allowed.split("*");
  if (end === undefined) return origin === allowed;
  return origin.length >= begin.length + end.length && origin.startsWith(begin) && origin.endsWith(end);
}

/** The headers that allow a page to read the answer; undefined when no rule allows it. */
export function corsHeaders(
  rules: readonly CorsRule[],
  method: string,
  headers: IncomingHttpHeaders,
): Record<string, string> | undefined {
  const { origin } = headers;
  if (!origin) return undefined;
  const asked = listed(headers["access-control-request-headers"]);
  const rule = rules.find(
    ({ AllowedOrigins, AllowedMethods, AllowedHeaders = [] }) =>
      AllowedOrigins.some((allowed) => isAllowed(origin, allowed)) &&
      AllowedMethods.includes(method) &&
      asked.every((name) => AllowedHeaders.some((allowed) => allowed.toLowerCase() === name)),
  );
  if (!rule) return undefined;
  const { MaxAge } = rule;
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": rule.AllowedMethods.join(", "),
    ...(asked.length > 0 && { "access-control-allow-headers": asked.join(", ") }),
    ...(MaxAge !== undefined && { "access-control-max-age": String(MaxAge) }),
    vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}
