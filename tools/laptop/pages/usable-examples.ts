/** Makes the examples of the reference usable as they are. */

/** The data that examples refer to. */
export interface KnownSeed {
  /** The year of the events. */
  readonly year: number;
  /** A person with an account. */
  readonly email: string;
  readonly fname: string;
  readonly lname: string;
}

/** The data in the examples of `docs/openapi.json`, which must not change with the calendar. */
const written: KnownSeed = { year: 2030, email: "ada@student.example", fname: "Ada", lname: "Lovelace" };

interface Parameter {
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

/** A value with the year and the person of the seed. */
function seeded(value: unknown, seed: KnownSeed): unknown {
  const { year, email, fname, lname } = seed;
  if (value === written.year) return year;
  if (value === written.fname) return fname;
  if (value === written.lname) return lname;
  if (typeof value === "string") {
    return value.replaceAll(written.email, email).replaceAll(/\b2030\b/g, `${year}`);
  }
  if (Array.isArray(value)) return value.map((one) => seeded(one, seed));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, seeded(one, seed)]));
}

/** Swagger UI fills fields in with their examples, which would send all filters and a cursor at once. */
function withoutExample(parameter: Parameter): Parameter {
  const { example: _, ...rest } = parameter;
  return parameter.required ? parameter : rest;
}

/**
 * A document whose optional parameters are empty, and whose examples name what the server has.
 * @param seed absent: the examples stay as they are
 */
export function withUsableExamples<T>(node: T, seed: KnownSeed | undefined): T {
  if (Array.isArray(node)) return node.map((one) => withUsableExamples(one, seed)) as T;
  if (typeof node !== "object" || node === null) return node;
  const part = "in" in node && "schema" in node ? withoutExample(node as unknown as Parameter) : node;
  return Object.fromEntries(
    Object.entries(part).map(([name, one]) => {
      const isExample = name === "example" || name === "examples";
      return [name, isExample && seed ? seeded(one, seed) : withUsableExamples(one, seed)];
    }),
  ) as T;
}
