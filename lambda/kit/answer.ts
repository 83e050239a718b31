/** The result of a handler; the wrapper turns it into the gateway's response. */
export interface Answer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless `isText` is set. Never empty. */
  readonly body: unknown;
  /** The body is text of the content type in `headers` (without one: JSON), and is sent as it is. */
  readonly isText?: boolean;
}

export const ok = (body: unknown, headers: Record<string, string> = {}): Answer => ({ statusCode: 200, headers, body });
/** JSON that is text already. @param body an object or a list */
export const okText = (body: string, headers: Record<string, string> = {}): Answer => ({
  ...ok(body, headers),
  isText: true,
});
export const created = (body: unknown, headers: Record<string, string> = {}): Answer => ({
  statusCode: 201,
  headers,
  body,
});
/** The work is done later. The body tells the caller where to look. */
export const accepted = (body: unknown): Answer => ({ statusCode: 202, headers: {}, body });

/** A table that the browser saves as a file. */
export const csv = (body: string, fileName: string, headers: Record<string, string> = {}): Answer => ({
  statusCode: 200,
  headers: {
    ...headers,
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${fileName}"`,
  },
  body,
  isText: true,
});
