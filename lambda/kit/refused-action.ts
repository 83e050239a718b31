/**
 * The action that IAM has refused, `dynamodb:Query`, for the log. The message of AWS's error also has the resource, which
 * SES names by an address. Undefined for other errors.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html
 */
export function refusedAction(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, action] = /is not authorized to perform:? [`']?([\w-]+:\w+)/.exec(error.message) ?? [];
  const inside = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause];
  return action ?? inside.map(refusedAction).find((found) => found !== undefined);
}
