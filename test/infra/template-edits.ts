/** Small edits of a template: a resource by its type, and by what its id or properties have. */
import { ofType, type StageTemplate, type TemplateResource } from "./stage-templates.ts";

export type Edit = (template: StageTemplate) => void;

// biome-ignore lint/suspicious/noExplicitAny: the shapes of CloudFormation
export type Properties = any;

/** The first resource of a type whose id or properties fit. */
export function found(template: StageTemplate, type: string, fits: RegExp): [string, TemplateResource] {
  const match = ofType(template, `AWS::${type}`).find(
    ([id, { Properties }]) => fits.test(id) || fits.test(JSON.stringify(Properties)),
  );
  if (!match) throw new Error(`no ${type} with ${fits}`);
  return match;
}

export const change =
  (type: string, fits: RegExp, edit: (properties: Properties) => void): Edit =>
  (template) =>
    edit(found(template, type, fits)[1].Properties);

export const without =
  (type: string, fits: RegExp): Edit =>
  (template) => {
    delete template.Resources[found(template, type, fits)[0]];
  };

export const add =
  (id: string, Type: string, given: (template: StageTemplate) => Properties): Edit =>
  (template) => {
    template.Resources[id] = { Type: `AWS::${Type}`, Properties: given(template) };
  };

export const idOf = (template: StageTemplate, type: string, fits = /./) => found(template, type, fits)[0];
