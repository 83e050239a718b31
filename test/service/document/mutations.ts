/** What is done to a sound request: one or two parts become hostile, the others stay as they are. */
import fc from "fast-check";
import { anyText } from "../../any-text.ts";
import { draw } from "../../seeds.ts";
import { bodyText, type Call, inPath, Literal } from "./calls.ts";
import type { Schema } from "./operations.ts";
import type { World } from "./world.ts";

type Path = readonly string[];

/** Texts that are special to a parser, a key, a header, a terminal or a template. */
const oddTexts = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "%",
    "%00",
    "%2F",
    "a/b",
    "a#b",
    "a?b",
    "a%b",
    "a;b",
    "EVENT#open#2031",
    "\0",
    "a\u0000b",
    "\r\nSet-Cookie: a=b",
    "\u202eabc",
    "\u200f\u061c",
    "\u2028",
    "\ufeff",
    "\ufffd",
    "\u{1F600}",
    "\u{1F468}\u200d\u{1F469}\u200d\u{1F467}",
    "e\u0301",
    "\uff10\uff11",
    "\u0130",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "null",
    "undefined",
    "true",
    "-0",
    "1e309",
    "0x10",
    "1_000",
    " 5",
    "+5",
    "5.0",
    "NaN",
    "Infinity",
    "9".repeat(400),
    "x".repeat(3_000),
    "{{ fname }}",
    "{% for x in y %}",
    "self",
    "a@b",
    "a@b@club.example",
    "EXEC@CLUB.EXAMPLE",
    "exec@club.example ",
  ),
  anyText({ maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 70 }),
);

/** Values of every JSON type, most of them wrong everywhere. */
const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddTexts },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      0.1,
      1e21,
      -1e308,
      5e-324,
      Number.MAX_SAFE_INTEGER + 2,
      "\ud800",
      "a\udc00b",
      "\u0007",
      [],
      {},
      [[]],
      [null],
      [null, {}],
      { length: 5 },
      { toString: 1 },
      { "": "" },
      { S: "x" },
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("-0", "1e309", "-1e309", "1E400", "1e-400", "123456789012345678901234567890.5")
      .map((text) => new Literal(text)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(200, 3_000).map((depth) => new Literal("[".repeat(depth) + "]".repeat(depth))),
  },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 501 }, () => ({}))) },
  { weight: 1, arbitrary: fc.jsonValue() },
);

/** Names of fields that no schema has, or that differ from one by case or separators. */
const oddNames = fc.oneof(
  fc.constantFrom(
    "unknown",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "",
    "0",
    "a/b",
    "a~b",
  ),
  fc.constantFrom("\u{1F600}", "\ud800", "\0", "x".repeat(1_000), "PK", "SK", "generation", "version", "isAdmin"),
  anyText({ maxLength: 10 }),
);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The places of all values inside a body. */
export const placesIn = (value: unknown, at: Path = []): Path[] => [
  at,
  ...(isObject(value) && !(value instanceof Literal)
    ? Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))
    : []),
];

/** The part of a value at a place. */
export const valueAt = (value: unknown, place: Path): unknown =>
  place.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], value);

