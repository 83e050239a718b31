/** The type of compiled validators, and the conversion of their errors to messages. */

import { type Issue, mostIssues, placeInWords } from "../errors.ts";
import { canonicalEmail } from "../text/email.ts";
import { type FormatName, formats } from "./formats.ts";

/**
 * The parts of a request that a route's schemas describe. Validation converts parameters and drops unknown keys in
 * place.
 */
export interface RequestParts {
  pathParameters: Record<string, unknown>;
  queryStringParameters: Record<string, unknown>;
  body?: unknown;
}

/** The fields that the service uses of an ajv error. */
export interface Complaint {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  /** The error is about this field name, not a value. */
  readonly propertyName?: string;
}

export interface CompiledSchema {
  (data: unknown): boolean;
  errors?: Complaint[] | null;
}

/** Hints from a schema for error messages (`hints.ts`). */
export interface Hints {
  /** What a value must be: `a whole number from 1 to 500`. Places are as in `names`. */
  readonly words: Readonly<Record<string, string>>;
  /** The names of fields, by the place of their object in a request: `/updates/*` is each entry of a list. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** Compiled schemas of one route: its parameters and its body. */
export interface RequestValidator {
  readonly parameters?: CompiledSchema;
  readonly body?: CompiledSchema;
  readonly hints?: {
    readonly parameters?: Hints;
    readonly body?: Hints;
    /** The fields of which the body must contain one, and those that a rule refuses. */
    readonly changes?: { readonly names: readonly string[]; readonly refused: readonly string[] };
    readonly fixedByPath?: Readonly<Record<string, string>>;
    /** Unknown keys are refused (`contract.ts`). */
    readonly irreversible?: true;
  };
}

const isRequired = "is required";
const isUnknown = "is unknown: nothing was done, because this request cannot be undone";
/** Keywords that ajv reports in addition to the actual error. */
const echoes = new Set(["if", "propertyNames", "minProperties"]);

/** The word for each JSON type. */
export const typeWords: Readonly<Record<string, string>> = {
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  string: "text",
  array: "a list",
  object: "an object",
};

/** `text or a list, or null` */
export function typesInWords(types: readonly string[], wordOf = (type: string) => typeWords[type]): string {
  const words = types.filter((type) => type !== "null").map(wordOf);
  return words.join(" or ") + (types.includes("null") ? ", or null" : "");
}

function sentence({ keyword, params, instancePath }: Complaint, hints: Hints | undefined): string {
  const words = hints?.words[instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*")];
  switch (keyword) {
    case "format":
      return formats[params.format as FormatName].message;
    case "required":
      return isRequired;
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "type":
      return `must be ${words ?? typesInWords([params.type].flat() as string[])}`;
    case "minimum":
    case "maximum":
    case "anyOf":
      return words === undefined ? "is not valid" : `must be ${words}`;
    case "maxLength":
      return `must have at most ${params.limit} characters`;
    case "minLength":
      return `must have at least ${params.limit} characters`;
    case "minItems":
      return `must have at least ${params.limit === 1 ? "one entry" : `${params.limit} entries`}`;
    case "maxItems":
    case "maxProperties":
      return `must have at most ${params.limit} entries`;
    case "pattern":
      return "does not have the right form";
    default:
      return "is not valid";
  }
}

function issueOf(complaint: Complaint, hints: Hints | undefined): Issue {
  const missing = complaint.keyword === "required" ? `/${String(complaint.params.missingProperty)}` : "";
  const start = complaint.propertyName === undefined ? "" : "has a name that ";
  return { path: complaint.instancePath + missing || "/", message: start + sentence(complaint, hints) };
}

/**
 * The relevant errors. A value with alternatives gets an error for each of them: those about its type are removed, and the
 * summary is kept unless a part of the value has its own error.
 */
function relevant(complaints: readonly Complaint[]): Complaint[] {
  const choices = complaints.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath);
  const told = complaints.filter(
    ({ keyword, instancePath }) => !echoes.has(keyword) && !(keyword === "type" && choices.includes(instancePath)),
  );
  const isExplained = ({ instancePath }: Complaint): boolean =>
    told.some((one) => one.keyword !== "anyOf" && one.instancePath.startsWith(instancePath));
  return told.filter((complaint) => complaint.keyword !== "anyOf" || !isExplained(complaint));
}

/** Maximum characters of a misspelled name. All field names are far shorter. */
const longestMisspelling = 100;

/** A name without case and separators. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** A name as a part of a JSON pointer (RFC 6901, section 3). */
const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

interface UnknownField extends Issue {
  /** For a misspelled field, the path under the right name. */
  readonly meant?: string;
}

/**
 * Fields that a schema does not have: `meant` is of those that differ from an absent known field only in case or separators.
 */
function* unknownFields(value: unknown, names: Hints["names"], path = "", place = ""): Generator<UnknownField> {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      yield* unknownFields(entry, names, `${path}/${index}`, `${place}/*`);
    }
    return;
  }
  const known = names[place];
  if (known === undefined || typeof value !== "object" || value === null) return;
  let byLetters: Map<string, string> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (known.includes(name)) {
      yield* unknownFields(inner, names, `${path}/${name}`, `${place}/${name}`);
      continue;
    }
    // Of names with the same letters (`firstName`, `first_name`) the first one is meant.
    byLetters ??= new Map(known.toReversed().map((one) => [folded(one), one]));
    const right = name.length > longestMisspelling ? undefined : byLetters.get(folded(name));
    const isMeant = right !== undefined && !Object.hasOwn(value, right);
    const told = isMeant ? { message: `must be spelled ${right}`, meant: `${path}/${right}` } : { message: isUnknown };
    yield { path: `${path}/${escaped(name)}`, ...told };
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A change without any changeable field. A misspelled name is a separate issue. */
const unchanging = (
  body: unknown,
  { names, refused }: { readonly names: readonly string[]; readonly refused: readonly string[] },
): Issue[] =>
  isObject(body) && ![...names, ...refused].some((name) => Object.hasOwn(body, name))
    ? [{ path: "/", message: `must name something to change: ${names.join(", ")}` }]
    : [];

