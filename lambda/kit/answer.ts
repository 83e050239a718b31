/** What a handler returns; the wrapper makes the gateway's response of it. */
export interface Answer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Never empty. */
  readonly body: unknown;
}

export const ok = (body: unknown, headers: Record<string, string> = {}): Answer => ({ statusCode: 200, headers, body });
export const created = (body: unknown): Answer => ({ statusCode: 201, body });
