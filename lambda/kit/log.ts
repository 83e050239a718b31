import { Logger } from "@aws-lambda-powertools/logger";

/** Keeps these fields of an error only: the error of a refused transaction also has the items that it met. */
function withoutAttributes(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, cause };
}

/**
 * Writes JSON lines to standard output. Log no personal data: no email, no name, no body, no path with values. The
 * route key and the request id name a request.
 */
export const log = new Logger({ jsonReplacerFn: withoutAttributes });
