import { invalidParameter } from "./problem.ts";

/** A decoded request body, or an object inside it. Its fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);
const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/**
 * Reads a required string.
 * @throws ServiceProblem InvalidParameterException when it is missing, empty, no string or longer than `maximum`
 * characters.
 */
export function text(fields: Fields, name: string, maximum = 2048): string {
  const value = optionalText(fields, name, maximum);
  if (value === undefined) throw constraint("null", name, "Member must not be null");
  if (value === "") throw constraint("''", name, "Member must have length greater than or equal to 1");
  return value;
}

/** Like {@link text}, but the string may be missing. */
export function optionalText(fields: Fields, name: string, maximum = 2048): string | undefined {
  const value = own(fields, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw constraint("a non-string", name, "Member must be a string");
  // The value itself stays out of the message: it may be a password.
  if (value.length > maximum) {
    throw constraint("a longer one", name, `Member must have length less than or equal to ${maximum}`);
  }
  return value;
}

/** Reads a required string from AuthParameters or ChallengeResponses, whose error messages differ. */
export function parameter(fields: Fields, name: string, maximum = 2048): string {
  const value = optionalText(fields, name, maximum);
  if (!value) throw invalidParameter(`Missing required parameter ${name}`);
  return value;
}

/** Reads a nested object; missing counts as empty. */
export function group(fields: Fields, name: string): Fields {
  const value = own(fields, name);
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw constraint("no map", name, "Member must be a map");
  return value as Fields;
}

/** Reads `[{ Name, Value }]`; missing counts as empty, and a later entry of the same name wins. */
export function attributeList(fields: Fields, name: string): Map<string, string> {
  const value = own(fields, name);
  if (value === undefined || value === null) return new Map();
  if (!Array.isArray(value)) throw constraint("no list", name, "Member must be a list");
  return new Map(
    value.map((entry: unknown) => {
      if (typeof entry !== "object" || entry === null)
        throw constraint("no structure", name, "Member must be a structure");
      return [text(entry as Fields, "Name", 32), optionalText(entry as Fields, "Value") ?? ""];
    }),
  );
}

function constraint(found: string, name: string, rule: string): Error {
  return invalidParameter(
    `1 validation error detected: Value ${found} at '${lowerFirst(name)}' failed to satisfy constraint: ${rule}`,
  );
}
