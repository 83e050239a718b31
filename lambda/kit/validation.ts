/** The shape of a compiled validator, and its complaints as sentences for people. */
import type { Issue } from "./errors.ts";
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

/** A complaint of ajv, with the fields that the service reads. */
export interface Complaint {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
}

export interface CompiledSchema {
  (data: unknown): boolean;
  errors?: Complaint[] | null;
}

/** Compiled schemas of one route: its parameters and its body. */
export interface RequestValidator {
  readonly parameters?: CompiledSchema;
  readonly body?: CompiledSchema;
}

const maxIssues = 20;
/** Keywords that ajv reports besides the complaint that matters. */
const echoes = new Set(["if", "propertyNames"]);

function sentence({ keyword, params }: Complaint): string {
  switch (keyword) {
    case "format":
      return formats[params.format as FormatName].message;
    case "required":
      return "is required";
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "type":
      return `must be ${[params.type].flat().join(" or ")}`;
    case "minimum":
    case "maximum":
      return `must be ${params.comparison} ${params.limit}`;
    case "maxLength":
      return `must have at most ${params.limit} characters`;
    case "minLength":
      return `must have at least ${params.limit} characters`;
    case "maxItems":
      return `must have at most ${params.limit} entries`;
    default:
      return "is not valid";
  }
}

function issueOf(complaint: Complaint): Issue {
  const missing = complaint.keyword === "required" ? `/${String(complaint.params.missingProperty)}` : "";
  return { path: complaint.instancePath + missing || "/", message: sentence(complaint) };
}

/**
 * ajv turns the parameters `1e400` and `Infinity` into infinite numbers, and does not check them against the bounds of
 * the schema.
 */
const infinite = (parameters: Record<string, unknown> = {}): Issue[] =>
  Object.entries(parameters).flatMap(([name, value]) =>
    value === Infinity || value === -Infinity ? [{ path: `/${name}`, message: "must be a finite number" }] : [],
  );

/** All issues of a request; empty when it is valid. Converts and cleans `request` in place. */
export function issuesOf(validator: RequestValidator, request: RequestParts): Issue[] {
  const issues: Issue[] = [];
  const check = (schema: CompiledSchema | undefined, data: unknown, strip: RegExp) => {
    if (schema === undefined || schema(data)) return;
    for (const complaint of schema.errors ?? []) {
      if (echoes.has(complaint.keyword) || issues.length >= maxIssues) continue;
      const issue = issueOf(complaint);
      issues.push({ ...issue, path: issue.path.replace(strip, "") || "/" });
    }
  };
  check(validator.parameters, request, /^\/(pathParameters|queryStringParameters)/);
  issues.push(...infinite(request.pathParameters), ...infinite(request.queryStringParameters));
  check(validator.body, request.body, /^$/);
  return issues;
}
