import { Logger } from "@aws-lambda-powertools/logger";

/** Of an error only what says where it came from: a refused transaction's has the items that it met. */
function withoutAttributes(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, cause };
}

/**
 * JSON lines on standard output. Never personal data: no email, no name, no body, no path with values in it; a request
 * is named by its route key and request id.
 */
export const log = new Logger({ jsonReplacerFn: withoutAttributes });
