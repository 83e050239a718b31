/**
 * Filters of event source mappings, which are written as EventBridge's patterns.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
import { checkPattern, matchesPattern } from "./event-pattern.ts";

export interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/**
 * Creates the predicate whether a record reaches the function. One matching filter is enough; without filters every
 * record passes.
 * @throws Error for a pattern that the local stage does not play
 */
export function eventFilter({ Filters = [] }: FilterCriteria = {}): (record: unknown) => boolean {
  const patterns = Filters.map(({ Pattern = "{}" }) => JSON.parse(Pattern) as Record<string, unknown>);
  for (const pattern of patterns) checkPattern(pattern);
  return (record) => patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, record));
}
