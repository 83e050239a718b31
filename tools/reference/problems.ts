/** The responses for refused requests in the reference (`docs/contract.md`, "Errors"). */
import { STATUS_CODES } from "node:http";
import type { TSchema } from "typebox";
import { type ProblemCode, refusalsOf, statusOfCode } from "#api/refusals.ts";
import { headersOf } from "#kit/request/problem.ts";
import { exampleOf } from "./examples.ts";
import { adminsOnly, isGeneral, type Named, refusalSentences } from "./operations.ts";
import { type Components, type JsonSchema, jsonOf } from "./schemas.ts";

const requestId = "JKJaXmPLvHcESHA=";
const issues = [{ path: "/capac", message: "must be a whole number from 1 to 1,000,000, or null" }];

const text = (description: string): JsonSchema => ({ type: "string", description });

const closed = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});

/** The gateway's own errors have only a message. */
const gatewaySchema = closed({
  message: { ...text("The reason, in the gateway's words."), type: ["string", "null"] },
});

const listOfIssues = {
  type: "array",
  description: "The errors of the request, at most 20.",
  maxItems: 20,
  items: closed({
    path: text("A JSON pointer into the body, or `/name` of a parameter."),
    message: text("What is wrong with it."),
  }),
};

/** The gateway's own messages, by status. */
const gatewaySentences: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: "Request Entity Too Large",
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

/** A refusal of a route. */
class Refusal {
  readonly code: ProblemCode;
  readonly sentences: readonly string[];
  /** Its additional fields, as schemas. */
  readonly details: readonly (readonly [string, JsonSchema])[];
  readonly #named: Named;
  /** Every refusal of a caller who is not an admin, on a route for admins. */
  readonly #isAdminsOnly: boolean;

  constructor(named: Named, code: ProblemCode) {
    const details: Readonly<Record<string, TSchema>> = named.route.details?.[code] ?? {};
    this.code = code;
    this.sentences = refusalSentences(named, code);
    this.details = Object.entries(details).map(([name, schema]) => [name, jsonOf(schema, "response")]);
    this.#named = named;
    this.#isAdminsOnly = named.route.access === "admin" && code === "FORBIDDEN";
  }

  /** `NOT_FOUND` -> `NotFound` */
  get #name(): string {
    const words = this.code.toLowerCase().split("_");
    return this.#isAdminsOnly ? "AdminsOnly" : words.map(capitalized).join("");
  }

  /** Its part of a response's name. Undefined: it is of this operation only. */
  get responseName(): string | undefined {
    if (this.details.length > 0) return undefined;
    if (isGeneral(this.#named, this.code)) return this.#name;
    const missing = this.sentences.map((sentence) => /^(\w+) not found\.$/.exec(sentence)?.[1]);
    return missing.includes(undefined) ? undefined : `${missing.join("Or")}NotFound`;
  }

  get line(): string {
    return `\`${this.code}\`: ${this.#isAdminsOnly ? "The caller is not an admin." : this.sentences.join(" Or: ")}`;
  }

  /** An example of each sentence, by name. */
  get examples(): (readonly [string, object])[] {
    const details = Object.fromEntries(this.details.map(([name, schema]) => [name, exampleOf(schema)]));
    const rest = { code: this.code, requestId, ...(this.code === "VALIDATION" && { issues }), ...details };
    return this.sentences.map((message, at) => [
      at === 0 ? this.code : `${this.code} ${at + 1}`,
      { value: { message, ...rest } },
    ]);
  }

  addTo(components: Components): JsonSchema {
    const { code, details } = this;
    const isValidation = code === "VALIDATION";
    const schema = closed({
      message: this.#isAdminsOnly
        ? { const: adminsOnly, description: "Always the same." }
        : text("The reason, in a sentence for people."),
      code: { const: code, description: "The reason for programs." },
      requestId: text("The request in the service's log."),
      ...(isValidation && { issues: listOfIssues }),
      ...Object.fromEntries(details.map(([name, field]) => [name, components.field(field, "response")])),
    });
    const owner = details.length > 0 ? capitalized(this.#named.operationId) : "";
    return components.add(`${owner}${this.#name}Problem`, schema);
  }
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * The refusals of a route as responses by status. They become components of the document, except those with route-specific
 * fields.
 */
export function problemResponses(named: Named, components: Components): Record<string, object> {
  const refusals = refusalsOf(named.route).map((code) => new Refusal(named, code));
  const ofGateway = [...(named.route.access === "public" ? [] : [401]), 413, 429, 431, 500, 503];
  const statuses = new Set([...refusals.map(({ code }) => statusOfCode(code)), ...ofGateway]);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => {
        const own = refusals.filter(({ code }) => statusOfCode(code) === status);
        const response = responseOf(status, own, ofGateway.includes(status), components);
        const names = own.length === 0 ? [`Gateway${status}`] : own.map(({ responseName }) => responseName);
        return [status, names.includes(undefined) ? response : components.addResponse(names.join("Or"), response)];
      }),
  );
}

function responseOf(status: number, refusals: readonly Refusal[], isOfGateway: boolean, components: Components) {
  const schemas = refusals.map((refusal) => refusal.addTo(components));
  const all = isOfGateway ? [...schemas, components.add("GatewayProblem", gatewaySchema)] : schemas;
  const examples = {
    ...Object.fromEntries(refusals.flatMap((refusal) => refusal.examples)),
    ...(isOfGateway && { gateway: { value: { message: gatewaySentences[status] } } }),
  };
  const headers = headersFor(refusals.map(({ code }) => code));
  const lines = refusals.map(({ line }) => line);
  return {
    description: descriptions[status] ?? (lines.length === 1 ? lines[0] : lines.map((line) => `- ${line}`).join("\n")),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { "application/json": { schema: all.length === 1 ? all[0] : { anyOf: all }, examples } },
  };
}
