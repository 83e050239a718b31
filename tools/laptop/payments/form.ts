/**
 * Forms with brackets, as the provider's client sends them: `line_items[0][quantity]=1`. The package that reads them
 * ships no types.
 */
import { createRequire } from "node:module";

/** The value of a parameter. */
export type FormValue = string | FormValue[] | Form | undefined;
/** Parameters by name. */
export interface Form {
  readonly [name: string]: FormValue;
}

interface Qs {
  parse(text: string, options: Readonly<Record<string, unknown>>): Form;
}

const { parse } = createRequire(import.meta.url)("qs") as Qs;

/** Objects without a prototype: a parameter may have the name of a member of every JavaScript object. */
export const readForm = (text: string): Form =>
  parse(text, { plainObjects: true, depth: 10, arrayLimit: 200, parameterLimit: 2_000 });

/** A text that is equal for equal parameters in any order. */
export function canonicalForm(text: string): string {
  const parameters = new URLSearchParams(text);
  parameters.sort();
  return parameters.toString();
}