/** Whether a value of a body equals this identifier, which is in canonical form. */
export const isSame = (value: unknown, name: string): boolean =>
  typeof value !== "object" && (String(value) === name || canonicalEmail(String(value)) === name);

/** Fields that contradict the path's parameters. */
function contradicting(
  body: Readonly<Record<string, unknown>>,
  fixed: Readonly<Record<string, string>>,
  { pathParameters }: RequestParts,
): Issue[] {
  const named = Object.entries(fixed).filter(([name]) => Object.hasOwn(body, name));
  return named.flatMap(([name, parameter]) => {
    const right = String(pathParameters[parameter]);
    const message = `must be ${right}, as in the path, or absent: it cannot be changed`;
    return isSame(body[name], right) ? [] : [{ path: `/${name}`, message }];
  });
}

/** An issue of a body, which determines whether a number in the path is a list entry or a field name. */
function inWords(issue: Issue, body: unknown): Issue {
  const name = placeInWords(issue.path, body);
  return name === placeInWords(issue.path) ? issue : { ...issue, name };
}

/**
 * ajv converts the parameters `1e400` and `Infinity` to infinite numbers, and does not check them against the schema's
 * bounds.
 */
const infinite = (parameters: Record<string, unknown> = {}): Issue[] =>
  Object.entries(parameters).flatMap(([name, value]) =>
    value === Infinity || value === -Infinity ? [{ path: `/${name}`, message: "must be a finite number" }] : [],
  );

/** All issues of a request; empty when it is valid. Converts and cleans `request` in place. */
export function issuesOf(validator: RequestValidator, request: RequestParts): Issue[] {
  const { parameters, body, hints = {} } = validator;
  const issues: Issue[] = [];
  const add = (more: Iterable<Issue>): void => {
    for (const issue of more) {
      if (issues.length >= mostIssues) return;
      issues.push(issue);
    }
  };
  // Validation removes unknown fields, so they are checked first.
  const { parameters: query, body: fields, changes, fixedByPath = {}, irreversible } = hints;
  const wrongIn = (part: unknown, hint: Hints | undefined) =>
    [...unknownFields(part, hint?.names ?? {})].filter(({ meant }) => irreversible || meant !== undefined);
  const inBody = wrongIn(request.body, fields);
  const wrongNames = [...wrongIn(request.queryStringParameters, query), ...inBody];
  add(wrongNames.map(({ path, message }) => ({ path, message })));
  if (changes && inBody.length === 0) add(unchanging(request.body, changes));
  const meant = new Set(wrongNames.map((wrong) => wrong.meant));
  const sent = isObject(request.body) ? { ...request.body } : {};
  const check = (schema: CompiledSchema | undefined, data: unknown, hint: Hints | undefined, strip: RegExp) => {
    if (schema === undefined || schema(data)) return;
    const found = relevant(schema.errors ?? []).map((complaint) => issueOf(complaint, hint));
    const told = found.map(({ path, message }) => ({ path: path.replace(strip, "") || "/", message }));
    // A misspelled field is not missing.
    add(told.filter(({ path, message }) => message !== isRequired || !meant.has(path)));
  };
  check(parameters, request, query, /^\/(pathParameters|queryStringParameters)/);
  add([...infinite(request.pathParameters), ...infinite(request.queryStringParameters)]);
  check(body, request.body, fields, /^$/);
  add(contradicting(sent, fixedByPath, request));
  return issues.map((issue) => inWords(issue, request.body));
}
