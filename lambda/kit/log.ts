import { Logger } from "@aws-lambda-powertools/logger";

/**
 * JSON lines on standard output. Never personal data: no email, no name, no body, no path with values in it; a request
 * is named by its route key and request id.
 */
export const log = new Logger();
