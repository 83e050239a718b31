/** What a rule of the guard is, and the judges that several types use. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Resource } from "@aws-cdk/cloudformation-diff";

/** The used part of a CloudFormation template. */
export interface DeliveredTemplate {
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

/** The change of one property; undefined where it is absent. The shapes are those of CloudFormation. */
export interface Change<Value> {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly deployed: DeliveredTemplate;
  readonly wanted: DeliveredTemplate;
}

/** One text for each thing that is wrong with the change, with what would happen and the way to do it instead. */
// biome-ignore lint/suspicious/noExplicitAny: each judge names the shape of its property
export type Judge = (change: Change<any>) => readonly string[];

/** A change that AWS refuses, too, so that nobody can accept it. */
export interface Final {
  readonly awsRefuses: Judge;
}

/** What the guard knows of a type. */
export interface TypeRules {
  /** What is lost with a resource, to complete "it holds …". Absent: a new resource is equivalent. */
  readonly holds?: string | ((properties: Readonly<Record<string, unknown>>) => string | undefined);
  /** What a removed resource ends, to complete "it would be gone, and with it …". */
  readonly ends?: string;
  /** The removal ends nothing when what these properties refer to is removed, too. */
  readonly endsWith?: readonly string[];
  /** The properties that make one with another id the same. Absent: all. */
  readonly sameBy?: readonly string[];
  /** A change of a property without a judge is refused. */
  readonly properties: Readonly<Record<string, Judge | Final | readonly (Judge | Final)[]>>;
  /** The properties that are judged in a new resource, too. If there are any, so are those that no other resource of the type has. */
  readonly opens?: readonly string[];
}

export const harmless: Judge = () => [];

/** Refuses each change, and says what it does. */
export const refused =
  (text: string): Judge =>
  ({ before, after }) =>
    isDeepStrictEqual(before, after) ? [] : [text];

/** Refuses a smaller number. @param absent the value that AWS takes for an absent one */
export const noLess =
  (text: (before: number, after: number) => string, absent: number): Judge =>
  ({ before = absent, after = absent }) =>
    Number(after) < Number(before) ? [text(before, after)] : [];

/** For `noLess`. */
export const seconds = (what: string) => (before: number, after: number) =>
  `${what} would last ${after} s instead of ${before} s.`;

/** Whether one value has all of the other: objects by key, and lists by item. */
function includes(more: unknown, less: unknown): boolean {
  if (Array.isArray(less)) {
    return Array.isArray(more) && less.every((item) => more.some((other) => isDeepStrictEqual(other, item)));
  }
  if (typeof less !== "object" || less === null) return isDeepStrictEqual(more, less);
  if (typeof more !== "object" || more === null) return false;
  return Object.entries(less).every(([key, value]) => includes((more as Record<string, unknown>)[key], value));
}

/** Refuses a value that lacks something of the one before. */
export const onlyMore =
  (text: string): Judge =>
  ({ before, after }) =>
    before === undefined || includes(after, before) ? [] : [text];

/** Whether an address is that of a page whose requests nobody reads on the way. */
export function isSafePage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && hostname === "localhost");
}

/** Whether a value refers to a resource of the template, and not only to the account or the region. */
export const isIn = (value: unknown, { Resources = {} }: DeliveredTemplate): boolean =>
  references(value).some((id) => id in Resources);

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
