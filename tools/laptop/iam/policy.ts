/**
 * Evaluates a request against the statements of a role, as IAM does.
 * Source: IAM user guide, "Policy evaluation logic" and "IAM JSON policy elements".
 */

import type { PolicyStatement } from "../template/resources.ts";

/** What a caller wants to do. */
export interface AccessRequest {
  /** `service:Action` */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** Values of condition keys, for example `ses:FromAddress`. */
  readonly context?: Readonly<Record<string, string>>;
}

/** "implicit": no statement allows the request. "explicit": a statement denies it. */
export type Denial = "implicit" | "explicit";

const list = <T>(value: T | readonly T[]): readonly T[] => [value].flat() as readonly T[];

/** The patterns of a template are few, and each request is compared with all of its function. */
const expressions = new Map<string, RegExp>();

/** `*` stands for any text, `?` for one character. */
function fits(pattern: string, text: string): boolean {
  let expression = expressions.get(pattern);
  if (!expression) {
    const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    expression = new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
    expressions.set(pattern, expression);
  }
  return expression.test(text);
}

type Comparison = (wanted: string, given: string) => boolean;
const comparisons: Readonly<Record<string, Comparison>> = {
  StringEquals: (wanted, given) => wanted === given,
  StringLike: fits,
};

const known = new Set(["Action", "Condition", "Effect", "Resource", "Sid"]);

/**
 * Why the statement cannot be evaluated here: an element, an operator of a condition, or a policy variable that the
 * local stage does not know.
 * @returns undefined for a statement that can be evaluated
 */
export function statementProblem(statement: PolicyStatement): string | undefined {
  const element = Object.keys(statement).find((name) => !known.has(name));
  if (element) return `the element ${element}`;
  const operator = Object.keys(statement.Condition ?? {}).find((name) => !Object.hasOwn(comparisons, name));
  if (operator) return `the condition operator ${operator}`;
  return JSON.stringify(statement).includes("${") ? "policy variables" : undefined;
}

function isMet(condition: NonNullable<PolicyStatement["Condition"]>, context: AccessRequest["context"] = {}): boolean {
  return Object.entries(condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => {
      const given = context[key];
      const compare = comparisons[operator];
      return given !== undefined && compare !== undefined && list(wanted).some((one) => compare(one, given));
    }),
  );
}

/** Whether a statement speaks about the request. Action names ignore upper and lower case. */
export const concerns = (
  { Action, Resource, Condition = {} }: PolicyStatement,
  { action, resource, context }: AccessRequest,
): boolean =>
  list(Action).some((pattern) => fits(pattern.toLowerCase(), action.toLowerCase())) &&
  list(Resource).some((pattern) => fits(pattern, resource)) &&
  isMet(Condition, context);

/** @returns undefined when the statements allow the request */
export function denialOf(statements: readonly PolicyStatement[], request: AccessRequest): Denial | undefined {
  const concerned = statements.filter((statement) => concerns(statement, request));
  if (concerned.some(({ Effect }) => Effect === "Deny")) return "explicit";
  return concerned.length > 0 ? undefined : "implicit";
}
