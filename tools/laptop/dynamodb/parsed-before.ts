/**
 * Caches parsed expressions: a rush repeats the same few expressions, and a refused transaction costs hardly more than
 * parsing them.
 */

import { type ExpressionKind, expressionContentIssue, expressionSizeIssue } from "./limits.ts";

interface Context {
  readonly attrNames?: object;
  readonly attrVals?: object;
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
  readonly values: readonly string[];
}

const capacity = 500;
/** The keys of longer expressions would cost more memory than they save time. */
const maxKeyLength = 2_000;

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
    const key = JSON.stringify([text, context.attrNames, context.attrVals]);
    // The caller changes the parsed conditions on keys, so they are not remembered.
    if (context.isKeyCondition || key.length > maxKeyLength) return parse(text, options);
    const parsed = known.get(key) ?? parseAlone(text, context);
    // The expression that was used last moves to the end, and is dropped last.
    known.delete(key);
    known.set(key, parsed);
    if (known.size > capacity) known.delete(known.keys().next().value as string);
    for (const name of parsed.names) delete context.unusedAttrNames[name];
    for (const value of parsed.values) delete context.unusedAttrVals[value];
    return parsed.result;
  };

  /** Parses the expression alone, to see which names and values it uses. */
  function parseAlone(text: string, context: Context): Parsed {
    const unusedAttrNames = allOf(context.attrNames);
    const unusedAttrVals = allOf(context.attrVals);
    const result = parse(text, { context: { ...context, unusedAttrNames, unusedAttrVals } });
    return {
      result,
      names: Object.keys(context.attrNames ?? {}).filter((name) => !unusedAttrNames[name]),
      values: Object.keys(context.attrVals ?? {}).filter((value) => !unusedAttrVals[value]),
    };
  }
}
