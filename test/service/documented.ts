/** Holds every answer that a test gets against the reference of the API (`docs/openapi.json`). */
import { readFileSync } from "node:fs";
import { decodedPath } from "../../tools/laptop/http-api/routing.ts";
import type { OpenApiDocument } from "../../tools/reference/document.ts";
import { documentAjv } from "./document/ajv.ts";

export interface AnsweredRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers: { get(name: string): string | null };
}

/** Says what is wrong with an answer; undefined when the document describes it. */
export type Check = (answer: AnsweredRequest) => string | undefined;

interface KnownOperation {
  readonly method: string;
  readonly pattern: RegExp;
  readonly responses: Readonly<Record<string, object>>;
  readonly parameters: number;
}

interface ResponseObject {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: object }>>;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: object }>>;
}

const escaped = (part: string): string => part.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
/** The gateway takes any rest of a path for the name, which is ignored. */
const ignoredName = "/{fname}";
const patternOf = (path: string): RegExp =>
  path.endsWith(ignoredName)
    ? new RegExp(`${patternOf(path.slice(0, -ignoredName.length)).source.slice(0, -1)}(/.*)?$`, "s")
    : new RegExp(`^${escaped(path).replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);

function operationsOf({ paths }: OpenApiDocument): KnownOperation[] {
  const known = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses, "x-aliases": aliases = [] }]) =>
      [path, ...(aliases as readonly string[])].map((one) => ({
        method: method.toUpperCase(),
        pattern: patternOf(one),
        responses,
        parameters: one.split("{").length,
      })),
    ),
  );
  // As in the gateway, a path without parameters comes first.
  return known.sort((a, b) => a.parameters - b.parameters);
}

/** The gateway's answer to a path that no route has. */
const noSuchPath = JSON.stringify({ message: "Not Found" });
const unauthorized = '{"message":"Unauthorized"}';

type Validate = ReturnType<ReturnType<typeof documentAjv>["compile"]>;

/** The reference as it is in `docs`. */
export const committed = (): OpenApiDocument =>
  JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")) as OpenApiDocument;

/** A check against a document; `docs/openapi.json` when absent. */
export function documentedBy(document: OpenApiDocument = committed()): Check {
  const ajv = documentAjv();
  ajv.addSchema({ $id: "document", components: document.components });
  const operations = operationsOf(document);
  const [compiled, byText] = [new Map<object, Validate>(), new Map<string, Validate>()];
  const validatorOf = (schema: object): Validate => {
    const known = compiled.get(schema);
    if (known) return known;
    // Many refusals have the same schema.
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = byText.get(text) ?? ajv.compile(JSON.parse(text));
    byText.set(text, validate);
    compiled.set(schema, validate);
    return validate;
  };
  const resolved = (response: ResponseObject | undefined): ResponseObject | undefined => {
    const name = response?.$ref?.split("/").at(-1);
    return name === undefined ? response : document.components.responses[name];
  };
  /** What is wrong with the headers of an answer. An entity tag is in those answers only that declare one. */
  const headerProblem = ({ headers: described = {} }: ResponseObject, headers: AnsweredRequest["headers"]) => {
    if (headers.get("etag") !== null && !described.ETag) return "it declares no ETag";
    return Object.entries(described)
      .map(([name, { required = false, schema }]) => {
        const value = headers.get(name);
        if (value === null) return required ? `it has no ${name}` : undefined;
        const { type } = schema as { readonly type?: string };
        return validatorOf(schema)(type === "integer" ? Number(value) : value) ? undefined : `its ${name} is ${value}`;
      })
      .find((problem) => problem !== undefined);
  };
  return ({ method, path, status, contentType, text, headers }) => {
    if (status === 404 && text === noSuchPath) return undefined;
    // As `fetch` sends it, without the segments "." and "..", and as the gateway decodes it before it looks for a route.
    const sent = new URL(path, "http://localhost").pathname;
    const pathname = decodedPath(sent) ?? sent;
    const operation = operations.find((one) => one.method === method && one.pattern.test(pathname));
    // The greedy routes of paths with a slash at their end ask for a token first.
    if (!operation && status === 401 && text === unauthorized) return undefined;
    if (!operation) return `there is no ${method} ${pathname}`;
    const response = resolved(operation.responses[status]);
    if (!response) return `${status} is no answer of it`;
    const wrongHeader = headerProblem(response, headers);
    if (wrongHeader) return `${status}: ${wrongHeader}`;
    if (response.content === undefined) return text === "" ? undefined : `${status} never has a body`;
    const [mediaType = ""] = contentType.split(";");
    const schema = response.content?.[mediaType]?.schema;
    if (!schema) return `${status} never has ${mediaType}`;
    const validate = validatorOf(schema);
    const body = mediaType === "application/json" ? (JSON.parse(text) as unknown) : text;
    if (!validate(body)) return `${status}: ${ajv.errorsText(validate.errors)}`;
    // A client cannot see from the code what is not found.
    const { message } = (body ?? {}) as { readonly message?: unknown };
    const isNamed = status !== 404 || JSON.stringify(response.content[mediaType]?.examples).includes(`"${message}"`);
    return isNamed ? undefined : `404: "${message}" is no example of it`;
  };
}
