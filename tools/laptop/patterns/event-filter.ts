/**
 * Filters of event source mappings: EventBridge's patterns, without some of its operators.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
import { matchesPattern } from "./event-pattern.ts";

export interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/** The operators of EventBridge that Lambda's filters support. */
const operators = new Set(["anything-but", "equals-ignore-case", "exists", "numeric", "prefix", "suffix"]);

/**
 * Creates the predicate whether a record reaches the function. One matching filter is enough; without filters every
 * record passes.
 * @throws Error for a pattern that Lambda would refuse
 */
export function eventFilter({ Filters = [] }: FilterCriteria = {}): (record: unknown) => boolean {
  const patterns = Filters.map(({ Pattern = "{}" }) => JSON.parse(Pattern) as Record<string, unknown>);
  for (const pattern of patterns) checkOperators(pattern);
  return (record) => patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, record));
}

function checkOperators(pattern: Readonly<Record<string, unknown>>): void {
  for (const [name, wanted] of Object.entries(pattern)) {
    if (!Array.isArray(wanted)) {
      if (typeof wanted !== "object" || wanted === null) {
        throw new Error(`A filter lists the values that it wants; ${name} is none.`);
      }
      checkOperators(wanted as Record<string, unknown>);
      continue;
    }
    for (const alternative of wanted as unknown[]) {
      if (typeof alternative !== "object" || alternative === null) continue;
      if (name === "$or") checkOperators(alternative as Record<string, unknown>);
      else for (const operator of Object.keys(alternative)) checkOperator(operator);
    }
  }
}

function checkOperator(operator: string): void {
  if (!operators.has(operator)) throw new Error(`Filters of event source mappings have no operator ${operator}.`);
}
