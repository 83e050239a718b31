import { Logger } from "@aws-lambda-powertools/logger";

/** Logs only these fields of an error: the error of a refused transaction contains items. */
function withoutAttributes(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, cause };
}

/**
 * Writes JSON lines to standard output. Log no personal data: no email, no name, no body, no path with values. The route
 * key and the request id identify a request.
 */
export const log = new Logger({ jsonReplacerFn: withoutAttributes });
