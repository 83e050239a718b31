/** What a deploy would lose: resources with irreplaceable content that the change of the template deletes or replaces. */
import { type Resource, ResourceImpact, type TemplateDiff } from "@aws-cdk/cloudformation-diff";
import { contentOf } from "./contents.ts";
import { type DeliveredTemplate, references } from "./template.ts";

/**
 * `deleted`: with its content. `left behind`: it remains in the account, but in no stack. `replaced`: by a new, empty one.
 * `perhaps replaced`: CloudFormation decides during the deploy.
 */
export type Fate = "deleted" | "left behind" | "replaced" | "perhaps replaced";

export interface Loss {
  readonly logicalId: string;
  readonly type: string;
  readonly fate: Fate;
  /** The properties whose change replaces the resource. */
  readonly changed: readonly string[];
  /** Why it matters: at least one clause. */
  readonly reasons: readonly string[];
}

const fates: Partial<Record<ResourceImpact, Fate>> = {
  [ResourceImpact.WILL_DESTROY]: "deleted",
  [ResourceImpact.WILL_ORPHAN]: "left behind",
  [ResourceImpact.WILL_REPLACE]: "replaced",
  [ResourceImpact.MAY_REPLACE]: "perhaps replaced",
};

/** The names of the outputs that refer to a resource. */
function outputsWith(logicalId: string, { Outputs = {} }: DeliveredTemplate): string[] {
  return Object.entries(Outputs).flatMap(([name, { Value }]) => (references(Value).includes(logicalId) ? [name] : []));
}

/** Whether a policy keeps a resource that leaves the stack. */
export const keeps = (policy: unknown): boolean => typeof policy === "string" && policy !== "Delete";

/** Why a deployed resource matters; empty when a new one is equivalent. */
function reasonsFor(logicalId: string, resource: Resource, deployed: DeliveredTemplate): string[] {
  const held = contentOf(resource.Type, resource.Properties);
  const outputs = outputsWith(logicalId, deployed);
  return [
    ...(held === undefined ? [] : [`it holds ${held}`]),
    ...(keeps(resource.DeletionPolicy) || keeps(resource.UpdateReplacePolicy) ? ["its policy says that it stays"] : []),
    ...(outputs.length === 0 ? [] : [`others know it by the output ${outputs.join(", ")}`]),
  ];
}

/**
 * The losses among the differences, sorted by id. Pure. The deployed template determines what matters, so that a change
 * which also removes the policy or output hides nothing.
 */
export function losses(deployed: DeliveredTemplate, diff: TemplateDiff): Loss[] {
  const found: Loss[] = [];
  diff.resources.forEachDifference((logicalId, change) => {
    const fate = fates[change.changeImpact];
    const resource = deployed.Resources?.[logicalId];
    if (fate === undefined || resource === undefined) return;
    const reasons = reasonsFor(logicalId, resource, deployed);
    if (reasons.length === 0) return;
    const changed = Object.entries(change.propertyUpdates).flatMap(([name, { changeImpact }]) =>
      changeImpact !== undefined && changeImpact in fates ? [name] : [],
    );
    found.push({ logicalId, type: resource.Type, fate, changed: change.isRemoval ? [] : changed, reasons });
  });
  return found.sort((a, b) => (a.logicalId < b.logicalId ? -1 : 1));
}

const endings: Readonly<Record<Fate, string>> = {
  deleted: "would be deleted",
  "left behind": "would leave the stack and stay in the account, where no deploy reaches it any more",
  replaced: "would be replaced by a new, empty one",
  "perhaps replaced": "may be replaced by a new, empty one",
};

/** The loss as one sentence. */
export function sentence({ logicalId, type, fate, changed, reasons }: Loss): string {
  const because = changed.length === 0 ? "" : ` (${changed.join(", ")})`;
  return `${logicalId}, ${type}, ${endings[fate]}${because}: ${reasons.join("; ")}.`;
}
