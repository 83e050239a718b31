/**
 * The answers of functions that report failures of single records.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */

/**
 * The identifiers of the records that failed; empty when all succeeded.
 * @returns undefined when the answer counts as a failure of the whole batch
 */
export function reportedFailures(response: unknown, known: ReadonlySet<string>): Set<string> | undefined {
  if (response === null || response === undefined) return new Set();
  if (typeof response !== "object" || Array.isArray(response)) return undefined;
  const failures = (response as { batchItemFailures?: unknown }).batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const identifiers = failures.map((one: { itemIdentifier?: unknown } | null) => one?.itemIdentifier);
  const areKnown = identifiers.every((one) => typeof one === "string" && known.has(one));
  return areKnown ? new Set(identifiers as string[]) : undefined;
}

/** Whether a mapping's function reports failures of single records. */
export const reportsFailures = (types: readonly string[] = []): boolean => types.includes("ReportBatchItemFailures");
