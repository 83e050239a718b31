/** Repeats calls of an operator's command while the table is throttled or does not answer. */
import { retried } from "#kit/retry.ts";

/** Milliseconds: no caller waits for a command. */
const longestTry = 120_000;

/**
 * @throws Contended the table was throttled for two minutes
 * @throws UnknownOutcome the table did not answer for two minutes
 */
export const patiently = <T>(step: () => Promise<T>): Promise<T> =>
  retried(step, { deadline: performance.now() + longestTry });
