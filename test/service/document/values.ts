/** Random values that fit a schema of the reference. */
import fc from "fast-check";
import type { Schema } from "./operations.ts";

/**
 * The values that exist in a stage for a field; undefined when any value of the schema is as good.
 * @param schema absent: for the names and values of a dictionary
 */
export type Known = (field: string, schema?: Schema) => fc.Arbitrary<unknown> | undefined;

/** Characters of most texts, at most. Some are as long as the schema allows. */
const usualLength = 30;

/** The formats that the reference has only in words, by words of their descriptions. */
const described: readonly (readonly [words: string, values: (longest: number) => fc.Arbitrary<string>])[] = [
  ["ISO 8601", () => dates],
  ["Text without", (longest) => texts(longest, "\n\t")],
  ["One line of text that is not", (longest) => texts(longest).map((text) => (/[^\s.]/.test(text) ? text : "x"))],
  ["An http or https", () => addresses],
];

const dates = fc.oneof(
  fc
    .date({ min: new Date("2027-01-01"), max: new Date("2199-01-01"), noInvalidDate: true })
    .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().slice(0, 10))),
  fc.constantFrom("2030-03-01T18:00-08:00", "2030-03-01T18:00", "1900-01-01", "2200-12-31T23:59:59.999Z"),
);

const addresses = fc.oneof(
  fc.constantFrom("", "https://club.example/a?b=c#d", "http://localhost:3000/paid?id={CHECKOUT_SESSION_ID}"),
  fc.webUrl({ withQueryParameters: true, size: "small" }),
);

/** Printable text: also right-to-left letters, joined emoji and combining marks. */
function texts(longest: number, more = ""): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(..."abc XYZ019-_.,;:'\"<>{}[]()/\\#%&+=@|$^~`?!", ...more) },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom("\u{1F468}\u200d\u{1F469}\u200d\u{1F467}", "\u0627\u0644", "e\u0301") },
  );
  const usual = fc.array(unit, { maxLength: Math.min(longest, usualLength) }).map((all) => all.join(""));
  const full = fc.constantFrom("x", "\u{1F600}", "\u20ac").map((one) => one.repeat(longest));
  // Very long texts belong to the test of the time.
  const bounded = longest <= 1_000 ? fc.oneof({ weight: 12, arbitrary: usual }, full) : usual;
  return bounded.map((text) => [...text].slice(0, longest).join(""));
}

const emails = fc
  .tuple(
    fc.stringMatching(/^[a-z0-9]([a-z0-9.+_-]{0,10}[a-z0-9])?$/),
    fc.constantFrom("student.example", "club.example"),
  )
  .map(([local, domain]) => `${local.replaceAll("..", ".")}@${domain}`);

function stringsOf({ format, pattern, description = "", minLength = 0, maxLength = 1_000 }: Schema) {
  if (format === "email") return emails;
  const values = described.find(([words]) => description.includes(words))?.[1];
  if (values) return values(maxLength);
  if (/^\^\[(?!\^)/.test(pattern ?? "")) return fc.stringMatching(new RegExp(pattern as string));
  return texts(maxLength).map((text) => text.padEnd(minLength, "x"));
}

/** Small numbers and those at the ends are more frequent. */
const integersOf = ({ minimum: min = -1_000_000, maximum: max = 1_000_000_000 }: Schema) => {
  const near = Math.max(min, 0);
  return fc.oneof(
    fc.integer({ min: near, max: Math.min(max, near + 10) }),
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
  );
};

const numbersOf = ({ minimum: min = -1e9, maximum: max = 1e9 }: Schema) =>
  fc.oneof(
    fc.integer({ min: Math.max(Math.ceil(min), -100), max: Math.min(max, 100) }),
    fc.integer({ min: Math.ceil(min) * 100, max: max * 100 }).map((cents) => cents / 100),
    fc.double({ min, max, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    fc.constantFrom(min, max),
  );

function objectsOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties, maxProperties = 5 } = schema;
  if (properties === undefined) {
    const keys = known("a key") ?? texts(20).map((text) => text.trim() || "x");
    const inner = typeof additionalProperties === "object" ? additionalProperties : {};
    const values = [valuesOf(inner, known), known("a value")].filter((one) => one !== undefined);
    return fc.dictionary(keys as fc.Arbitrary<string>, fc.oneof(...values), { maxKeys: Math.min(maxProperties, 5) });
  }
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, valuesOf(inner, known, name)]),
  );
  const withFields = (names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fields[name] as fc.Arbitrary<unknown>])), {
      requiredKeys: [...required],
      noNullPrototype: true,
    });
  // Few optional fields at a time: those that contradict each other would refuse nearly every request.
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const few = fc
    .subarray(optional, { maxLength: Math.min(4, optional.length) })
    .chain((names) => withFields([...required, ...names]));
  return fc.oneof({ weight: 4, arbitrary: few }, withFields(Object.keys(properties)));
}

function ofType(type: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return integersOf(schema);
    case "number":
      return numbersOf(schema);
    case "string":
      return stringsOf(schema);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, known, "an entry"), {
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case "object":
      return objectsOf(schema, known);
    default:
      throw new Error(`The reference has a type that this test does not know: ${type}.`);
  }
}

/**
 * Random values that fit a schema. Most values of a known field exist in the stage.
 * @param field the name of the field or parameter that has the value
 */
export function valuesOf(schema: Schema, known: Known, field = ""): fc.Arbitrary<unknown> {
  const own = schemaValuesOf(schema, known);
  const existing = known(field, schema);
  return existing ? fc.oneof({ weight: 7, arbitrary: existing }, own) : own;
}

function schemaValuesOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, known)));
  const types = [schema.type ?? "string"].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(type, schema, known)));
}
