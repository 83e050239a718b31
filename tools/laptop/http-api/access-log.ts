/** One line for each request, in the format that the template's stage asks for. */

import type { GatewayRequest } from "./request-event.ts";
import { logTime } from "./request-event.ts";

/** The outcome of a request. */
export interface Outcome {
  readonly request: GatewayRequest;
  readonly routeKey?: string;
  readonly status: number;
  /** Bytes. */
  readonly responseLength: number;
  /** Milliseconds. */
  readonly latency: number;
  readonly integrationLatency?: number;
  readonly integrationError?: string;
  readonly authorizerError?: string;
}

/** Makes the function that writes a line. `$context` variables without a value on a laptop become `-`. */
export function createAccessLog(format: string | undefined, write: (line: string) => void): (outcome: Outcome) => void {
  if (format === undefined) return () => undefined;
  return (outcome) => {
    const { request } = outcome;
    const values: Record<string, unknown> = {
      requestId: request.requestId,
      requestTime: logTime(request.time),
      requestTimeEpoch: request.time,
      httpMethod: request.message.method,
      path: request.path,
      protocol: `HTTP/${request.message.httpVersion}`,
      "identity.sourceIp": request.sourceIp,
      "identity.userAgent": request.message.headers["user-agent"],
      stage: "$default",
      routeKey: outcome.routeKey,
      status: outcome.status,
      responseLength: outcome.responseLength,
      responseLatency: outcome.latency,
      integrationLatency: outcome.integrationLatency,
      integrationErrorMessage: outcome.integrationError,
      "authorizer.error": outcome.authorizerError,
    };
    const text = (value: unknown): string => (value === undefined ? "-" : JSON.stringify(`${value}`).slice(1, -1));
    write(format.replace(/\$context\.([A-Za-z][\w.]*)/g, (_, name: string) => text(values[name])));
  };
}
