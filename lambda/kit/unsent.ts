/** What a failed call says of whether it arrived. Pure. */

/** What the socket says when there was no connection that anything could have been sent over. */
const unconnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** It may have been sent, or may not. */
export class PerhapsSent extends Error {}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** Whether a call failed before there was anybody to hear it. */
export const neverConnected = (error: unknown): boolean =>
  [codeOf(error), codeOf((error as Error | undefined)?.cause)].some((code) => unconnected.has(String(code)));
