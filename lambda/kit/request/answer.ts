import { createHash } from "node:crypto";

/** The result of a handler; the wrapper turns it into the gateway's response. */
export interface Answer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless `isText` is set. */
  readonly body: unknown;
  /** The body is text with the content type in `headers` (by default JSON), and is sent unchanged. */
  readonly isText?: boolean;
}

export const ok = (body: unknown, headers: Record<string, string> = {}): Answer => ({ statusCode: 200, headers, body });
/** A response with serialized JSON. @param body an object or a list */
export const okText = (body: string, headers: Record<string, string> = {}): Answer => ({
  ...ok(body, headers),
  isText: true,
});
export const created = (body: unknown, headers: Record<string, string> = {}): Answer => ({
  statusCode: 201,
  headers,
  body,
});
/** The work is done later. The body contains where to look for the result. */
export const accepted = (body: unknown): Answer => ({ statusCode: 202, headers: {}, body });

/**
 * A response with text whose `ETag` is a hash of it, or a 304 when the request's `If-None-Match` has that tag
 * (RFC 9110, 13.1.2).
 */
export function unlessKnown(
  requestHeaders: Readonly<Record<string, string | undefined>>,
  body: string,
  contentType = "application/json",
): Answer {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const isKnown = requestHeaders["if-none-match"]?.includes(etag);
  return isKnown
    ? { statusCode: 304, headers: { etag }, body: "", isText: true }
    : okText(body, { etag, "content-type": contentType });
}

/**
 * A CSV file, which browsers download. One that is not complete says so in its name and in its last line, because who opens
 * it sees no header of the response.
 * @param name of the file, without its end
 */
export function csv(
  { header, moreLine }: { readonly header: string; readonly moreLine: (cursor: string) => string },
  { rows, next }: { readonly rows: readonly string[]; readonly next?: string },
  name: string,
): Answer {
  const isPart = next !== undefined;
  return {
    statusCode: 200,
    headers: {
      ...(isPart && { "x-next-cursor": next }),
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}${isPart ? "-not-complete" : ""}.csv"`,
    },
    body: header + rows.join("") + (isPart ? moreLine(next) : ""),
    isText: true,
  };
}
