/** The context of one request or message, created once by the wrapper of an API handler or consumer. */
import { ulid } from "ulid";

export interface RequestContext {
  /** Epoch milliseconds at which the request or message was received. */
  readonly now: number;
  /** Email of the person who requests the change, `device` with its id, `link` for the bearer of a mail's link, or `system`. */
  readonly actor: string;
  /** The id of the request. It correlates log lines and messages, which call it `correlationId`. */
  readonly requestId: string;
  /**
   * The place in line of a person who registers with this request: `<epoch ms>#<ulid>`. It belongs to one registration: a
   * request about several people creates a context for each (`contextOfRow`).
   */
  readonly queueKey: string;
  /** When the last call may start, in milliseconds of `performance.now()`. Shared by all work of the request. */
  readonly deadline: number;
  /** A new ULID. */
  readonly newId: () => string;
}

/** The time of a queueKey, epoch milliseconds. */
export const timeOf = (queueKey: string): number => Number.parseInt(queueKey, 10);

/** The parts of a queueKey, by their names in the keys of items. */
export function partsOf(queueKey: string) {
  const at = queueKey.indexOf("#");
  return { ms: queueKey.slice(0, at), ulid: queueKey.slice(at + 1) };
}

/** The part of Lambda's context with the remaining time of an invocation. */
export interface RemainingTime {
  readonly getRemainingTimeInMillis?: () => number;
}

/** Maximum milliseconds that a caller waits, before a 503 (`docs/contract.md`, "Errors"). */
export const maxCallerWait = 15_000;
/** Milliseconds for the last call: three tries of the AWS client with three seconds each, and their pauses. */
const lastCall = 10_000;

/**
 * The deadline of an invocation, in milliseconds of `performance.now()`: early enough for a last call before the function's
 * timeout.
 * @param longest maximum milliseconds from now; by default fifteen seconds, for a waiting caller
 */
export function deadlineWithin(lambda: RemainingTime | undefined, longest = maxCallerWait): number {
  const remaining = lambda?.getRemainingTimeInMillis?.() ?? maxCallerWait + lastCall;
  return performance.now() + Math.max(0, Math.min(longest, remaining - lastCall));
}

/** The context of one row of a request about several people. */
export const contextOfRow = (context: RequestContext): RequestContext => ({
  ...context,
  queueKey: `${context.now}#${context.newId()}`,
});

/**
 * The context of background work.
 * @param requestId the request that caused the work, or a name of the work
 * @param deadline from `deadlineWithin`
 */
export const systemContext = (
  requestId: string,
  now: number,
  deadline = deadlineWithin(undefined),
): RequestContext => ({
  now,
  actor: "system",
  requestId,
  queueKey: `${now}#${ulid(now)}`,
  deadline,
  newId: () => ulid(now),
});
