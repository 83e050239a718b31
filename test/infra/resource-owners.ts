/** Which resources of a template belong to another one, so that a reader wants to see them with it. */
import { ofType, type StageTemplate } from "./stage-templates.ts";
import { list } from "./template-text.ts";

/** The property with which a part names the resource that it belongs to. */
export const belongsBy: Readonly<Record<string, string>> = {
  "AWS::IAM::Policy": "Roles",
  "AWS::Lambda::Permission": "FunctionName",
  "AWS::Lambda::EventInvokeConfig": "FunctionName",
  "AWS::Lambda::EventSourceMapping": "FunctionName",
  "AWS::SQS::QueuePolicy": "Queues",
  "AWS::S3::BucketPolicy": "Bucket",
  "AWS::SNS::TopicPolicy": "Topics",
};

/** Logical id that a value refers to. */
function referredTo(value: unknown): string | undefined {
  const { Ref, "Fn::GetAtt": [id, attribute] = [] } = (value ?? {}) as { Ref?: string; "Fn::GetAtt"?: string[] };
  return Ref ?? (attribute === "Arn" ? id : undefined);
}

/** The owners of each part, by logical ids. A part that names something unknown is not in here. */
export function ownersOf(template: StageTemplate): Map<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const [id, { Properties }] of ofType(template, "AWS::Lambda::Function")) {
    for (const part of [referredTo(Properties.Role), referredTo(Properties.LoggingConfig?.LogGroup)]) {
      if (part !== undefined && part in template.Resources) owners.set(part, [...(owners.get(part) ?? []), id]);
    }
  }
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    const property = belongsBy[Type];
    if (property === undefined) continue;
    const found = list(Properties[property]).map((value) => {
      const named = referredTo(value) ?? "";
      // A policy names a role, which belongs to a function.
      if (Type === "AWS::IAM::Policy") return owners.get(named) ?? [];
      return named in template.Resources ? [named] : [];
    });
    if (found.length > 0 && found.every((some) => some.length > 0)) owners.set(id, found.flat());
  }
  return owners;
}

/** Logical ids without the hash at their end; two that differ in nothing else keep it. */
export function shortNames({ Resources }: StageTemplate): Map<string, string> {
  const withoutHash = (id: string): string => id.replace(/[0-9A-F]{8}$/, "");
  const ids = Object.keys(Resources);
  const times = new Map<string, number>();
  for (const name of ids.map(withoutHash)) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(ids.map((id) => [id, times.get(withoutHash(id)) === 1 ? withoutHash(id) : id]));
}
