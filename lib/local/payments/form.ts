/**
 * Forms with brackets, as the provider's client sends them: `line_items[0][quantity]=1`. The package that reads them
 * ships no types.
 */
import { createRequire } from "node:module";

/** What a parameter may be. */
export type FormValue = string | FormValue[] | Form | undefined;
/** Parameters by name. */
export interface Form {
  readonly [name: string]: FormValue;
}

interface Qs {
  parse(text: string, options: Readonly<Record<string, unknown>>): Form;
}

const { parse } = createRequire(import.meta.url)("qs") as Qs;

/** Objects without a prototype, so that no parameter's name means anything to the language. */
export const readForm = (text: string): Form =>
  parse(text, { plainObjects: true, depth: 10, arrayLimit: 200, parameterLimit: 2_000 });

/** The same for the same parameters in another order. */
export function canonicalForm(text: string): string {
  const parameters = new URLSearchParams(text);
  parameters.sort();
  return parameters.toString();
}
