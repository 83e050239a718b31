/** Small edits of a template: a resource by its type, and by what its id or properties have. */
import { ofType, type StageTemplate, type TemplateResource } from "./stage-templates.ts";

export type Edit = (template: StageTemplate) => void;

// biome-ignore lint/suspicious/noExplicitAny: the shapes of CloudFormation
export type Properties = any;

/** The first resource of a type whose id or properties fit. */
export function found(template: StageTemplate, type: string, fits = /./): [string, TemplateResource] {
  const match = ofType(template, `AWS::${type}`).find(
    ([id, { Properties }]) => fits.test(id) || fits.test(JSON.stringify(Properties)),
  );
  if (!match) throw new Error(`no ${type} with ${fits}`);
  return match;
}

export const idOf = (template: StageTemplate, type: string, fits = /./): string => found(template, type, fits)[0];

export const arnOf = (id: string): object => ({ "Fn::GetAtt": [id, "Arn"] });

/**
 * Sets a property.
 * @param path names and indexes between dots; a last name `[]` adds to a list
 * @param value absent: the property is removed; a function gets the template
 */
export const set =
  (type: string, fits: RegExp, path: string, value?: unknown): Edit =>
  (template) => {
    const names = path.split(".");
    const last = names.pop() as string;
    const at = names.reduce((inner, name) => inner[name], found(template, type, fits)[1].Properties);
    const given = typeof value === "function" ? value(template) : value;
    if (last === "[]") at.push(given);
    else if (given === undefined) delete at[last];
    else at[last] = given;
  };

export const without =
  (type: string, fits: RegExp): Edit =>
  (template) => {
    delete template.Resources[idOf(template, type, fits)];
  };

export const all =
  (...edits: readonly Edit[]): Edit =>
  (template) => {
    for (const edit of edits) edit(template);
  };
