/** The responses for refused requests in the reference (`docs/contract.md`, "Errors"). */
import { type ProblemCode, refusalsOf, statusOfCode } from "#api/refusals.ts";
import type { Route } from "#api/routes.ts";
import { headersOf } from "#kit/request/problem.ts";
import type { Components, JsonSchema } from "./schemas.ts";
import { adminsOnly, isGeneral, type Named, refusalSentences } from "./sentences.ts";

const requestId = "JKJaXmPLvHcESHA=";
const issues = [{ path: "/capac", message: "must be a whole number from 1 to 1,000,000, or null" }];

/** `NOT_FOUND` -> `NotFound` */
const pascal = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const text = (description: string): JsonSchema => ({ type: "string", description });

const isForAdmins = (route: Route, code: ProblemCode): boolean => route.access === "admin" && code === "FORBIDDEN";

/** The schema of one refusal. */
function problemSchema(
  code: ProblemCode,
  details: Readonly<Record<string, JsonSchema>>,
  message: JsonSchema = text("The reason, in a sentence for people."),
): JsonSchema {
  const isValidation = code === "VALIDATION";
  return {
    type: "object",
    additionalProperties: false,
    required: ["message", "code", "requestId", ...(isValidation ? ["issues"] : []), ...Object.keys(details)],
    properties: {
      message,
      code: { const: code, description: "The reason for programs." },
      requestId: text("The request in the service's log."),
      ...(isValidation && {
        issues: {
          type: "array",
          description: "The errors of the request, at most 20.",
          maxItems: 20,
          items: {
            type: "object",
            additionalProperties: false,
            required: ["path", "message"],
            properties: {
              path: text("A JSON pointer into the body, or `/name` of a parameter."),
              message: text("What is wrong with it."),
            },
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
  properties: { message: { type: ["string", "null"], description: "The reason, in the gateway's words." } },
};

/** The additional fields of a refusal, as schemas. */
const detailsOf = (route: Route, code: ProblemCode, components: Components): [string, JsonSchema][] =>
  Object.entries(route.details?.[code] ?? {}).map(([field, schema]) => [
    field,
    components.of(schema, "response", "", field),
  ]);

const exampleProblem = (message: string, code: ProblemCode) => ({
  message,
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

/** Statuses that mean the same everywhere. The others have the sentences of their codes. */
const descriptions: Readonly<Record<number, string>> = {
  400: "The request is malformed.",
  401: "There is no valid ID token.",
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
  named: Named,
  components: Components,
  exampleOf: (schema: JsonSchema, field: string) => unknown,
): Record<string, object> {
  const { route, operationId } = named;
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
      const examples = codes.flatMap((code) => {
        const details = detailsOf(route, code, components).map(([name, schema]) => [name, exampleOf(schema, name)]);
        return refusalSentences(named, code).map((message, at) => [
          at === 0 ? code : `${code} ${at + 1}`,
          { value: { ...exampleProblem(message, code), ...Object.fromEntries(details) } },
        ]);
      });
      const response = responseOf(
        descriptions[status] ?? descriptionOf(named, codes),
        codes,
        schemas,
        Object.fromEntries(examples),
        ofGateway.includes(status) ? status : undefined,
        components,
      );
      const name = responseName(named, status, codes);
      return [status, name === undefined ? response : components.addResponse(name, response)];
    }),
  );
}

/** Which refusals the status has here. */
function descriptionOf(named: Named, codes: readonly ProblemCode[]): string {
  const lines = codes.map((code) => {
    const isAdmins = isForAdmins(named.route, code);
    return `\`${code}\`: ${isAdmins ? "The caller is not an admin." : refusalSentences(named, code).join(" Or: ")}`;
  });
  return lines.length === 1 ? (lines[0] as string) : lines.map((line) => `- ${line}`).join("\n");
}

const nameOf = (route: Route, code: ProblemCode): string => (isForAdmins(route, code) ? "AdminsOnly" : pascal(code));

/**
 * `EventNotFound`, `EventFullOrEventClosed`; for a response only of the gateway `Gateway429`. Undefined: the response is of
 * this operation only.
 */
function responseName(named: Named, status: number, codes: readonly ProblemCode[]): string | undefined {
  if (codes.length === 0) return `Gateway${status}`;
  const names = codes.map((code) => {
    if (named.route.details?.[code]) return undefined;
    if (isGeneral(named, code)) return nameOf(named.route, code);
    const missing = refusalSentences(named, code).map((sentence) => /^(\w+) not found\.$/.exec(sentence)?.[1]);
    return missing.includes(undefined) ? undefined : `${missing.join("Or")}NotFound`;
  });
  return names.includes(undefined) ? undefined : names.join("Or");
}

function responseOf(
  description: string,
  codes: readonly ProblemCode[],
  schemas: readonly JsonSchema[],
  ownExamples: object,
  gatewayStatus: number | undefined,
  components: Components,
): object {
  const all = gatewayStatus ? [...schemas, components.add("GatewayProblem", gatewaySchema)] : schemas;
  const examples = {
    ...ownExamples,
    ...(gatewayStatus && { gateway: { value: { message: gatewaySentences[gatewayStatus] } } }),
  };
  const headers = headersFor(codes);
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { "application/json": { schema: all.length === 1 ? all[0] : { anyOf: all }, examples } },
  };
}

function problemOf(route: Route, code: ProblemCode, operationId: string, components: Components): JsonSchema {
  const name = `${nameOf(route, code)}Problem`;
  if (isForAdmins(route, code))
    return components.add(name, problemSchema(code, {}, { const: adminsOnly, description: "Always the same." }));
  if (!route.details?.[code]) return components.add(name, problemSchema(code, {}));
  const ownName = operationId.charAt(0).toUpperCase() + operationId.slice(1) + name;
  return components.add(ownName, problemSchema(code, Object.fromEntries(detailsOf(route, code, components))));
}
