/** The used part of a CloudFormation template, and how two of them differ. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Resource } from "@aws-cdk/cloudformation-diff";

export interface DeliveredTemplate {
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

/** A value of a resource that differs. */
export interface Change {
  readonly id: string;
  /** Of the resource. */
  readonly type: string;
  /** Names and indexes between dots; properties without `Properties`. */
  readonly path: string;
  /** Undefined where it is absent, as is `after`. */
  readonly before: unknown;
  readonly after: unknown;
}

/** CloudFormation returns non-ASCII characters as question marks. */
export function asReturned(template: DeliveredTemplate): DeliveredTemplate {
  const text = JSON.stringify(template);
  // A whole template is large, and most have none.
  return /^[\0-\x7f]*$/.test(text) ? template : JSON.parse(text.replaceAll(/[^\0-\x7f]/gu, "?"));
}

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

/** A value as a text, with the types of resources in place of their ids: equal for what differs in its ids only. */
export const shapeOf = (value: unknown, { Resources = {} }: DeliveredTemplate): string =>
  JSON.stringify(value ?? null).replaceAll(/(?<="|\$\{)\w+(?=["}.])/g, (word) => Resources[word]?.Type ?? word);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !/^(?:Ref|Fn::\w+)$/.test(Object.keys(value).join());

/** Lists are compared item by item where both have as many objects; another list is one value. */
function* leaves(before: unknown, after: unknown, path: string): Generator<Pick<Change, "path" | "before" | "after">> {
  if (isDeepStrictEqual(before, after)) return;
  const [from, to] = [before ?? {}, after ?? {}];
  const areLists =
    Array.isArray(from) && Array.isArray(to) && from.length === to.length && [...from, ...to].every(isObject);
  if (isObject(from) && isObject(to) && (areLists || !(Array.isArray(from) || Array.isArray(to)))) {
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
      yield* leaves(from[name], to[name], path === "" ? name : `${path}.${name}`);
    }
  } else yield { path, before, after };
}

/** The values in which two versions of a resource differ; absent: it is new. */
export const changesOf = (id: string, before: Partial<Resource> | undefined, after: Resource): Change[] => {
  const { Properties: from = {}, Metadata: _old, DependsOn: _before, ...others } = before ?? {};
  const { Properties: to = {}, Metadata: _new, DependsOn: _after, ...rest } = after;
  const found = [...leaves(before && others, before && rest, ""), ...leaves(from, to, "")];
  return found.map((leaf) => ({ id, type: after.Type.replace("AWS::", ""), ...leaf }));
};
