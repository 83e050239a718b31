/**
 * Changes that are refused though no content is lost by them: those that CloudFormation or a service refuses, and those that
 * break, expose or silence something. What a deploy loses: `losses.ts`.
 */
import { isDeepStrictEqual } from "node:util";
import { type Resource, ResourceImpact, type TemplateDiff } from "@aws-cdk/cloudformation-diff";
import { asReturned, keeps } from "./losses.ts";
import { holds, rulesOf } from "./rules/by-type.ts";
import { type Change, type DeliveredTemplate, harmless, type Judge, references, type TypeRules } from "./rules/rule.ts";

export interface Refusal {
  /** `<logical id>.<property>`, for `--accept`. Finer than that of a loss: whoever accepts a setting accepts no loss. */
  readonly name: string;
  readonly type: string;
  /** What would happen, and the way to do it instead. */
  readonly text: string;
  /** Whether a person may accept it. A deploy that AWS refuses would fail all the same. */
  readonly acceptable: boolean;
}

type Templates = Pick<Change<unknown>, "deployed" | "wanted">;

const unknownType = "tools/delivery/rules does not know this type. Look up what it opens and holds, and give it rules.";
const unknownChange =
  "tools/delivery/rules does not say that this change is harmless. Look up what AWS does with it, then accept it, or give it a rule.";

const otherType = "CloudFormation cannot change the type of a resource: the deploy would fail. Use another id.";

const judged = (rule: Judge | { readonly awsRefuses: Judge }) =>
  typeof rule === "function" ? { judge: rule, acceptable: true } : { judge: rule.awsRefuses, acceptable: false };

/** All that is wrong with the change of one property. */
function findings(id: string, type: string, property: string, change: Change<unknown>): Refusal[] {
  const rules = rulesOf(type)?.properties[property] ?? (() => [unknownChange]);
  return [rules].flat().flatMap((rule) => {
    const { judge, acceptable } = judged(rule);
    return judge(change).map((text) => ({ name: `${id}.${property}`, type, text, acceptable }));
  });
}

/** Beside the properties. What is not here is refused. */
const ofEveryType: Readonly<Record<string, Judge>> = Object.fromEntries([
  ...["Type", "Properties", "Metadata", "DependsOn"].map((name) => [name, harmless] as const),
  ...["DeletionPolicy", "UpdateReplacePolicy"].map((name) => {
    const text = "a later deploy, or the deletion of the stack, could delete it.";
    const judge: Judge = ({ before, after }) => (keeps(before) && !keeps(after) ? [text] : []);
    return [name, judge] as const;
  }),
]);

const keysOf = (...values: readonly object[]): string[] => [...new Set(values.flatMap(Object.keys))];

/** What is wrong with the change of a resource that stays, also under another id. */
function changed(id: string, before: Resource, after: Resource, templates: Templates): Refusal[] {
  const type = after.Type;
  const [old, wanted] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const beside = keysOf(before, after)
    .filter((name) => !isDeepStrictEqual(old[name], wanted[name]))
    .flatMap((name) => {
      const judge = ofEveryType[name] ?? (() => [unknownChange]);
      const texts = judge({ before: old[name], after: wanted[name], ...templates });
      return texts.map((text) => ({ name: `${id}.${name}`, type, text, acceptable: true }));
    });
  const [from, to] = [before.Properties ?? {}, after.Properties ?? {}];
  const properties = keysOf(from, to)
    .filter((name) => !isDeepStrictEqual(from[name], to[name]))
    .flatMap((name) => findings(id, type, name, { before: from[name], after: to[name], ...templates }));
  return [...beside, ...properties];
}

