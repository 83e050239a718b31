/**
 * The snapshots of the stages (`snapshots/`) omit nothing, and show what a change does. What must hold is asserted in the
 * other suites.
 */
import { beforeAll, expect, test } from "@jest/globals";
import type { StageName } from "../../lib/stages.ts";
import { leftOut, stageSummary } from "./stage-summary.ts";
import { broken, givenTemplates, type StageTemplate, stageNames } from "./stage-templates.ts";
import { differenceText, summaryText } from "./summary-text.ts";

let templates: Record<StageName, StageTemplate>;
beforeAll(async () => {
  templates = await givenTemplates();
});

/** What a change of production's template does to the summary. */
const shownOf = (change: (template: StageTemplate) => void): string =>
  differenceText(stageSummary(templates.production), stageSummary(broken(templates.production, change)));

test("a type of resource that is neither shown nor left out is refused, and so is a part of the template", () => {
  const cluster = (t: StageTemplate) => {
    t.Resources.Cluster = { Type: "AWS::ECS::Cluster", Properties: {} };
  };
  expect(() => shownOf(cluster)).toThrow('AWS::ECS::Cluster is not in the summary of a stage: add it to "sections"');
  expect(() => shownOf((t) => Object.assign(t, { Conditions: {} }))).toThrow("Conditions is not in the summary");
});

/** A value somewhere in a template. */
interface Leaf {
  /** The same for every resource of a type: `AWS::SQS::Queue.RedrivePolicy.maxReceiveCount`. */
  readonly where: string;
  readonly isReference: boolean;
  readonly replace: (value: unknown) => void;
}

function leavesOf(parent: object, where: string): Leaf[] {
  return Object.entries(parent).flatMap(([key, value]): Leaf[] => {
    const at = Array.isArray(parent) ? where : `${where}.${key}`;
    const isReference = typeof value === "object" && /^(Ref|Fn::\w+)$/.test(Object.keys(value)[0] ?? "");
    if (typeof value === "object" && !isReference) return leavesOf(value, at);
    return [{ where: at, isReference, replace: (other) => Object.assign(parent, { [key]: other }) }];
  });
}

/** Every value of a template but the types of resources. */
function leavesOfTemplate(template: StageTemplate): Leaf[] {
  const leaves = [
    ...leavesOf(template, "").filter(({ where }) => !where.startsWith(".Resources.")),
    ...Object.values(template.Resources).flatMap((resource) =>
      leavesOf(resource, `.${resource.Type}`).filter(({ where }) => where !== `.${resource.Type}.Type`),
    ),
  ];
  return leaves.map((leaf) => ({ ...leaf, where: leaf.where.slice(1).replace(".Properties.", ".") }));
}

/** Where values of a template do not come into its summary: each gets a text of its own, which must be found there. */
function hiddenPlaces(original: StageTemplate): string[] {
  const hidden = [false, true].flatMap((isReference) => {
    const template = structuredClone(original);
    const leaves = leavesOfTemplate(template).filter((leaf) => leaf.isReference === isReference);
    for (const [index, { replace }] of leaves.entries()) replace(isReference ? { Ref: `V${index}V` } : `V${index}V`);
    const text = summaryText(stageSummary(template));
    return leaves.filter((_, index) => !text.includes(`V${index}V`)).map(({ where }) => where);
  });
  return [...new Set(hidden)];
}

test.each(stageNames)("every value of %s is in the summary, unless it is left out with a reason", (stage) => {
  const hidden = hiddenPlaces(templates[stage]);
  const isUnder = (place: string, { where }: { readonly where: string }): boolean =>
    `${place}.`.startsWith(`${where}.`);
  expect(hidden.filter((place) => !leftOut.some((entry) => isUnder(place, entry)))).toEqual([]);
  // No exclusion is unused. The laptop is not watched.
  const isHere = ({ where }: { readonly where: string }) =>
    stage !== "local" || !/^AWS::(SNS|CloudWatch)::/.test(where);
  expect(leftOut.filter((entry) => isHere(entry) && !hidden.some((place) => isUnder(place, entry)))).toEqual([]);
});
