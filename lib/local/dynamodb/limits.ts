/**
 * Limits that DynamoDB holds a request against, as pure functions that return AWS's sentence. They need no engine.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
import { itemSize } from "./item-size.ts";
import type { AttributeMap, AttributeValue } from "./protocol.ts";

export { itemSize };

/** Bytes of one expression as it is sent, before names are replaced. */
export const maxExpressionBytes = 4096;
/** Operators and functions of one expression. */
export const maxOperators = 300;
/** Operands of one IN. */
export const maxOperands = 100;
/** Levels of a document path, and of an attribute; the attribute itself is the first. */
export const maxLevels = 32;
/** Bytes of one item: 400 KB. */
export const maxItemBytes = 400 * 1024;

/** A condition is also a filter, or a condition on keys. */
export type ExpressionKind = "condition" | "update" | "projection";

// A condition may begin with an attribute that is called "remove", which is no reserved word.
const updateStart = /^\s*(?:SET|ADD|DELETE|REMOVE(?!\s+(?:IN|BETWEEN)\b))\s+[#\w]/i;
const kindOf = (expression: string): ExpressionKind => (updateStart.test(expression) ? "update" : "condition");

/**
 * Why AWS refuses an expression whatever it refers to, without the leading "Invalid ConditionExpression: ".
 * @param kind absent: an update or a condition, whichever the expression begins like
 */
export const expressionIssue = (expression: string, kind = kindOf(expression)): string | undefined =>
  expressionSizeIssue(expression, kind) ?? expressionContentIssue(expression, kind);

/** The first thing that AWS checks, before it parses the expression. */
export function expressionSizeIssue(expression: string, kind = kindOf(expression)): string | undefined {
  const bytes = Buffer.byteLength(expression);
  if (bytes <= maxExpressionBytes) return undefined;
  const size = kind === "condition" ? ` expression size: ${bytes}` : "";
  return `Expression size has exceeded the maximum allowed size;${size}`;
}

/** The last thing that AWS checks of an expression, when it could be parsed and all its names are known. */
export function expressionContentIssue(expression: string, kind = kindOf(expression)): string | undefined {
  const levels = Math.max(0, ...Array.from(expression.matchAll(path), ([text]) => levelsOf(text)));
  if (levels > maxLevels) return `The document path has too many nesting levels; nesting levels: ${levels}`;
  const operands = Math.max(0, ...Array.from(expression.matchAll(operandList), ([, list = ""]) => countOf(list)));
  if (operands > maxOperands) {
    return `The IN operator is provided with too many operands; number of operands: ${operands}`;
  }
  // AWS stops counting at the first operator too many.
  if (operatorCount(expression, kind) <= maxOperators) return undefined;
  return `The expression contains too many operators; operator count: ${maxOperators + 1}`;
}

const path = /[#\w]+(?:\s*\.\s*[#\w]+|\s*\[\s*\d+\s*\])+/g;
const levelsOf = (text: string): number => text.split(/[.[]/).length;
const operandList = /(?<![#:\w])IN\s*\(((?:[^()]|\([^()]*\))*)/gi;
const countOf = (list: string): number => list.split(",").length;

const token = /[#:]?\w+|<>|<=|>=|[=<>+\-(]/g;
const words = new Set(["AND", "OR", "NOT", "BETWEEN", "IN"]);
const comparators = new Set(["=", "<>", "<", "<=", ">", ">="]);

/**
 * Operators and functions, as DynamoDB Local counts them: AND, OR, NOT, comparisons, BETWEEN and IN once each however
 * many operands they have, `+`, `-`, and every function. Parentheses, paths, the AND of a BETWEEN, and the clauses of
 * an update with their `=` are none.
 */
export function operatorCount(expression: string, kind = kindOf(expression)): number {
  const tokens = expression.match(token) ?? [];
  const isWord = (text: string | undefined) => words.has((text ?? "").toUpperCase());
  return tokens.filter((text, index) => {
    if (isWord(text)) return kind === "condition" && !(text.toUpperCase() === "AND" && endsBetween(tokens, index));
    if (comparators.has(text)) return kind === "condition";
    if (text === "+" || text === "-") return kind === "update";
    return text !== "(" && tokens[index + 1] === "(";
  }).length;
}

/** Whether the last word before this AND is its BETWEEN: nothing else stands between the two but an operand. */
function endsBetween(tokens: readonly string[], and: number): boolean {
  const before = tokens.slice(0, and).findLast((text) => words.has(text.toUpperCase()));
  return before?.toUpperCase() === "BETWEEN";
}

/** Why AWS refuses to store an item, before it looks at the table. */
export function itemIssue(item: AttributeMap): string | undefined {
  if (itemLevels(item) > maxLevels) {
    return (
      "Nesting Levels have exceeded supported limits: " +
      "Attributes in the item have nested levels beyond supported limit"
    );
  }
  return itemSize(item) > maxItemBytes ? "Item size has exceeded the maximum allowed size" : undefined;
}

/** Levels of the deepest attribute: 1 for text, 2 for a list of text. */
const itemLevels = (item: AttributeMap): number => Math.max(0, ...Object.values(item).map(valueLevels));

/** Levels of one attribute. */
export function valueLevels(attribute: AttributeValue): number {
  const { L, M } = attribute as { L?: AttributeValue[]; M?: AttributeMap };
  const parts = L ?? (M && Object.values(M)) ?? [];
  return 1 + parts.reduce((deepest, part) => Math.max(deepest, valueLevels(part)), 0);
}
