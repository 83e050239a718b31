/** What a compiled validator looks like, and what its complaints mean to a person. */
import type { Issue } from "./errors.ts";
import { type FormatName, formats } from "./formats.ts";

/** The parts of a request that a route's schemas describe. Validation coerces parameters and drops unknown keys in place. */
export interface RequestParts {
  pathParameters: Record<string, unknown>;
  queryStringParameters: Record<string, unknown>;
  body?: unknown;
}

/** A complaint of ajv, as far as it is used here. */
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
/** ajv says these besides the complaint that matters. */
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

/** Of a parameter `1e400` or `Infinity` ajv makes a number, and does not hold it against the bounds of the schema. */
const infinite = (parameters: Record<string, unknown> = {}): Issue[] =>
  Object.entries(parameters).flatMap(([name, value]) =>
    value === Infinity || value === -Infinity ? [{ path: `/${name}`, message: "must be a finite number" }] : [],
  );

/** Every issue of a request, none when it is fine. Coerces and cleans `request` in place. */
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
