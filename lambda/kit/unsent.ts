/** Whether a failed call may have reached the other side. Pure. */

/** Socket error codes when there was no connection, so nothing was sent. */
const unconnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The call failed, and it is unknown whether its content was sent. */
export class PerhapsSent extends Error {}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** This error of the AWS client has no code. `test/unit/call-limits.test.ts` checks its text. */
const isLateConnection = (error: unknown): boolean =>
  error instanceof Error && error.name === "TimeoutError" && error.message.includes("did not establish a connection");

/** Whether a call failed before it had a connection. */
export const neverConnected = (error: unknown): boolean =>
  isLateConnection(error) ||
  [codeOf(error), codeOf((error as Error | undefined)?.cause)].some((code) => unconnected.has(String(code)));
