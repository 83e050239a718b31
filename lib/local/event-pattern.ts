/** EventBridge's event patterns: which events a rule wants. */

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

const wildcardExpression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );

function anythingBut(excluded: unknown, value: unknown): boolean {
  if (isObject(excluded)) return typeof value === "string" && !matchesSpecial(excluded, value);
  return value !== undefined && ![excluded].flat().includes(value);
}

/** One `{ "prefix": ... }` and the like. @throws Error a matcher that is not known here */
function matchesSpecial(matcher: Matcher, value: unknown): boolean {
  return Object.entries(matcher).every(([kind, argument]) => {
    const options = [argument].flat();
    const someText = (test: (text: string, option: string) => boolean) =>
      typeof value === "string" && options.some((option) => test(value, String(option)));
    switch (kind) {
      case "prefix":
        return someText((text, prefix) => text.startsWith(prefix));
      case "suffix":
        return someText((text, suffix) => text.endsWith(suffix));
      case "equals-ignore-case":
        return someText((text, other) => text.toLowerCase() === other.toLowerCase());
      case "wildcard":
        return someText((text, pattern) => wildcardExpression(pattern).test(text));
      case "anything-but":
        return anythingBut(argument, value);
      case "numeric":
        return matchesNumbers(argument as unknown[], value);
      case "exists":
        return (value !== undefined) === argument;
      default:
        throw new Error(`The event pattern ${kind} is not known to the local stage.`);
    }
  });
}

/** A field matches if any of its values matches any of the alternatives. */
function matchesField(alternatives: readonly unknown[], value: unknown): boolean {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  return alternatives.some((alternative) =>
    values.some((one) => (isObject(alternative) ? matchesSpecial(alternative, one) : alternative === one)),
  );
}

/** Whether an event has everything that a pattern asks for. */
export function matchesPattern(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([name, wanted]) => {
    if (name === "$or") return (wanted as Pattern[]).some((alternative) => matchesPattern(alternative, event));
    const value = isObject(event) ? event[name] : undefined;
    if (Array.isArray(wanted)) return matchesField(wanted, value);
    const parts = Array.isArray(value) ? (value as unknown[]) : [value];
    return parts.some((part) => matchesPattern(wanted as Pattern, part));
  });
}
