/** What the preflight asks the account and changes in it, and what it says of a call that failed. */
import type { preflightReads } from "../../../lib/delivery/permissions.ts";
import * as failures from "../../kit/failures.ts";
import { type Finding, Obstacle } from "../../kit/finding.ts";

type Action = (typeof preflightReads)[number] | "secretsmanager:GetSecretValue";

/** @throws an error that `failure` explains when the caller may not do this action; any other error as it comes */
export const asking = <T>(action: Action, answer: Promise<T>): Promise<T> => failures.asking(action, answer);

/** @returns the finding of a question that failed */
export const failure = (error: unknown, region: string): Finding =>
  failures.failure(error, region, "lib/delivery/permissions.ts");

/** The actions of `--mend --apply`. They are for a person: no role of the delivery has them. */
export const changes = ["secretsmanager:CreateSecret", "sns:ConfirmSubscription"] as const;

/** @throws an error that `refusal` explains when the caller may not do this action; any other error as it comes */
export const changing = <T>(action: (typeof changes)[number], answer: Promise<T>): Promise<T> =>
  failures.asking(action, answer);

/** @returns why a change was not made, and what to do */
export function refusal(error: unknown, region: string): { readonly text: string; readonly fix: string } {
  if (error instanceof Obstacle) return { text: error.message, fix: error.fix };
  const { text, fix = "" } = failures.failure(error, region, "an administrator", "");
  return { text, fix };
}
