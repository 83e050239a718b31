/** Retries calls of an operator's command while the table is throttled or does not respond. */
import { retried } from "#kit/table/retry.ts";

/** Milliseconds. Long, because no caller waits for a command. */
const longestTry = 120_000;

/**
 * @throws Contended the table was throttled for two minutes
 * @throws UnknownOutcome the table did not respond for two minutes
 */
export const patiently = <T>(step: () => Promise<T>): Promise<T> =>
  retried(step, { deadline: performance.now() + longestTry });
