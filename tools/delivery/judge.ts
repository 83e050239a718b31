/** What a deploy changes: what is refused until a reviewer accepts it, and what is shown. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { fullDiff, ResourceImpact } from "@aws-cdk/cloudformation-diff";
import { broadened } from "./access.ts";
import { mayCome, mayLeave, protectedTypes, refusalOf } from "./rules.ts";
import { asReturned, type Change, changesOf, type DeliveredTemplate, references } from "./template.ts";

export interface Finding {
  /** `<logical id>`, `<logical id>.<path>`, `Outputs.<name>`, `Template.<section>` or `TerminationProtection`. */
  readonly name: string;
  /** A clause. */
  readonly text: string;
  /** A hash of the values before and after: an acceptance names it, so that it fits no other deploy. */
  readonly change: string;
}

export interface Judged {
  /** Sorted by name. */
  readonly refused: readonly Finding[];
  /** In words: `sign up limits, per hour: 300 to 600`. */
  readonly shown: readonly string[];
}

const finding = (name: string, text: string, ...values: readonly unknown[]): Finding => {
  const hash = createHash("sha256").update(JSON.stringify([name, text, values]));
  return { name, text, change: hash.digest("hex").slice(0, 12) };
};

const said = (value: unknown): string => {
  // A line break would begin a line of its own, which GitHub could take for a command.
  const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).replaceAll(/\s+/g, " ");
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};
const words = (name: string): string =>
  name
    .replaceAll(/[_.]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();

/** A value by its name; that of a setting in JSON, by its fields. */
function fieldsOf(value: unknown, name: string): Record<string, string> {
  if (typeof value !== "string" || !value.startsWith("{")) return { [name]: said(value) };
  const fields = Object.entries(JSON.parse(value));
  return Object.fromEntries(fields.map(([key, inner]) => [`${name}, ${words(key)}`, said(inner)]));
}

/** A change in words. That of a setting is the same for each function. */
function sentencesOf({ id, type, path, before, after }: Change): string[] {
  if (/S3Key$|SourceObjectKeys/.test(path)) return ["new code or files"];
  const [, setting] = /^Environment\.Variables\.(\w+)$/.exec(path) ?? [];
  const name = words(setting ?? `${type.replace(/.*::/, "")} ${id.replace(/[0-9A-F]{8}$/, "")}, ${path}`);
  const [from = {}, to = {}] = [before, after].map((value) => fieldsOf(value, name));
  return Object.keys({ ...from, ...to })
    .filter((key) => from[key] !== to[key])
    .map((key) => `${key}: ${from[key] ?? "nothing"} to ${to[key] ?? "nothing"}`);
}

/** The id of a subscription has its mailbox in it: with another mailbox it is the same one. */
function withMovedMailbox(
  deployed: DeliveredTemplate,
  { Resources = {}, ...rest }: DeliveredTemplate,
): DeliveredTemplate {
  const of = (all: DeliveredTemplate["Resources"] = {}) =>
    Object.keys(all).filter((id) => all[id]?.Type === "AWS::SNS::Subscription");
  const [[from, ...more], [to, ...others]] = [of(deployed.Resources), of(Resources)];
  if (from === undefined || to === undefined || more.length + others.length > 0) return { Resources, ...rest };
  const { [to]: subscription, ...all } = Resources;
  return { Resources: { ...all, ...(subscription && { [from]: subscription }) }, ...rest };
}

/** Whether an output is an address of the stack, its own host names among them. */
function isOwnAddress(value: unknown, { Resources = {} }: DeliveredTemplate): boolean {
  const hosts = Object.values(Resources).flatMap(({ Properties: { DomainName, DistributionConfig } = {} }) => [
    DomainName,
    ...(DistributionConfig?.Aliases ?? []),
  ]);
  if (typeof value === "string") return hosts.some((host) => host !== undefined && value === `https://${host}`);
  const ids = references(value);
  return ids.length > 0 && ids.every((id) => /^AWS::(?:ApiGatewayV2|CloudFront)::/.test(Resources[id]?.Type ?? ""));
}

/** What is beside the resources: outputs, and what a template of this repository has not. */
function* judgeRest(from: DeliveredTemplate, to: DeliveredTemplate): Generator<Finding | string> {
  const [before, after] = [from, to].map(({ Resources: _, Outputs = {}, ...rest }) => {
    const { Metadata: _more, Description: _text, ...sections } = rest as Record<string, unknown>;
    const named = (kind: string, all: object) => Object.entries(all).map(([name, value]) => [`${kind}.${name}`, value]);
    return Object.fromEntries([...named("Template", sections), ...named("Outputs", Outputs)]);
  }) as [Record<string, { Value?: unknown }>, Record<string, { Value?: unknown }>];
  for (const name of Object.keys({ ...before, ...after })) {
    const [old, now] = [before[name], after[name]];
    if (isDeepStrictEqual(old, now)) continue;
    const text = `${said(old?.Value ?? old)} to ${said(now?.Value ?? now)}`;
    const isAddress = name in before || /Domain(?:Target|Zone)$/.test(name);
    if (isAddress && isOwnAddress(now?.Value, to)) yield `${name}: ${text}`;
    else yield finding(name, `${text}: the web application and commands read it`, old, now);
  }
}

/** Whether CloudFormation makes the resource anew. */
function isReplaced(id: string, before: object, after: object): boolean {
  const { changeImpact } = fullDiff({ Resources: { [id]: before } }, { Resources: { [id]: after } }).resources.get(id);
  return changeImpact === ResourceImpact.WILL_REPLACE || changeImpact === ResourceImpact.MAY_REPLACE;
}

/** A resource that leaves, comes or changes. Sentences are shown, findings refused. */
function* judgeResource(
  id: string,
  deployed: DeliveredTemplate,
  wanted: DeliveredTemplate,
): Generator<Finding | string> {
  const [before, after] = [deployed.Resources?.[id], wanted.Resources?.[id]];
  const type = (before ?? after)?.Type ?? "";
  const isHeld = protectedTypes.includes(type);
  if (after === undefined || (before && before.Type !== after.Type)) {
    const isKept = isHeld || /^Retain/.test(before?.DeletionPolicy ?? "");
    yield mayLeave.test(type) && !isKept
      ? `${type} ${id} leaves`
      : finding(id, `${type} leaves the stack`, before, after);
    return;
  }
  if (before === undefined) yield mayCome.test(type) ? `${type} ${id} comes` : finding(id, `a new ${type}`, after);
  else if (isHeld && isReplaced(id, before, after)) {
    yield finding(id, `${type} is replaced by a new, empty one`, before, after);
  }
  for (const change of changesOf(id, before, after)) {
    const why = refusalOf({ ...change, isNew: before === undefined, deployed, wanted });
    const text = `${said(change.before)} to ${said(change.after)}: ${why}`;
    if (why !== undefined) yield finding(`${id}.${change.path}`, text, change);
    else if (before) yield* sentencesOf(change);
  }
}

/**
 * The changes of a deploy. Pure.
 * @param deployed from GetTemplate
 * @param wanted from `cdk.out`
 */
export function judge(deployed: DeliveredTemplate, wanted: DeliveredTemplate): Judged {
  const from = asReturned(deployed);
  const to = withMovedMailbox(from, asReturned(wanted));
  const ids = Object.keys({ ...from.Resources, ...to.Resources });
  const changed = ids.filter((id) => !isDeepStrictEqual(from.Resources?.[id], to.Resources?.[id]));
  const all = [
    ...changed.flatMap((id) => [...judgeResource(id, from, to)]),
    ...broadened(from, to).map(({ id, text }) => finding(id, text)),
    ...judgeRest(from, to),
  ];
  const refused = all.filter((one) => typeof one !== "string").sort((a, b) => (a.name < b.name ? -1 : 1));
  return { refused, shown: [...new Set(all.filter((one) => typeof one === "string"))] };
}

/** What a deploy does to the protection of the whole stack against its deletion, which is in no template. */
export const protection = (isProtected: boolean, willBe: boolean): Finding[] =>
  willBe
    ? []
    : [finding("TerminationProtection", "the stack would not be protected against its deletion", isProtected)];

/**
 * The policy with which CloudFormation refuses to replace or delete what holds data, but for what is accepted.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html
 * @param accepted logical ids
 */
export function stackPolicy({ Resources = {} }: DeliveredTemplate, accepted: readonly string[]): object {
  const isKept = ([id, { Type }]: [string, { Type: string }]) =>
    protectedTypes.includes(Type) && !accepted.includes(id);
  const kept = Object.entries(Resources).filter(isKept);
  const everyone = { Principal: "*" };
  const allow = { Effect: "Allow", Action: "Update:*", ...everyone, Resource: "*" };
  const deny = { Effect: "Deny", Action: ["Update:Replace", "Update:Delete"], ...everyone };
  return { Statement: [allow, { ...deny, Resource: kept.map(([id]) => `LogicalResourceId/${id}`) }] };
}