/** A copy of a value with one part changed. */
export function replaced(value: unknown, [name, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  const inner = replaced(copy[name], rest, change);
  // An own field, also for the name `__proto__`.
  if (inner === undefined) delete copy[name];
  else Object.defineProperty(copy, name, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** The schema of a place; undefined where the reference says nothing. */
function schemaAt(schema: Schema | undefined, [name, ...rest]: Path, value: unknown): Schema | undefined {
  if (schema === undefined || name === undefined) return schema;
  const { properties, items, additionalProperties } = schema;
  const more = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const inner = Array.isArray(value) ? items : (properties?.[name] ?? more);
  return schemaAt(inner, rest, isObject(value) ? value[name] : undefined);
}

/** Values at and just outside the bounds of a schema. */
function edgesOf({ minimum, maximum, minLength, maxLength, maxItems }: Schema): unknown[] {
  const around = (bound: number | undefined) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]);
  const lengths = [...around(minLength), ...around(maxLength)].filter((length) => length >= 0 && length <= 20_001);
  return [
    ...around(minimum),
    ...around(maximum),
    ...lengths.flatMap((length) => ["x".repeat(length), "\u{1F600}".repeat(length)]),
    ...around(maxItems).flatMap((count) => (count <= 501 ? [Array.from({ length: count }, () => "x")] : [])),
  ];
}

const drawnPlace = (body: unknown): Path => draw(fc.constantFrom(...placesIn(body)));
const drawnInnerPlace = (body: unknown): Path => {
  const inner = placesIn(body).filter(({ length }) => length > 0);
  return inner.length === 0 ? [] : draw(fc.constantFrom(...inner));
};

type Mutation = (call: Call, world: World) => Partial<Call>;

const inBody =
  (change: (body: unknown, call: Call) => unknown): Mutation =>
  (call) => ({ body: change(call.body, call) });

const bodyMutations: Readonly<Record<string, Mutation>> = {
  "a field is missing": inBody((body) => replaced(body, drawnInnerPlace(body), () => undefined)),
  "a value is another one": inBody((body) => {
    const value = draw(oddValues);
    return replaced(body, drawnPlace(body), () => value);
  }),
  "a value is null": inBody((body) => replaced(body, drawnInnerPlace(body), () => null)),
  "a value is at its bound": inBody((body, { operation }) => {
    const all = placesIn(body).flatMap((place) =>
      edgesOf(schemaAt(operation.body, place, body) ?? {}).map((edge) => [place, edge] as const),
    );
    if (all.length === 0) return body;
    const [place, edge] = draw(fc.constantFrom(...all));
    return replaced(body, place, () => edge);
  }),
  "a value is wrapped": inBody((body) => {
    const asList = draw(fc.boolean());
    return replaced(body, drawnPlace(body), (old) => (asList ? [old] : { value: old }));
  }),
  "there is a surplus field": inBody((body) => {
    const objects = placesIn(body).filter((place) => {
      const value = valueAt(body, place);
      return isObject(value) && !Array.isArray(value);
    });
    const at = objects.length > 0 ? draw(fc.constantFrom(...objects)) : [];
    const [name, value] = [draw(oddNames), draw(oddValues)];
    return replaced(body, at, (old) => replaced(isObject(old) ? old : {}, [name], () => value));
  }),
  "a name is spelled otherwise": inBody((body) => {
    const at = drawnInnerPlace(body);
    const name = at.at(-1) ?? "x";
    const other = draw(fc.constantFrom(name.toUpperCase(), `_${name}`, `${name}-`, `${name} `, name.repeat(2)));
    let value: unknown;
    const without = replaced(body, at, (old) => {
      value = old;
      return undefined;
    });
    return replaced(without, [...at.slice(0, -1), other], () => value ?? null);
  }),
};

const textMutations: Readonly<Record<string, Mutation>> = {
  "the body is cut off": (call) => {
    const text = bodyText(call) ?? "";
    return { text: text.slice(0, draw(fc.nat({ max: Math.max(text.length - 1, 0) }))) };
  },
  "the body is something else": () => ({
    text: draw(
      fc.constantFrom(
        "null",
        "[]",
        '"x"',
        "1",
        "true",
        "{}{}",
        "\ufeff{}",
        "{'a':1}",
        "\0",
        "a=b&c=d",
        "<a/>",
        " ",
        "-0",
      ),
    ),
  }),
  "a field comes twice": (call) => {
    const text = bodyText(call) ?? "{}";
    const name = Object.keys(isObject(call.body) ? call.body : {})[0] ?? "x";
    return { text: text.startsWith("{") ? `{${JSON.stringify(name)}:1,${text.slice(1)}`.replace(",}", "}") : text };
  },
};

const headerMutations: Readonly<Record<string, Mutation>> = {
  "another content type": () => ({
    headers: {
      "content-type": draw(
        fc.constantFrom("text/plain", "application/x-www-form-urlencoded", "", "x", "application/json; charset=utf-16"),
      ),
    },
  }),
  "a header that asks for something else": () => ({
    headers: draw(
      fc.constantFrom<Record<string, string>>(
        { "content-encoding": "gzip" },
        { accept: "text/html" },
        { "accept-encoding": "br" },
        { "x-http-method-override": "DELETE" },
        { "x-forwarded-for": "127.0.0.1" },
        { cookie: "a=b; c" },
        { origin: "http://localhost:3000" },
        { origin: "null" },
        { range: "bytes=0-1" },
        { "idempotency-key": "" },
        { "idempotency-key": "\u00e9" },
        { "idempotency-key": "x".repeat(300) },
        { "if-match": "" },
        { "if-match": "no tag" },
        { "if-match": `${'"a",'.repeat(500)}"b"` },
        { "x-odd": "x".repeat(2_000) },
      ),
    ),
  }),
};

const deviceMutations: Readonly<Record<string, Mutation>> = {
  "the device's token is wrong": ({ headers: { authorization: right = "Door" } }) => {
    const wrong = [
      "",
      "Door",
      `${right}x`,
      right.slice(0, -1),
      right.replace("Door", "Bearer"),
      right.replace("Door ", ""),
    ];
    return { headers: { authorization: draw(fc.constantFrom(...wrong)) }, mustBeRefused: true };
  },
};

const paramMutations: Readonly<Record<string, Mutation>> = {
  "a part of the path is odd": ({ params }) => {
    const name = draw(fc.constantFrom(...Object.keys(params)));
    return { params: { ...params, [name]: inPath(draw(oddTexts)) } };
  },
};

const queryNames = ({ operation }: Call) =>
  operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);

