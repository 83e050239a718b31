/** Fits a mapped row to the schema of the service's own request. Pure. */
import { compileValidator } from "#kit/schema/compile.ts";
import type { TSchema } from "#kit/schema/schema.ts";
import { issuesOf, type RequestValidator } from "#kit/schema/validation.ts";
import { isMap, type Reading, Refused } from "./reading.ts";

/** @returns a function that omits and notes invalid values, and refuses a row that lacks a required field */
export function fitTo<T extends object>(schema: TSchema) {
  const validator: RequestValidator = compileValidator({ body: schema } as Parameters<typeof compileValidator>[0]);
  return (input: object, { changes }: Reading): T => {
    const body = JSON.parse(JSON.stringify(input)) as Record<string, unknown>;
    for (;;) {
      const [issue] = issuesOf(validator, { pathParameters: {}, queryStringParameters: {}, body });
      if (issue === undefined) return body as T;
      const removed = remove(body, issue.path);
      const field = issue.path.slice(1).replaceAll(/\/\d+(?=\/|$)/g, "/*");
      if (removed === undefined) throw new Refused(`${field} ${issue.message}`);
      changes.push({ field, why: `left out: ${issue.message}`, was: removed.value, became: null });
    }
  };
}

/** Removes the value at a JSON pointer. @returns undefined when there is none */
function remove(root: Record<string, unknown>, pointer: string): { readonly value: unknown } | undefined {
  const path = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = path.pop();
  let parent: unknown = root;
  for (const part of path) parent = (parent as Record<string, unknown> | undefined)?.[part];
  if (last === undefined) return undefined;
  if (Array.isArray(parent)) return Number(last) in parent ? { value: parent.splice(Number(last), 1)[0] } : undefined;
  if (!isMap(parent) || !Object.hasOwn(parent, last)) return undefined;
  const value = parent[last];
  delete (parent as Record<string, unknown>)[last];
  return { value };
}
