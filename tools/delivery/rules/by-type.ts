/** The rules of all types that the stack has. A type that is not here is refused until it has a rule. */
import { access } from "./access.ts";
import { files } from "./files.ts";
import { functions } from "./functions.ts";
import { messages } from "./messages.ts";
import { people } from "./people.ts";
import type { TypeRules } from "./rule.ts";
import { tables } from "./table.ts";
import { watching } from "./watching.ts";

const byType: Readonly<Record<string, TypeRules>> = {
  ...access,
  ...files,
  ...functions,
  ...messages,
  ...people,
  ...tables,
  ...watching,
};

/** @returns undefined for a type without rules */
export const rulesOf = (type: string): TypeRules | undefined => byType[type];

/** What is lost with a resource; undefined for nothing. Unknown types count as having content. Pure. */
export function holds(type: string, properties: Readonly<Record<string, unknown>> = {}): string | undefined {
  const rules = rulesOf(type);
  if (!rules) return `what tools/delivery/rules does not say, because it does not know the type ${type}`;
  return typeof rules.holds === "function" ? rules.holds(properties) : rules.holds;
}
