/** What the preflight asks the account, and what it says of a question that failed. */
import type { preflightReads } from "../../../lib/delivery/permissions.ts";
import * as failures from "../../kit/failures.ts";
import type { Finding } from "../../kit/finding.ts";

type Action = (typeof preflightReads)[number] | "secretsmanager:GetSecretValue";

/** @throws an error that `failure` explains when the caller may not do this action; any other error as it comes */
export const asking = <T>(action: Action, answer: Promise<T>): Promise<T> => failures.asking(action, answer);

/** @returns the finding of a question that failed */
export const failure = (error: unknown, region: string): Finding =>
  failures.failure(error, region, "lib/delivery/permissions.ts");
