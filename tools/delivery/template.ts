/** The used part of a CloudFormation template, and how two of them differ. Pure. */
import { fullDiff, type Resource, type TemplateDiff } from "@aws-cdk/cloudformation-diff";

export interface DeliveredTemplate {
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

/** CloudFormation returns non-ASCII characters as question marks. */
export function asReturned(template: DeliveredTemplate): DeliveredTemplate {
  const text = JSON.stringify(template);
  // A whole template is large, and most have none.
  return /^[\0-\x7f]*$/.test(text) ? template : JSON.parse(text.replaceAll(/[^\0-\x7f]/gu, "?"));
}

/** All differences of the templates. A deployed template comes from GetTemplate, the other from `cdk.out`. */
export const differences = (deployed: DeliveredTemplate, wanted: DeliveredTemplate): TemplateDiff =>
  fullDiff(asReturned(deployed), asReturned(wanted));

/** The logical ids that a value refers to. */
export function references(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(/\$\{(\w+)[.}]/g)].map(([, id]) => id as string);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "Ref") return [String(inner)];
    if (key === "Fn::GetAtt") return [String([inner].flat()[0]).split(".")[0] as string];
    return references(inner);
  });
}
