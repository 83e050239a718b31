/** The operations of the API as the reference (`docs/openapi.json`) describes them, for tests that make requests of it. */
import type { OpenApiDocument } from "../../../tools/reference/document.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: {
    readonly type?: string | readonly string[];
    readonly enum?: readonly unknown[];
    readonly pattern?: string;
  };
}

/** One operation, with what a request to it may have. */
interface Operation {
  readonly method: string;
  /** With its aliases; the first one is the operation's own. */
  readonly paths: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Undefined: it takes no body. */
  readonly bodyExample: unknown;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } };
  readonly "x-aliases"?: readonly string[];
}

/** All operations of a document, in its order. */
export const operationsOf = ({ paths }: OpenApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody, "x-aliases": aliases = [] } = operation as unknown as Described;
      return {
        method: method.toUpperCase(),
        paths: [path, ...aliases],
        parameters,
        bodyExample: requestBody?.content["application/json"].example,
      };
    }),
  );
