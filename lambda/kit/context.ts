/** The context of one request or message. The wrapper of an API handler or of a consumer makes it, once. */
import { ulid } from "ulid";

/** The facts about a request that every operation gets. */
export interface RequestContext {
  /** Epoch milliseconds at which the request or message came in. */
  readonly now: number;
  /** Email of the person who asks for the change, or `system`. */
  readonly actor: string;
  /** The id of the request. It joins log lines and messages, which name it `correlationId`. Nothing is ordered by it. */
  readonly requestId: string;
  /**
   * The place in line of a person who registers by this request: `<epoch ms>#<ulid>`. Always made by the server. It
   * belongs to one registration: a request about several people makes a context for each (`contextOfRow`).
   */
  readonly queueKey: string;
  /** Until when calls may begin, in milliseconds of `performance.now()`. One deadline for all that the request does. */
  readonly deadline: number;
  /** A new ULID. */
  readonly newId: () => string;
}

/** The part of Lambda's context that tells the remaining time of an invocation. */
export interface RemainingTime {
  readonly getRemainingTimeInMillis?: () => number;
}

/** Milliseconds that a caller waits at most. After that the answer is a 503 (`docs/contract.md`, "Errors"). */
export const longestForCaller = 15_000;
/**
 * Milliseconds that the last call may take: three tries of the AWS client with three seconds each, and their pauses.
 */
const lastCall = 10_000;

/**
 * The deadline of an invocation, in milliseconds of `performance.now()`: early enough for a last call before the end of
 * the function.
 * @param longest milliseconds from now at most; fifteen seconds for a caller who waits
 */
export function deadlineWithin(lambda: RemainingTime | undefined, longest = longestForCaller): number {
  const remaining = lambda?.getRemainingTimeInMillis?.() ?? longestForCaller + lastCall;
  return performance.now() + Math.max(0, Math.min(longest, remaining - lastCall));
}

/** The context of one row of a request about several people. */
export const contextOfRow = (context: RequestContext): RequestContext => ({
  ...context,
  queueKey: `${context.now}#${context.newId()}`,
});

/**
 * The context of work that the system does by itself. The queueKey begins with `now`, because the line is sorted by it.
 * @param requestId the request that caused the work, or a name of the work
 * @param deadline as `deadlineWithin` makes it
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
