/** What a handler returns; the wrapper makes the gateway's response of it. */
export interface Answer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text of another content type. Never empty. */
  readonly body: unknown;
  /** Sent as it is. */
  readonly isText?: boolean;
}

export const ok = (body: unknown, headers: Record<string, string> = {}): Answer => ({ statusCode: 200, headers, body });
export const created = (body: unknown): Answer => ({ statusCode: 201, body });
/** It will be done; the answer says where to look. */
export const accepted = (body: unknown): Answer => ({ statusCode: 202, headers: {}, body });

/** A table to be saved as a file. */
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