function added(id: string, { Type: type, Properties = {} }: Resource, templates: Templates): Refusal[] {
  const rules = rulesOf(type);
  if (!rules) return [{ name: id, type, text: unknownType, acceptable: true }];
  if (!rules.opens) return [];
  const others = Object.values(templates.deployed.Resources ?? {}).filter(({ Type }) => Type === type);
  const usual = keysOf(rules.properties, ...others.map((other) => other.Properties ?? {}));
  const unusual = Object.keys(Properties).filter((name) => !usual.includes(name));
  return [...rules.opens, ...unusual].flatMap((name) =>
    findings(id, type, name, { before: undefined, after: Properties[name], ...templates }),
  );
}

/** What ends with a resource, unless what it belongs to is removed as well. */
function removed(id: string, { Type: type, Properties = {} }: Resource, { deployed, wanted }: Templates): Refusal[] {
  const { ends, endsWith = [] }: Partial<TypeRules> = rulesOf(type) ?? {};
  if (ends === undefined) return [];
  const isIn =
    ({ Resources = {} }: DeliveredTemplate) =>
    (other: string) =>
      other in Resources;
  const belongsTo = endsWith.flatMap((name) => references(Properties[name])).filter(isIn(deployed));
  if (belongsTo.length > 0 && !belongsTo.every(isIn(wanted))) return [];
  return [{ name: id, type, text: `it would be gone, and with it ${ends}.`, acceptable: true }];
}

/** By what a resource under another id is the same. */
function identity({ Type, Properties = {} }: Resource): string {
  const names = rulesOf(Type)?.sameBy;
  return JSON.stringify([Type, names ? names.map((name) => Properties[name]) : Properties]);
}

/** What is wrong beside the resources. */
function ofTemplate({ deployed, wanted }: Templates): Refusal[] {
  const [old, after] = [deployed as Record<string, object>, wanted as Record<string, object>];
  const outputs = Object.entries(deployed.Outputs ?? {}).filter(
    ([name, { Value }]) => !isDeepStrictEqual(Value, wanted.Outputs?.[name]?.Value),
  );
  const sections = keysOf(deployed, wanted).filter(
    (name) =>
      !["Resources", "Outputs", "Description", "Metadata"].includes(name) && !isDeepStrictEqual(old[name], after[name]),
  );
  const refusal = (name: string, text: string) => ({ name, type: "the template", text, acceptable: true });
  return [
    ...outputs.map(([name]) =>
      refusal(`Outputs.${name}`, "the web application or a command would read something else, or nothing."),
    ),
    ...sections.map((name) => refusal(`Template.${name}`, unknownChange)),
  ];
}

/** The refusals among the differences, sorted by name. Pure. */
export function refusals(deployed: DeliveredTemplate, wanted: DeliveredTemplate, diff: TemplateDiff): Refusal[] {
  const templates = { deployed: asReturned(deployed), wanted: asReturned(wanted) };
  const [found, gone, come]: [Refusal[], [string, Resource][], [string, Resource][]] = [[], [], []];
  diff.resources.forEachDifference((id, { oldValue, newValue, changeImpact }) => {
    if (!newValue) gone.push([id, oldValue as Resource]);
    else if (!oldValue) come.push([id, newValue]);
    else if (oldValue.Type !== newValue.Type)
      found.push({ name: id, type: newValue.Type, text: otherType, acceptable: false });
    // A replaced resource with content is a loss.
    else if (changeImpact !== ResourceImpact.WILL_REPLACE || holds(oldValue.Type, oldValue.Properties) === undefined)
      found.push(...changed(id, oldValue, newValue, templates));
  });
  for (const [id, resource] of gone) {
    const at = come.findIndex(([, other]) => identity(other) === identity(resource));
    const [renamed] = at < 0 ? [] : come.splice(at, 1);
    found.push(...(renamed ? changed(renamed[0], resource, renamed[1], templates) : removed(id, resource, templates)));
  }
  for (const [id, resource] of come) found.push(...added(id, resource, templates));
  return [...found, ...ofTemplate(templates)].sort((a, b) => (a.name < b.name ? -1 : 1));
}
