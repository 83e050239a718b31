/**
 * Whether an item satisfies a parsed condition or filter. dynalite compares maps and lists by identity and text by
 * UTF-16 units; DynamoDB compares them by value and by UTF-8 bytes.
 */
import { type Expression, type Operand, pathValue, sortableNumber } from "./dynalite.ts";
import type { AttributeMap, AttributeValue } from "./protocol.ts";

type Value = AttributeValue | undefined;

const typeOf = (value: Value): string | undefined => (value ? Object.keys(value)[0] : undefined);
const contentOf = (value: Value): unknown => (value ? Object.values(value)[0] : undefined);

/** Sets are equal in any order, numbers in any spelling, all other values by content. */
function equal(a: Value, b: Value): boolean {
  const type = typeOf(a);
  if (type === undefined || type !== typeOf(b)) return false;
  const [left, right] = [contentOf(a), contentOf(b)];
  if (type === "N") return sortableNumber(left as string) === sortableNumber(right as string);
  if (type === "L") return equalLists(left as Value[], right as Value[]);
  if (type === "M") return equalMaps(left as AttributeMap, right as AttributeMap);
  if (type.endsWith("S") && type.length === 2) return equalSets(type, left as string[], right as string[]);
  return left === right;
}

const equalLists = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((element, index) => equal(element, b[index]));

function equalMaps(a: AttributeMap, b: AttributeMap): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => equal(a[name], b[name]));
}

function equalSets(type: string, a: readonly string[], b: readonly string[]): boolean {
  const known = new Set(type === "NS" ? b.map(sortableNumber) : b);
  return a.length === b.length && a.every((member) => known.has(type === "NS" ? sortableNumber(member) : member));
}

/** Negative, zero or positive; undefined when the two values have no order. */
function order(a: Value, b: Value): number | undefined {
  const type = typeOf(a);
  if (type === undefined || type !== typeOf(b)) return undefined;
  const [left, right] = [contentOf(a) as string, contentOf(b) as string];
  if (type === "S") return Buffer.compare(Buffer.from(left), Buffer.from(right));
  if (type === "B") return Buffer.compare(Buffer.from(left, "base64"), Buffer.from(right, "base64"));
  if (type !== "N") return undefined;
  const [x, y] = [sortableNumber(left), sortableNumber(right)];
  return x < y ? -1 : x > y ? 1 : 0;
}

const ordered = (a: Value, b: Value, holds: (sign: number) => boolean): boolean => {
  const sign = order(a, b);
  return sign !== undefined && holds(sign);
};

function beginsWith(value: Value, start: Value): boolean {
  const type = typeOf(value);
  if (type !== typeOf(start) || (type !== "S" && type !== "B")) return false;
  const encoding = type === "B" ? "base64" : "utf8";
  const wanted = Buffer.from(contentOf(start) as string, encoding);
  return Buffer.from(contentOf(value) as string, encoding)
    .subarray(0, wanted.length)
    .equals(wanted);
}

function contains(value: Value, wanted: Value): boolean {
  const [type, wantedType] = [typeOf(value), typeOf(wanted)];
  if (type === "L") return (contentOf(value) as Value[]).some((element) => equal(element, wanted));
  if (type === `${wantedType}S`) {
    return (contentOf(value) as string[]).some((member) => equal({ [wantedType as string]: member }, wanted));
  }
  if (type !== wantedType || (type !== "S" && type !== "B")) return false;
  const encoding = type === "B" ? "base64" : "utf8";
  return Buffer.from(contentOf(value) as string, encoding).includes(Buffer.from(contentOf(wanted) as string, encoding));
}

function sizeOf(value: Value): Value {
  const content = contentOf(value);
  const length: Record<string, () => number> = {
    S: () => (content as string).length,
    B: () => Buffer.byteLength(content as string, "base64"),
    M: () => Object.keys(content as object).length,
  };
  const type = typeOf(value) ?? "";
  if (Array.isArray(content)) return { N: String(content.length) };
  const measure = length[type];
  return measure && { N: String(measure()) };
}

type Comparison = (value: Value, others: readonly Value[]) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  "=": (value, [other]) => equal(value, other),
  "<>": (value, [other]) => !equal(value, other),
  "<": (value, [other]) => ordered(value, other, (sign) => sign < 0),
  "<=": (value, [other]) => ordered(value, other, (sign) => sign <= 0),
  ">": (value, [other]) => ordered(value, other, (sign) => sign > 0),
  ">=": (value, [other]) => ordered(value, other, (sign) => sign >= 0),
  between: (value, [low, high]) =>
    ordered(value, low, (sign) => sign >= 0) && ordered(value, high, (sign) => sign <= 0),
  in: (value, others) => others.some((other) => equal(value, other)),
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, [type]) => value !== undefined && typeOf(value) === contentOf(type),
  begins_with: (value, [start]) => beginsWith(value, start),
  contains: (value, [wanted]) => contains(value, wanted),
};

function resolve(operand: Operand, item: AttributeMap): Value {
  if (Array.isArray(operand)) return pathValue(operand, item);
  const { type, args } = operand as { type?: string; args?: readonly Operand[] };
  if (type === "function") return sizeOf(resolve(args?.[0] as Operand, item));
  return operand as AttributeValue;
}

/** @param item absent: an item without attributes */
export function satisfies(expression: Expression, item: AttributeMap = {}): boolean {
  const { type, args } = expression;
  const inner = args as readonly Expression[];
  if (type === "and") return inner.every((part) => satisfies(part, item));
  if (type === "or") return inner.some((part) => satisfies(part, item));
  if (type === "not") return !satisfies(inner[0] as Expression, item);
  const [value, ...others] = (args as readonly Operand[]).map((operand) => resolve(operand, item));
  const comparison = comparisons[type === "function" ? (expression.name as string) : type];
  if (!comparison) throw new Error(`Unknown comparison ${type} ${expression.name ?? ""}`);
  return comparison(value, others);
}
