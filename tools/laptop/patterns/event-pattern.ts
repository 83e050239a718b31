/**
 * EventBridge's event patterns, with those operators that the stack uses: which events a rule wants.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */

type Pattern = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isPrefix = (alternative: Pattern): boolean =>
  Object.keys(alternative).join() === "prefix" && typeof alternative.prefix === "string";

/** @throws Error for an operator that the local stage does not play */
export function checkPattern(pattern: Pattern): void {
  for (const [name, wanted] of Object.entries(pattern)) {
    if (isObject(wanted)) checkPattern(wanted);
    else if (!Array.isArray(wanted)) throw new Error(`A pattern lists the values that it wants; ${name} is none.`);
    const unknown = [wanted]
      .flat()
      .find((one) => name === "$or" || (wanted !== one && isObject(one) && !isPrefix(one)));
    if (unknown)
      throw new Error(`The local stage does not play the event pattern ${JSON.stringify({ [name]: wanted })}.`);
  }
}

/** A value, or `{ "prefix": "a" }`. */
function matchesAlternative(alternative: unknown, value: unknown): boolean {
  if (!isObject(alternative)) return alternative === value;
  return typeof value === "string" && value.startsWith(String(alternative.prefix));
}

/** A field has one value or several. An empty list has none. */
const valuesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Whether an event matches all fields of a pattern that `checkPattern` has accepted. */
export function matchesPattern(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([name, wanted]) => {
    const values = valuesOf(isObject(event) ? event[name] : undefined);
    if (!Array.isArray(wanted)) return values.some((part) => matchesPattern(wanted as Pattern, part));
    return wanted.some((alternative) => values.some((value) => matchesAlternative(alternative, value)));
  });
}
