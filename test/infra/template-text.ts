/** CloudFormation values as lines that a person reads. */
import { textOf } from "./stage-templates.ts";

/** A property's path and its value as text: `["ScalingConfig.MaximumConcurrency", "5"]`. */
export type Setting = readonly [key: string, value: string];

/** CloudFormation takes one value in the place of a list with one. */
export const list = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

const isIntrinsic = (value: object): boolean => {
  const [name = "", ...others] = Object.keys(value);
  return others.length === 0 && ["Ref", "Fn::GetAtt", "Fn::Join", "Fn::Sub"].includes(name);
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !isIntrinsic(value);

/** Filters and formats of logs are JSON inside a string; a reader wants to see what they say. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A value in one line: `[{AttributeName: PK, KeyType: HASH}]`, `${Table7ABB320E.Arn}/index/GSI1`. */
export function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`;
  if (isObject(value)) {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${key}: ${inLine(inner)}`)
      .join(", ")}}`;
  }
  const text = typeof value === "object" && value !== null ? textOf(value) : String(value);
  return text === "" || text.includes("\n") ? JSON.stringify(text) : text;
}

/** How many objects stand in one another. */
const depth = (value: unknown): number =>
  isObject(value) ? Math.max(0, ...Object.values(value).map(depth)) + (Array.isArray(value) ? 0 : 1) : 0;

/** The settings under a path, one for each value; a list of simple things stays together. */
export function settingsOf(path: string, given: unknown): Setting[] {
  const value = unwrapped(given);
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, inLine(value)]];
  if (!Array.isArray(value)) {
    return Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, inner]) => settingsOf(`${path}.${key}`, inner));
  }
  if (depth(value) <= 1) return [[path, inLine(value)]];
  return value.flatMap((inner, index) => settingsOf(`${path}[${index}]`, inner));
}

interface PolicyDocument {
  readonly Version?: unknown;
  readonly Statement?: unknown;
}

interface Statement {
  readonly Sid?: unknown;
  readonly Effect?: unknown;
  readonly Action?: unknown;
  readonly Resource?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

/**
 * What a policy allows and denies, by resource: `["Allow on ${Table7ABB320E.Arn}", "dynamodb: GetItem, Query"]`. How its
 * statements are cut makes no difference.
 */
export function permissionsOf({ Version, Statement, ...others }: PolicyDocument): Setting[] {
  const actions = new Map<string, string[]>();
  for (const statement of list(Statement)) {
    const { Sid: _label, Effect, Action, Resource, Principal, Condition, ...rest } = statement as Statement;
    const who = Principal === undefined ? "" : ` to ${inLine(Principal)}`;
    const when = Condition === undefined ? "" : ` if ${inLine(Condition)}`;
    const more = Object.keys(rest).length === 0 ? "" : ` with ${inLine(rest)}`;
    const places = Resource === undefined ? [""] : list(Resource).map((resource) => ` on ${inLine(resource)}`);
    for (const where of places) {
      const key = `${inLine(Effect)}${where}${who}${when}${more}`;
      actions.set(key, [...(actions.get(key) ?? []), ...list(Action).map(inLine)]);
    }
  }
  return [
    ...(Version === "2012-10-17" ? [] : settingsOf("Version", Version)),
    ...Object.entries(others).flatMap(([key, value]) => settingsOf(key, value)),
    ...[...actions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, all]): Setting => [key, byService(all)]),
  ];
}

/** `dynamodb: GetItem, Query; s3: GetObject` */
function byService(actions: readonly string[]): string {
  const services = new Map<string, string[]>();
  for (const action of [...new Set(actions)].sort()) {
    const [service = "", ...names] = action.split(":");
    services.set(service, [...(services.get(service) ?? []), names.join(":")]);
  }
  return [...services].map(([service, names]) => `${service}: ${names.join(", ")}`).join("; ");
}
