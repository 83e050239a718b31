/**
 * EventBridge's event patterns: which events a rule wants.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
import { BlockList, isIP } from "node:net";

type Pattern = Readonly<Record<string, unknown>>;
type Matcher = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "=": (a, b) => a === b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** `[">=", 1, "<", 5]` */
function matchesNumbers(conditions: readonly unknown[], value: unknown): boolean {
  if (typeof value !== "number") return false;
  for (let index = 0; index < conditions.length; index += 2) {
    const compare = comparisons[String(conditions[index])];
    if (!compare?.(value, Number(conditions[index + 1]))) return false;
  }
  return true;
}

/** `*` stands for any characters, `\*` for itself. */
const wildcardExpression = (pattern: string): RegExp => {
  const source = pattern.replace(/\\([*\\])|\*|[.+?^${}()|[\]\\]/g, (token, escaped: string | undefined) => {
    if (escaped) return `\\${escaped}`;
    return token === "*" ? ".*" : `\\${token}`;
  });
  return new RegExp(`^${source}$`, "s");
};

/** `10.0.0.0/24` */
function isInRange(range: string, address: string): boolean {
  const [start = "", bits] = range.split("/");
  if (isIP(address) === 0 || isIP(address) !== isIP(start)) return false;
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const list = new BlockList();
  list.addSubnet(start, Number(bits), family);
  return list.check(address, family);
}

type TextTest = (text: string, option: string) => boolean;

/** Matchers of strings. Each takes one string or several. */
const textTests: Readonly<Record<string, TextTest>> = {
  prefix: (text, option) => text.startsWith(option),
  suffix: (text, option) => text.endsWith(option),
  "equals-ignore-case": (text, option) => text.toLowerCase() === option.toLowerCase(),
  wildcard: (text, option) => wildcardExpression(option).test(text),
  cidr: (text, option) => isInRange(option, text),
};

/** `{ "prefix": "a" }`, and `{ "prefix": { "equals-ignore-case": "a" } }` for the ends of a string. */
function matchesText(kind: string, argument: unknown, value: unknown): boolean {
  const test = textTests[kind];
  if (!test) throw new Error(`The event pattern ${kind} is not known to the local stage.`);
  if (typeof value !== "string") return false;
  return [argument].flat().some((option) => {
    if (!isObject(option)) return test(value, String(option));
    if (kind !== "prefix" && kind !== "suffix") throw new Error(`The event pattern ${kind} takes strings.`);
    return test(value.toLowerCase(), String(option["equals-ignore-case"]).toLowerCase());
  });
}

function anythingBut(excluded: unknown, value: unknown): boolean {
  if (isObject(excluded)) return typeof value === "string" && !matchesSpecial(excluded, value);
  return value !== undefined && ![excluded].flat().includes(value);
}

/** One matcher, for example `{ "prefix": ... }`. @throws Error for a matcher that is not supported here */
function matchesSpecial(matcher: Matcher, value: unknown): boolean {
  return Object.entries(matcher).every(([kind, argument]) => {
    switch (kind) {
      case "anything-but":
        return anythingBut(argument, value);
      case "numeric":
        return matchesNumbers(argument as unknown[], value);
      case "exists":
        // Only a value counts as existing; an object is no value.
        return (value !== undefined && !isObject(value)) === argument;
      default:
        return matchesText(kind, argument, value);
    }
  });
}

/** An empty list has no values. */
const valuesOf = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) return [value];
  return value.length > 0 ? (value as unknown[]) : [undefined];
};

/** A field matches if any of its values matches any of the alternatives. */
function matchesField(alternatives: readonly unknown[], value: unknown): boolean {
  return alternatives.some((alternative) =>
    valuesOf(value).some((one) => (isObject(alternative) ? matchesSpecial(alternative, one) : alternative === one)),
  );
}

/** Whether an event matches all fields of a pattern. */
export function matchesPattern(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([name, wanted]) => {
    if (name === "$or") return (wanted as Pattern[]).some((alternative) => matchesPattern(alternative, event));
    const value = isObject(event) ? event[name] : undefined;
    if (Array.isArray(wanted)) return matchesField(wanted, value);
    return valuesOf(value).some((part) => matchesPattern(wanted as Pattern, part));
  });
}
