/** The operations of the API as the reference (`docs/openapi.json`) describes them, for tests that make requests of it. */
import { documentAjv } from "../../../tools/reference/ajv.ts";
import type { OpenApiDocument } from "../../../tools/reference/document.ts";

/** A JSON schema, with the keywords that the reference uses in requests. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: unknown;
}

/** One operation, with what a request to it may have. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** With its aliases; the first one is the operation's own. */
  readonly paths: readonly string[];
  readonly access: "public" | "caller" | "admin" | "door";
  readonly parameters: readonly Parameter[];
  /** Undefined: it takes no body. References are resolved. */
  readonly body: Schema | undefined;
  readonly bodyExample: unknown;
  /** Whether the reference allows this body. Always, for an operation without one. */
  allows(body: unknown): boolean;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { schema: Schema; example: unknown } } };
  readonly "x-access": Operation["access"];
  readonly "x-aliases"?: readonly string[];
}

/** All operations of a document, in its order. */
export function operationsOf({ paths, components }: OpenApiDocument): Operation[] {
  const ajv = documentAjv();
  const resolved = (schema: unknown): unknown => {
    if (typeof schema !== "object" || schema === null) return schema;
    const name = (schema as Schema).$ref?.split("/").at(-1);
    if (name !== undefined) return resolved(components.schemas[name]);
    if (Array.isArray(schema)) return schema.map(resolved);
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(value)]));
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, parameters = [], requestBody, ...rest } = operation as unknown as Described;
      const content = requestBody?.content["application/json"];
      const body = content && (resolved(content.schema) as Schema);
      const validate = body && ajv.compile(body);
      return {
        operationId,
        method: method.toUpperCase(),
        paths: [path, ...(rest["x-aliases"] ?? [])],
        access: rest["x-access"],
        parameters,
        body,
        bodyExample: content?.example,
        allows: (value: unknown) => validate?.(value) ?? true,
      };
    }),
  );
}