const queryMutations: Readonly<Record<string, Mutation>> = {
  "a query value is odd": (call) => ({
    query: [...call.query, [draw(fc.constantFrom(...queryNames(call), "unknown", "__proto__")), draw(oddTexts)]],
  }),
  "a query value is at its bound": (call) => {
    const all = call.operation.parameters.flatMap(({ name, schema, in: place }) =>
      place === "query" ? edgesOf(schema).map((edge) => [name, String(edge)] as const) : [],
    );
    const [name, value] = all.length > 0 ? draw(fc.constantFrom(...all)) : ["x", "1"];
    return { query: [...call.query.filter(([other]) => other !== name), [name, value]] };
  },
  "a query parameter comes twice": ({ query }) => {
    const [name, value] = query.length > 0 ? draw(fc.constantFrom(...query)) : ["x", "1"];
    return { query: [...query, [name, value]] };
  },
  "a query name is spelled otherwise": ({ query }) => ({
    query: query.map(([name, value], index) => (index === 0 ? [name.toUpperCase(), value] : [name, value])),
  }),
};

const encodedKey = (text: string): string => Buffer.from(text).toString("base64url");

const cursorMutations: Readonly<Record<string, Mutation>> = {
  "the cursor is forged": ({ query, operation }, world) => {
    const others = [...new Set(world.cursorsOf(operation.operationId))];
    const own = others.length > 0 ? draw(fc.constantFrom(...others)) : encodedKey("0");
    const noise = fc
      .uint8Array({ minLength: 1, maxLength: 60 })
      .map((bytes) => Buffer.from(bytes).toString("base64url"));
    // An event has pages only with its people.
    const isList =
      operation.operationId !== "getEvent" || query.some(([name, value]) => name === "users" && value === "true");
    const [cursor, mustBeRefused] = draw(
      fc.oneof(
        // Bytes with a control character are no sort key.
        noise.map((text) => [encodedKey(`\u0001${text}`), isList] as const),
        noise.map((text) => [text, false] as const),
        fc.constant([`${own}=`, isList] as const),
        fc.constant([own.slice(0, -1) || "~", false] as const),
        fc.constant([`${own}AAAA`, isList] as const),
        fc
          .constantFrom(
            "open",
            "a@b.example",
            "1#open#2031#a@b.example",
            "2031#1#a@b.example",
            "0#open#2031#",
            "#",
            "####",
          )
          .map((text) => [encodedKey(text), false] as const),
        oddTexts.map((text) => [text || "~", false] as const),
      ),
    );
    return { query: [...query.filter(([name]) => name !== "cursor"), ["cursor", cursor]], mustBeRefused };
  },
  "the cursor is of another list": ({ query, operation }, world) => {
    const all = world.cursorsOfOthers(operation.operationId);
    const cursor = all.length > 0 ? draw(fc.constantFrom(...all)) : "~";
    return { query: [...query.filter(([name]) => name !== "cursor"), ["cursor", cursor]] };
  },
};

/** The mutations that can be done to a call. */
function possible(call: Call): Readonly<Record<string, Mutation>> {
  const names = queryNames(call);
  return {
    ...(call.operation.body && bodyMutations),
    ...(call.operation.body && textMutations),
    ...headerMutations,
    ...(call.operation.access === "door" && deviceMutations),
    ...(Object.keys(call.params).length > 0 && paramMutations),
    ...queryMutations,
    ...(names.includes("cursor") && cursorMutations),
  };
}

/** The call with one or two hostile parts. */
export function mutated(call: Call, world: World): Call {
  let hostile = call;
  for (let left = draw(fc.constantFrom(1, 1, 2)); left > 0; left -= 1) {
    const mutations = possible(hostile);
    const name = draw(fc.constantFrom(...Object.keys(mutations)));
    const { mustBeRefused = false, headers, ...change } = mutations[name]?.(hostile, world) ?? {};
    hostile = {
      ...hostile,
      ...change,
      headers: { ...hostile.headers, ...headers },
      changed: [...hostile.changed, name],
      mustBeRefused,
    };
  }
  return hostile;
}
