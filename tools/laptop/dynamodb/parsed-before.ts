/**
 * Caches parsed expressions: requests repeat the same few expressions with other values, and a refused transaction costs
 * hardly more than parsing them.
 */

import { type ExpressionKind, expressionContentIssue, expressionSizeIssue } from "./limits.ts";

interface Context {
  readonly attrNames?: object;
  readonly attrVals?: Readonly<Record<string, object>>;
  readonly isKeyCondition?: boolean;
  /** Names and values that no expression of the request has used yet. */
  readonly unusedAttrNames: Record<string, boolean>;
  readonly unusedAttrVals: Record<string, boolean>;
}

export interface Parser {
  parse(text: string, options: { readonly context: Context }): unknown;
}

interface Parsed {
  readonly result: unknown;
  readonly names: readonly string[];
  /** The used values, by their names. */
  readonly values: ReadonlyMap<string, object>;
}

const capacity = 500;
/** The keys of longer expressions would cost more memory than they save time. */
const maxKeyLength = 2_000;

/** Of all other expressions, the parser looks at the types of values only. */
const looksAtValues = /\b(?:between|attribute_type)\b/i;

/** The types of values, by their names. */
const typesOf = (values: Context["attrVals"] = {}): [string, ...string[]][] =>
  Object.entries(values).map(([name, value]) => [name, ...Object.keys(value)]);

/** A parsed expression with other values; its parts without values are the same. */
function withValues(part: unknown, values: ReadonlyMap<unknown, object>): unknown {
  if (typeof part !== "object" || part === null) return part;
  const value = values.get(part);
  if (value) return value;
  const parts = Object.entries(part).map(([name, one]) => [name, one, withValues(one, values)] as const);
  if (parts.every(([, before, after]) => before === after)) return part;
  return Array.isArray(part)
    ? parts.map(([, , after]) => after)
    : Object.fromEntries(parts.map(([name, , after]) => [name, after]));
}

const allOf = (names: object = {}): Record<string, boolean> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, true]));

/** Makes a parser refuse expressions that are too long or too complex, in the order of AWS's checks. */
export function limitParsed(parser: Parser, kind: ExpressionKind): void {
  const parse = parser.parse.bind(parser);
  parser.parse = (text, options) => {
    refuse(expressionSizeIssue(text, kind));
    const result = parse(text, options);
    // The parser answers a text when it cannot understand an expression.
    if (typeof result !== "string") refuse(expressionContentIssue(text, kind));
    return result;
  };
}

/** dynalite answers with the message of the thrown error. */
function refuse(issue: string | undefined): void {
  if (issue) throw new Error(issue);
}

/** Makes a parser cache its results, with the names and values of each. Results must not be changed. */
export function rememberParsed(parser: Parser): void {
  const parse = parser.parse.bind(parser);
  const known = new Map<string, Parsed>();
  parser.parse = (text, options) => {
    const { context } = options;
    // The caller changes the parsed conditions on keys, so they are not remembered.
    if (context.isKeyCondition || looksAtValues.test(text)) return parse(text, options);
    const key = JSON.stringify([text, context.attrNames, typesOf(context.attrVals)]);
    if (key.length > maxKeyLength) return parse(text, options);
    const parsed = known.get(key) ?? parseAlone(text, context);
    // The expression that was used last moves to the end, and is dropped last.
    known.delete(key);
    known.set(key, parsed);
    if (known.size > capacity) known.delete(known.keys().next().value as string);
    for (const name of parsed.names) delete context.unusedAttrNames[name];
    for (const value of parsed.values.keys()) delete context.unusedAttrVals[value];
    return withValues(
      parsed.result,
      new Map([...parsed.values].map(([name, value]) => [value, context.attrVals?.[name] as object])),
    );
  };

  /** Parses the expression alone, to see which names and values it uses. */
  function parseAlone(text: string, context: Context): Parsed {
    const unusedAttrNames = allOf(context.attrNames);
    const unusedAttrVals = allOf(context.attrVals);
    // Copies: two names never share a value that is replaced.
    const attrVals = Object.fromEntries(
      Object.entries(context.attrVals ?? {}).map(([name, one]) => [name, { ...one }]),
    );
    const result = parse(text, { context: { ...context, attrVals, unusedAttrNames, unusedAttrVals } });
    return {
      result,
      names: Object.keys(context.attrNames ?? {}).filter((name) => !unusedAttrNames[name]),
      values: new Map(Object.entries(attrVals).filter(([name]) => !unusedAttrVals[name])),
    };
  }
}
