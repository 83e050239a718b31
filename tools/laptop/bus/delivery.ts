/**
 * Delivers an event to one target. A failed delivery is retried; in the end the event goes to the target's dead-letter
 * queue.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
 */

import type { Clock } from "../service-kit/clock.ts";
import { isThrottled } from "../service-kit/concurrency.ts";
import type { Pauses } from "../service-kit/pauses.ts";
import type { BusEvent } from "./event.ts";
import type { Addressee } from "./rules.ts";

/** The target does not exist or is forbidden, so every retry would fail as well. */
export class DeliveryRefused extends Error {
  /** EventBridge's code, as `NO_RESOURCE` or `NO_PERMISSIONS`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface DeliveryOptions {
  /**
   * Hands a payload to a queue or a function.
   * @throws DeliveryRefused when a retry cannot succeed
   */
  readonly deliver: (targetArn: string, payload: unknown) => Promise<unknown>;
  /** Hands an event that could not be delivered to a queue, with its text and the reason. */
  readonly deadLetter: (
    queueArn: string,
    body: string,
    attributes: Readonly<Record<string, string>>,
  ) => Promise<unknown>;
  /** Milliseconds before the first retry; doubled each time. */
  readonly retryDelay: number;
  readonly clock: Clock;
  readonly pauses: Pauses;
  readonly isClosed: () => boolean;
}

/** EventBridge's defaults. */
const defaults = { retries: 185, age: 86_400 };
/** Lambda's retries of asynchronous invocations. A throttled one is tried again until the event is too old. */
const functionRetries = 2;
/** The delay is doubled no more often than this. */
const maxDoublings = 7;

const isFunction = (arn: string): boolean => arn.split(":")[2] === "lambda";

/** @returns false when a close interrupted the delivery; the event is then delivered after the next start */
export async function deliverTo(
  addressee: Addressee,
  event: BusEvent,
  acceptedAt: number,
  options: DeliveryOptions,
): Promise<boolean> {
  const { deliver, clock, pauses, retryDelay, isClosed } = options;
  const { target } = addressee;
  const allowed = target.RetryPolicy?.MaximumRetryAttempts ?? defaults.retries;
  const retries = isFunction(target.Arn) ? Math.min(allowed, functionRetries) : allowed;
  const until = acceptedAt + (target.RetryPolicy?.MaximumEventAgeInSeconds ?? defaults.age) * 1000;
  let throttled = 0;
  for (let attempt = 0; !isClosed(); attempt += 1) {
    try {
      await deliver(target.Arn, event);
      return true;
    } catch (problem) {
      if (isThrottled(problem)) throttled += 1;
      const condition = exhausted(problem, attempt - throttled >= retries, clock.now() >= until);
      if (isClosed()) return false;
      if (condition !== undefined) {
        await giveUp(addressee, event, problem as Error, { condition, retries: attempt }, options);
        return true;
      }
      await pauses.pause(retryDelay * 2 ** Math.min(attempt, maxDoublings));
    }
  }
  return false;
}

/**
 * Why there is no retry: empty when the target refused the event, undefined when there is a retry.
 */
function exhausted(problem: unknown, isOften: boolean, isOld: boolean): string | undefined {
  if (problem instanceof DeliveryRefused) return "";
  if (isOften) return "MaximumRetryAttempts";
  return isOld ? "MaximumEventAgeInSeconds" : undefined;
}

async function giveUp(
  { rule, target }: Addressee,
  event: BusEvent,
  problem: Error,
  { condition, retries }: { readonly condition: string; readonly retries: number },
  { deadLetter }: DeliveryOptions,
): Promise<void> {
  const queueArn = target.DeadLetterConfig?.Arn;
  console.error(`${rule.name}: ${target.Arn} did not get the event ${event.id}: ${problem.message}`);
  // EventBridge's part ends when Lambda has accepted the event: a failure of the function sends nothing to the rule's
  // queue.
  if (!queueArn || (isFunction(target.Arn) && !(problem instanceof DeliveryRefused))) return;
  const attributes = {
    RULE_ARN: rule.arn,
    TARGET_ARN: target.Arn,
    ERROR_CODE: problem instanceof DeliveryRefused ? problem.code : "ERROR_FROM_TARGET",
    ERROR_MESSAGE: problem.message || "Unknown",
    RETRY_ATTEMPTS: `${retries}`,
    ...(condition && { EXHAUSTED_RETRY_CONDITION: condition }),
  };
  await deadLetter(queueArn, JSON.stringify(event), attributes).catch((failure: Error) => {
    console.error(`${rule.name}: ${queueArn} did not get the event ${event.id} either: ${failure.message}`);
  });
}
