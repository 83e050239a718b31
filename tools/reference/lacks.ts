/** What the declarations of routes lack for the reference. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TProperties } from "typebox";
import { Errors } from "typebox/schema";
import { problemCodes, refusalsOf } from "#api/refusals.ts";
import type { Route } from "#api/routes.ts";
import { exampleOf } from "./examples.ts";
import { answerSentence, type Named, refusalSentences } from "./operations.ts";
import { type Direction, directionTo, type JsonSchema, jsonOf } from "./schemas.ts";

/** The declarations lack texts. The message has a line for each, and is printed without a stack trace. */
export class NothingSaid extends Error {}

/** @throws NothingSaid with all that is missing, by file and line */
export function refuseLacks(all: readonly Named[]): void {
  const lacks = [...new Set(all.flatMap(lacksOf))];
  if (lacks.length > 0) throw new NothingSaid(lacks.join("\n"));
}

/** The files that schemas of several capabilities are in. */
const shared = ["details", "event-fields", "schemas"].map((name) => `lambda/api/records/${name}.ts`);

function lacksOf(named: Named): string[] {
  const { route, name, capability } = named;
  const { responses, summary } = route;
  const routes = `lambda/api/${capability}/routes.ts`;
  const ofRoute = (what: string) => `${placeOf(name, [routes])}: ${name} ${what}`;
  const ofField = (field: string, what: string) =>
    `${placeOf(field, [`lambda/api/${capability}/schemas.ts`, routes, ...shared])}: ${field} ${what}`;
  const ofPart = (field: string, what: string) => (field ? ofField(field, what) : ofRoute(`has a part that ${what}`));
  const unnamed = Object.keys(responses).filter((status) => answerSentence(named, status) === undefined);
  const unknown = refusalsOf(route).filter((code) => !problemCodes.includes(code));
  const unsaid = refusalsOf(route).filter(
    (code) => !unknown.includes(code) && refusalSentences(named, code).length === 0,
  );
  const parts = partsOf(route);
  const withoutExample: string[] = [];
  const misfits: string[] = [];
  for (const [part, field] of parts) {
    const before = withoutExample.length;
    const example = exampleOf(part, field, (lacking) => withoutExample.push(lacking));
    if (withoutExample.length === before) misfits.push(...misfitsOf(part, example, field));
  }
  return [
    ...unknown.map((code) => ofRoute(`refuses with ${code}, which lambda/api/refusals.ts lacks`)),
    ...(summary ? [] : [ofRoute("has no summary")]),
    ...[...unnamed, ...unsaid].map((answer) => ofRoute(`does not say what its ${answer} is, in \`says\``)),
    ...parts.flatMap(([part, field]) => undescribed(part, field)).map((field) => ofField(field, "has no description")),
    ...withoutExample.map((field) => ofPart(field, "has no example")),
    ...misfits.map((field) => ofPart(field, "has an example that it does not allow")),
  ];
}

/** All schemas of a route, with the names of those that are fields. */
function partsOf({ params, query, body, responses, details = {}, mediaType, irreversible }: Route): Part[] {
  const fieldsOf = (fields: TProperties, direction: Direction) =>
    Object.entries(fields).map(([name, field]): Part => [jsonOf(field, direction), name]);
  const direction = directionTo({ irreversible });
  const bodies = mediaType ? [] : Object.values(responses);
  return [
    ...fieldsOf({ ...params?.properties, ...query?.properties }, direction),
    ...(body ? [[jsonOf(body, direction), ""] as const] : []),
    ...bodies.map((one) => [jsonOf(one, "response"), ""] as const),
    ...Object.values(details).flatMap((fields) => fieldsOf(fields, "response")),
  ];
}

type Part = readonly [schema: JsonSchema, field: string];

/** The fields without a description, at any depth. */
function undescribed(schema: JsonSchema, field = ""): string[] {
  const { description, properties = {}, items, anyOf = [], additionalProperties } = schema;
  return [
    ...(field && !description ? [field] : []),
    ...Object.entries(properties).flatMap(([name, one]) => undescribed(one, name)),
    ...[items, ...anyOf, additionalProperties].flatMap((one) => (one ? undescribed(one) : [])),
  ];
}

/** The fields of an example that their schemas do not allow. */
const misfitsOf = (schema: JsonSchema, example: unknown, field: string): string[] =>
  Errors(schema, example)[1].map(({ instancePath }) => /[^/\d][^/]*(?=(?:\/\d+)*$)/.exec(instancePath)?.[0] ?? field);

const root = fileURLToPath(new URL("../..", import.meta.url));

/** `<file>:<line>` in the first of these files that declares the name; the first file when none does. */
function placeOf(name: string, files: readonly string[]): string {
  const declaration = new RegExp(`(^|[\\s{(["])${name}"?(:| =|,|\\]| })`);
  for (const file of files.filter((one) => existsSync(root + one))) {
    const lines = readFileSync(root + file, "utf8").split("\n");
    const at = lines.findIndex((line) => declaration.test(line));
    if (at >= 0) return `${file}:${at + 1}`;
  }
  return files[0] as string;
}
