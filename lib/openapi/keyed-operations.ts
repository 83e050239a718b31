/** Which operations of the reference take an `Idempotency-Key`: the typed client has them as a list of its own. */
import type { OpenApiDocument } from "./document.ts";

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
}

/** The operations with that header, as `POST /registrations`, by path. */
export function keyedOperations({ paths, components }: Pick<OpenApiDocument, "paths" | "components">): string[] {
  const shared = (components as { readonly parameters?: Readonly<Record<string, Parameter>> }).parameters ?? {};
  const takesKey = (parameter: Parameter): boolean => {
    const { name, in: place } = shared[parameter.$ref?.split("/").at(-1) ?? ""] ?? parameter;
    return place === "header" && name?.toLowerCase() === "idempotency-key";
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { parameters = [] }]) => (parameters as readonly Parameter[]).some(takesKey))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

/** The file `lib/client/keyed-operations.ts`. */
export const keyedOperationsFile = (document: Pick<OpenApiDocument, "paths" | "components">): string =>
  `/** The operations that take an \`Idempotency-Key\`. \`npm run openapi\` writes this file: do not change it. */
export const keyedOperations: readonly string[] = ${JSON.stringify(keyedOperations(document), undefined, 2)};
`;
