/** The responses for refused requests in the reference (`docs/contract.md`, "Errors"). */
import { type ProblemCode, refusalsOf, statusOfCode } from "#api/refusals.ts";
import type { Route } from "#api/routes.ts";
import { headersOf } from "#kit/problem.ts";
import { sentences } from "./examples.ts";
import type { Components, JsonSchema } from "./schemas.ts";

const requestId = "JKJaXmPLvHcESHA=";
const issues = [{ path: "/capac", message: "must be a whole number from 1 to 1,000,000, or null" }];

/** `NOT_FOUND` -> `NotFound` */
const pascal = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const text = { type: "string" };

/** The message of admin routes for other callers. */
const adminsOnly = "Unauthorized";
const isForAdmins = (route: Route, code: ProblemCode): boolean => route.access === "admin" && code === "FORBIDDEN";

/** The schema of one refusal. */
function problemSchema(
  code: ProblemCode,
  details: Readonly<Record<string, JsonSchema>>,
  message: JsonSchema = text,
): JsonSchema {
  const isValidation = code === "VALIDATION";
  return {
    type: "object",
    additionalProperties: false,
    required: ["message", "code", "requestId", ...(isValidation ? ["issues"] : []), ...Object.keys(details)],
    properties: {
      message,
      code: { const: code },
      requestId: text,
      ...(isValidation && {
        issues: {
          type: "array",
          maxItems: 20,
          items: {
            type: "object",
            additionalProperties: false,
            required: ["path", "message"],
            properties: { path: text, message: text },
          },
        },
      }),
      ...details,
    },
  };
}

/** The gateway's own errors have only a message. */
const gatewaySchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["message"],
  properties: { message: { type: ["string", "null"] } },
};

/** The additional fields of a refusal, as schemas. */
const detailsOf = (route: Route, code: ProblemCode, components: Components): [string, JsonSchema][] =>
  Object.entries(route.details?.[code] ?? {}).map(([field, schema]) => [field, components.of(schema, "response")]);

const exampleProblem = (route: Route, code: ProblemCode) => ({
  message: isForAdmins(route, code) ? adminsOnly : sentences[code],
  code,
  requestId,
  ...(code === "VALIDATION" && { issues }),
});

/** The gateway's own messages, by status. */
const gatewaySentences: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  413: "Request Entity Too Large",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

const descriptions: Readonly<Record<number, string>> = {
  400: "The request is malformed.",
  401: "There is no valid ID token.",
  403: "The caller may not do this.",
  404: "There is no such thing, or the caller may not see it.",
  409: "The request does not fit the present state.",
  422: "The key belongs to another request.",
  412: "It is not what If-Match names: it has changed since it was read, or is not there.",
  413: "The body is larger than 256 KB.",
  429: "Too many requests at once, or the same too often.",
  431: "Address and headers together are larger than 10 KB.",
  500: "An error of the service.",
  503: "Another try makes sense, after the seconds of Retry-After. Without that header, look before you try again.",
};

const retryAfter = {
  "Retry-After": { description: "Seconds until another try makes sense.", schema: { type: "integer", minimum: 1 } },
};

const presentTag = {
  ETag: { description: "The present edit version; absent when there is nothing.", schema: { type: "string" } },
};

/** The headers of some refusals. */
const headersFor = (codes: readonly ProblemCode[]): object => ({
  ...(codes.some((code) => headersOf[code] || code === "TOO_OFTEN") && retryAfter),
  ...(codes.includes("PRECONDITION_FAILED") && presentTag),
});

/**
 * The refusals of a route as responses by status. They become components of the document, except those with route-specific
 * fields.
 */
export function problemResponses(
  route: Route,
  operationId: string,
  components: Components,
  exampleOf: (schema: JsonSchema, field: string) => unknown,
): Record<string, object> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of refusalsOf(route)) {
    const status = statusOfCode(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const ofGateway = [...(route.access === "public" ? [] : [401]), 413, 429, 431, 500, 503];
  const statuses = [...new Set([...byStatus.keys(), ...ofGateway])].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = byStatus.get(status) ?? [];
      const schemas = codes.map((code) => problemOf(route, code, operationId, components));
      const examples = codes.map((code) => {
        const details = detailsOf(route, code, components).map(([name, schema]) => [name, exampleOf(schema, name)]);
        return [code, { value: { ...exampleProblem(route, code), ...Object.fromEntries(details) } }];
      });
      const response = responseOf(
        status,
        codes,
        schemas,
        Object.fromEntries(examples),
        ofGateway.includes(status),
        components,
      );
      const isOwn = codes.some((code) => route.details?.[code]);
      return [status, isOwn ? response : components.addResponse(responseName(route, status, codes), response)];
    }),
  );
}

const nameOf = (route: Route, code: ProblemCode): string => (isForAdmins(route, code) ? "AdminsOnly" : pascal(code));

/** `NotFound`, `DuplicateOrEventClosed`; for a response only of the gateway `Gateway429`. */
const responseName = (route: Route, status: number, codes: readonly ProblemCode[]): string =>
  codes.length === 0 ? `Gateway${status}` : codes.map((code) => nameOf(route, code)).join("Or");

function responseOf(
  status: number,
  codes: readonly ProblemCode[],
  schemas: readonly JsonSchema[],
  ownExamples: object,
  isOfGateway: boolean,
  components: Components,
): object {
  const all = isOfGateway ? [...schemas, components.add("GatewayProblem", gatewaySchema)] : schemas;
  const examples = {
    ...ownExamples,
    ...(isOfGateway && { gateway: { value: { message: gatewaySentences[status] } } }),
  };
  const headers = headersFor(codes);
  return {
    description: descriptions[status],
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { "application/json": { schema: all.length === 1 ? all[0] : { anyOf: all }, examples } },
  };
}

function problemOf(route: Route, code: ProblemCode, operationId: string, components: Components): JsonSchema {
  const name = `${nameOf(route, code)}Problem`;
  if (isForAdmins(route, code)) return components.add(name, problemSchema(code, {}, { const: adminsOnly }));
  if (!route.details?.[code]) return components.add(name, problemSchema(code, {}));
  const ownName = operationId.charAt(0).toUpperCase() + operationId.slice(1) + name;
  return components.add(ownName, problemSchema(code, Object.fromEntries(detailsOf(route, code, components))));
}
