/** The circumstances of one request or message. The wrapper of an API handler or a consumer makes them, once. */
import { ulid } from "ulid";

/** What every operation gets to know of the request that it belongs to. */
export interface RequestContext {
  /** Epoch milliseconds at which the request or message came in. */
  readonly now: number;
  /** Email of the person who asks for it, or `system`. */
  readonly actor: string;
  /** Joins log lines and messages of one request. */
  readonly correlationId: string;
  /** Names the request, the same in all its retries. A client may choose it one day; nothing is ordered by it. */
  readonly requestKey: string;
  /** The place in line of a person who registers by this request: `<epoch ms>#<ulid>`. Always the server's. */
  readonly queueKey: string;
  /** Until when calls may begin, in milliseconds of `performance.now()`. One deadline for all that the request does. */
  readonly deadline: number;
  /** A new ULID. */
  readonly newId: () => string;
}

/** What Lambda says of the time that an invocation has left. */
export interface RemainingTime {
  readonly getRemainingTimeInMillis?: () => number;
}

/** Milliseconds after which a caller is told that too many are doing this at the same moment. */
const longestForCaller = 15_000;
/** Milliseconds that the last call may take: three tries of the client with three seconds each, and their pauses. */
const lastCall = 10_000;

/**
 * The deadline of what an invocation does: never past the end of the function.
 * @param longest milliseconds from now at most; for a caller who waits, fifteen seconds
 */
export function deadlineWithin(lambda: RemainingTime | undefined, longest = longestForCaller): number {
  const remaining = lambda?.getRemainingTimeInMillis?.() ?? longestForCaller + lastCall;
  return performance.now() + Math.max(0, Math.min(longest, remaining - lastCall));
}

/**
 * The context of something that the system does by itself.
 * @param requestKey names it, so that doing it again is recognized
 * @param deadline as of `deadlineWithin`
 */
export const systemContext = (
  requestKey: string,
  correlationId: string,
  now: number,
  deadline = deadlineWithin(undefined),
): RequestContext => ({
  now,
  actor: "system",
  correlationId,
  requestKey,
  queueKey: `${now}#${ulid(now)}`,
  deadline,
  newId: () => ulid(now),
});
