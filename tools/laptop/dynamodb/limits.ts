/**
 * The limits of DynamoDB's requests, as pure functions that return AWS's error message. They need no engine.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
import { itemSize } from "./item-size.ts";
import type { AttributeMap, AttributeValue } from "./protocol.ts";

export { itemSize };

/** Bytes of one expression as it is sent, before names are replaced. */
const maxExpressionBytes = 4096;
/** Operators and functions of one expression. */
export const maxOperators = 300;
/** Operands of one IN. */
const maxOperands = 100;
/** Levels of a document path, and of an attribute; the attribute itself is the first. */
const maxLevels = 32;
/** Bytes of one item: 400 KB. */
const maxItemBytes = 400 * 1024;

/** Filters and conditions on keys are conditions too. */
export type ExpressionKind = "condition" | "update" | "projection";

// A condition may begin with an attribute named "remove", which is no reserved word.
const updateStart = /^\s*(?:SET|ADD|DELETE|REMOVE(?!\s+(?:IN|BETWEEN)\b))\s+[#\w]/i;
const kindOf = (expression: string): ExpressionKind => (updateStart.test(expression) ? "update" : "condition");

/**
 * Why AWS refuses an expression by itself, without the leading "Invalid ConditionExpression: ".
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

/** The last check of AWS, after the expression was parsed and all its names were found. */
export function expressionContentIssue(expression: string, kind = kindOf(expression)): string | undefined {
  const levels = Math.max(0, ...Array.from(expression.matchAll(path), ([text]) => levelsOf(text)));
  if (levels > maxLevels) return `The document path has too many nesting levels; nesting levels: ${levels}`;
  const operands = Math.max(0, ...Array.from(expression.matchAll(operandList), ([, list = ""]) => countOf(list)));
  if (operands > maxOperands) {
    return `The IN operator is provided with too many operands; number of operands: ${operands}`;
  }
  // AWS stops counting at the first excess operator.
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
 * Counts operators and functions as DynamoDB Local does: AND, OR, NOT, comparisons, `+`, `-` and every function count
 * once each; so do BETWEEN and IN, with any number of operands. Parentheses, paths, the AND of a BETWEEN, and the
 * clauses of an update with their `=` do not count.
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

/** Whether this AND belongs to a BETWEEN: only an operand stands between the two words. */
function endsBetween(tokens: readonly string[], and: number): boolean {
  const before = tokens.slice(0, and).findLast((text) => words.has(text.toUpperCase()));
  return before?.toUpperCase() === "BETWEEN";
}

/** Why AWS refuses to store an item, before it looks at the table. */
export const itemIssue = (item: AttributeMap): string | undefined =>
  firstOf(Object.keys(item), nameIssue) ??
  nestingIssue(item) ??
  (itemSize(item) > maxItemBytes ? "Item size has exceeded the maximum allowed size" : undefined);

/** Why AWS refuses the attributes of an item, or the values of an expression. */
export function nestingIssue(attributes: AttributeMap): string | undefined {
  if (Object.values(attributes).every((attribute) => levelsOfValue(attribute) <= maxLevels)) return undefined;
  return (
    "Nesting Levels have exceeded supported limits: " +
    "Attributes in the item have nested levels beyond supported limit"
  );
}

/** 1 for a text, 2 for a list of texts. */
function levelsOfValue(attribute: AttributeValue): number {
  const { L, M } = attribute as { L?: AttributeValue[]; M?: AttributeMap };
  const parts = L ?? (M && Object.values(M)) ?? [];
  return 1 + parts.reduce((deepest, part) => Math.max(deepest, levelsOfValue(part)), 0);
}

const maxNameBytes = 65_535;

function nameIssue(name: string): string | undefined {
  if (name === "") return "Empty attribute name";
  return Buffer.byteLength(name) > maxNameBytes
    ? "Attribute name is too large, must be less than 65536 bytes"
    : undefined;
}

/** Bytes that a partition key may have, in a table and in an index, and a sort key. */
const maxKeyBytes = { HASH: 2048, RANGE: 1024 } as const;
const invalid = "One or more parameter values were invalid: ";

const keyBytes = ({ S, B }: AttributeValue): number =>
  S === undefined ? Buffer.byteLength(String(B ?? ""), "base64") : Buffer.byteLength(S as string);

/** Why AWS refuses a key of a table. One of AWS's messages lacks a blank. */
export function keyIssue(value: AttributeValue, kind: "HASH" | "RANGE"): string | undefined {
  if (keyBytes(value) <= maxKeyBytes[kind]) return undefined;
  return kind === "HASH"
    ? `${invalid}Size of hashkey has exceeded the maximum size limit of${maxKeyBytes.HASH} bytes`
    : `${invalid}Aggregated size of all range keys has exceeded the size limit of ${maxKeyBytes.RANGE} bytes`;
}

/** A key attribute. */
export interface KeyAttribute {
  readonly name: string;
  readonly kind: "HASH" | "RANGE";
  /** Absent: a key of the table. */
  readonly index?: string;
}

/** Why AWS refuses an empty key, in an item or in a query. */
export function emptyKeyIssue({ S, B }: AttributeValue, { name, index }: KeyAttribute): string | undefined {
  if (S !== "" && B !== "") return undefined;
  const what = `The AttributeValue for a key attribute cannot contain an empty ${S === "" ? "string" : "binary"} value. `;
  return (
    "One or more parameter values are not valid. " +
    (index === undefined
      ? `${what}Key: ${name}`
      : `A value specified for a secondary index key is not supported. ${what}IndexName: ${index}, IndexKey: ${name}`)
  );
}

/** Why AWS refuses an update that empties the key of an index. */
export function emptyIndexKeyIssue({ S, B }: AttributeValue): string | undefined {
  if (S !== "" && B !== "") return undefined;
  return (
    "One or more parameter values are not valid. The update expression attempted to update a secondary index key to " +
    "a value that is not supported. " +
    `The AttributeValue for a key attribute cannot contain an empty ${S === "" ? "string" : "binary"} value.`
  );
}

/** Why AWS refuses to store an attribute that is the key of an index. */
export function indexKeyIssue(value: AttributeValue, key: KeyAttribute): string | undefined {
  const [bytes, max] = [keyBytes(value), maxKeyBytes[key.kind]];
  if (bytes <= max) return emptyKeyIssue(value, key);
  return (
    `${invalid}Size limit exceeded for Index Key ${key.name} ` +
    `Actual Size: ${bytes} bytes Max Size: ${max} bytes IndexName: ${key.index}`
  );
}

/** Why AWS refuses to store a computed value: a sum has the limits of every number. */
export function numberIssue(attribute: AttributeValue): string | undefined {
  const { N, NS, L, M } = attribute as { N?: string; NS?: string[]; L?: AttributeValue[]; M?: AttributeMap };
  if (N !== undefined) return digitsIssue(N);
  if (NS) return firstOf(NS, digitsIssue);
  return firstOf(L ?? Object.values(M ?? {}), numberIssue);
}

const maxDigits = 38;
/** A number is below 10 to the power of this. */
const maxMagnitude = 126;

function digitsIssue(text: string): string | undefined {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits.length - fraction.length + Number(exponent) > maxMagnitude) {
    return "Number overflow. Attempting to store a number with magnitude larger than supported range";
  }
  return digits.replace(/0+$/, "").length > maxDigits
    ? "Attempting to store more than 38 significant digits in a Number"
    : undefined;
}

function firstOf<T>(some: readonly T[], issue: (one: T) => string | undefined): string | undefined {
  for (const one of some) {
    const found = issue(one);
    if (found) return found;
  }
  return undefined;
}
