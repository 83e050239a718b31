/** Examples of parameters, bodies and answers: the schemas' own `examples`, or made of those of their parts. */
import type { JsonSchema } from "./schemas.ts";

const hasType = ({ type }: JsonSchema, name: string): boolean => [type].flat().includes(name);

/** An optional field is shown when it has an example of its own, or is an object that does not say otherwise. */
const isShown = (schema: JsonSchema): boolean =>
  schema.examples ? schema.examples.length > 0 : hasType(schema, "object");

/**
 * The first of a schema's own examples, else the first allowed value, `true`, or one of its parts.
 * @param schema without references
 * @param field its name
 * @param lacks gets the name of each string and number that has none
 */
export function exampleOf(schema: JsonSchema, field = "", lacks: (field: string) => void = () => {}): unknown {
  const { examples, enum: allowed, const: only, properties, required = [], items, anyOf } = schema;
  const [own] = examples ?? [];
  if (own !== undefined) return own;
  if (Array.isArray(allowed)) return allowed[0];
  if (only !== undefined) return only;
  if (anyOf?.[0]) return exampleOf(anyOf[0], field, lacks);
  if (properties) {
    const shown = Object.entries(properties).filter(([name, one]) => required.includes(name) || isShown(one));
    return Object.fromEntries(shown.map(([name, one]) => [name, exampleOf(one, name, lacks)]));
  }
  if (items && hasType(schema, "array")) return [exampleOf(items, field, lacks)];
  if (hasType(schema, "object")) return {};
  if (!hasType(schema, "boolean")) lacks(field);
  return true;
}
