/** Whatever a request sends is bounded, so that no text, list or record of a caller is as long as the caller likes. */
import { expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { closed, Line, oneOf, Type } from "#kit/schema/schema.ts";

/** A schema as plain JSON. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  /** One without `*` and `+` is a bound. */
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly maximum?: number;
  /** Larger numbers become this one. */
  readonly atMost?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** For each type of value: the bound that it needs. */
const bounds: Readonly<Record<string, (schema: Schema) => boolean>> = {
  string: ({ maxLength, pattern = "*" }) => maxLength !== undefined || /^\^[^*+]*\$$/.test(pattern),
  array: ({ maxItems }) => maxItems !== undefined,
  integer: ({ maximum, atMost }) => (maximum ?? atMost) !== undefined,
  number: ({ maximum, atMost }) => (maximum ?? atMost) !== undefined,
  object: ({ additionalProperties, maxProperties, patternProperties }) =>
    maxProperties !== undefined || (additionalProperties === false && !patternProperties),
  boolean: () => true,
  null: () => true,
};

/** The places in a schema where a value has no bound, or may be anything: `/questions/*: array`. */
function unboundedIn(schema: Schema, place = ""): string[] {
  if (schema.enum || "const" in schema) return [];
  const { properties = {}, patternProperties = {}, additionalProperties, items, anyOf = [] } = schema;
  const types = anyOf.length > 0 ? [] : [schema.type ?? "anything"].flat();
  const others = typeof additionalProperties === "object" ? [additionalProperties] : [];
  return [
    ...types.filter((type) => !bounds[type]?.(schema)).map((type) => `${place}: ${type}`),
    ...anyOf.flatMap((one) => unboundedIn(one, place)),
    ...Object.entries(properties).flatMap(([name, inner]) => unboundedIn(inner, `${place}/${name}`)),
    ...[...Object.values(patternProperties), ...others, ...(items ? [items] : [])].flatMap((inner) =>
      unboundedIn(inner, `${place}/*`),
    ),
  ];
}

/** The ends of places that need no bound in the schema, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "/since: integer": "A time after all prices finds none.",
  "/sentAt: integer": "A device's clock may be wrong: `correctedTime` keeps a scan within its evening.",
  "/scannedAt: integer": "As `sentAt`.",
  "/data/event/year: number": "A number is short as a text.",
  "/eventPage: object": "Of any shape: its size is bounded where an event is made.",
  "/responses/*: string": "Each answer is checked against its question.",
  "/responses/*: number": "As a text.",
  "/dynamicResponses: object": "Only answers to the event's questions count, and all together have a size.",
  "/updates/*/points: number": "Checked row by row, so that a wrong one fails only its row.",
  "/{email}/{fname}/fname: string": "Ignored.",
  ...Object.fromEntries(
    ["admin", "id", "email", "profileID", "compositeID"].map((name) => [
      `/${name}: anything`,
      "Declared only to be refused.",
    ]),
  ),
};

const exceptionOf = (place: string) => Object.keys(exceptions).find((end) => place.endsWith(end));

const unbounded = routes.flatMap(({ key, params, query, body }) =>
  [params, query, body].flatMap((schema) => (schema ? unboundedIn(schema as Schema, key) : [])),
);

test("every parameter and body has bounds: maxLength, maxItems, maximum, additionalProperties: false or maxProperties", () => {
  expect(routes.length).toBeGreaterThan(100);
  expect(unbounded.filter((place) => exceptionOf(place) === undefined)).toEqual([]);
});

test("every exception is needed", () => {
  expect(new Set(unbounded.map(exceptionOf))).toEqual(new Set(Object.keys(exceptions)));
});

test.each([
  ["a text", Type.String(), ": string"],
  ["a text of a pattern", Type.String({ pattern: "^a+$" }), ": string"],
  ["a text in a list", Type.Array(Type.String(), { maxItems: 2 }), "/*: string"],
  ["a list", Type.Array(Type.Boolean()), ": array"],
  ["an amount", Type.Integer({ minimum: 0 }), ": integer"],
  ["an open object", Type.Object({}), ": object"],
  ["a record", Type.Record(Type.String(), Type.Boolean()), ": object"],
  ["anything", Type.Unknown(), ": anything"],
  ["one of several", Type.Union([Type.Boolean(), Type.String()]), ": string"],
])("without a bound is found: %s", (_, schema, place) => {
  expect(unboundedIn({ additionalProperties: false, type: "object", properties: { note: schema as Schema } })).toEqual([
    `/note${place}`,
  ]);
});

test("a bounded one is not found", () => {
  const bounded = { text: Line(), code: Type.String({ pattern: "^[a-z]{4}$" }), rows: Type.Integer({ maximum: 5 }) };
  expect(unboundedIn(closed({ ...bounded, kind: oneOf(["a", "b"]) }) as Schema)).toEqual([]);
});
