/** Who may do more after a deploy, by the statements that the CDK's own comparison finds in policies, roles and permissions. */
import { fullDiff, type TemplateDiff } from "@aws-cdk/cloudformation-diff";
import { type DeliveredTemplate, shapeOf } from "./template.ts";

type Statement = TemplateDiff["iamChanges"]["statements"]["additions"][number];

/** One principal with one action on one resource. */
interface Grant {
  readonly effect: string;
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  readonly condition: string;
}

const grantsOf = ({ effect, principals, actions, resources, condition }: Statement): Grant[] => {
  const [who, what, which] = [principals, actions, resources].map(({ not, values }) =>
    values.map((value) => (not ? `all but ${value}` : value)),
  ) as [string[], string[], string[]];
  const grant = { effect, condition: JSON.stringify(condition ?? {}) };
  return who.flatMap((principal) =>
    what.flatMap((action) => which.map((resource) => ({ ...grant, principal, action, resource }))),
  );
};

const textOf = ({ effect, principal, action, resource, condition }: Grant): string =>
  `${effect} ${principal}: ${action} on ${resource}${condition === "{}" ? "" : ` if ${condition}`}`;

/** What one function has is not for the others: secrets, and the messages of a queue. */
const isOfOne = /^(?:secretsmanager|kms|iam):|^sqs:(?:Receive|Delete|Purge)/i;

/** The sender of the mails is a value of `lib/stages.ts`. */
const sender = /(?<="ses:FromAddress":")[^\s"@*]+@[\w.-]+(?=")/g;

/** The grant by types: on this resource, and on another of its type. */
function alike(grant: Grant, template: DeliveredTemplate): readonly [same: string, other: string] {
  const typed = (text: string): string => JSON.parse(shapeOf(text.replaceAll(sender, "the sender"), template));
  const same = { ...grant, principal: typed(grant.principal), condition: typed(grant.condition) };
  return [textOf(same), textOf({ ...same, resource: typed(grant.resource) })];
}

/** A part of the template: what grants something. */
const ofAccess = ({ Resources = {} }: DeliveredTemplate): DeliveredTemplate => ({
  Resources: Object.fromEntries(
    Object.entries(Resources).filter(([, { Type }]) => /IAM|Permission|Policy$/.test(Type)),
  ),
});

const idsIn = (text: string): string[] => [...text.matchAll(/\$\{(\w+)(?=[.}])/g)].map(([, id]) => id as string);

/** What is granted and was not, or no longer denied. */
export interface Broadened {
  /** The logical id of the role, or of the resource that others reach. */
  readonly id: string;
  readonly text: string;
}

/**
 * What the deploy grants more. Not what another role of the deployed stack has on this resource or, where this one is new,
 * on one of its type. Pure.
 */
export function broadened(deployed: DeliveredTemplate, wanted: DeliveredTemplate): Broadened[] {
  const { statements, managedPolicies } = fullDiff(ofAccess(deployed), ofAccess(wanted)).iamChanges;
  const [added, removed] = [statements.additions.flatMap(grantsOf), statements.removals.flatMap(grantsOf)];
  const [before, after] = [removed, added].map((all) => new Set(all.map(textOf)));
  const all = fullDiff({}, ofAccess(deployed)).iamChanges.statements.additions.flatMap(grantsOf);
  const known = new Set(all.flatMap((grant) => alike(grant, deployed).slice(isOfOne.test(grant.action) ? 1 : 0)));
  const { Resources: old = {} } = deployed;
  const isKnown = (grant: Grant): boolean => {
    const [same, other] = alike(grant, wanted);
    const ids = idsIn(grant.resource);
    return known.has(same) || (ids.length > 0 && ids.every((id) => !(id in old)) && known.has(other));
  };
  const stays = ({ resource }: Grant) => idsIn(resource).every((id) => id in (wanted.Resources ?? {}));
  const found = [
    ...added.filter((one) => one.effect !== "Deny" && !before?.has(textOf(one)) && !isKnown(one)),
    ...removed.filter((one) => one.effect === "Deny" && !after?.has(textOf(one)) && stays(one)),
  ].map((one) => ({ id: idsIn(`${one.principal} ${one.resource}`)[0] ?? one.resource, text: textOf(one) }));
  const managed = managedPolicies.additions.map(({ identityArn, managedPolicyArn }) => ({
    id: idsIn(identityArn)[0] ?? identityArn,
    text: `Allow ${identityArn}: all of ${managedPolicyArn}`,
  }));
  return [...found, ...managed].map(({ id, text }) => ({ id, text: text.replace(/^Deny/, "no longer Deny") }));
}
