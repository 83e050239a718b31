/**
 * The part of a request that a handler gets: the fields of its contract, in canonical form (`docs/contract.md`,
 * "Conventions").
 */
import { describe, expect, test } from "@jest/globals";
import { closed, Email, Line, Name, orNull, page, QueryEmail, Type } from "#kit/schema/schema.ts";
import { bodyReader, reader } from "./request-reader.ts";

const question = closed({ label: Name, limit: Type.Optional(orNull(Type.Integer({ minimum: 1 }))) });
const read = bodyReader(
  closed({
    email: Email,
    nick: Type.Optional(Line(3)),
    first: Type.Optional(question),
    second: Type.Optional(question),
    questions: Type.Optional(Type.Array(question)),
    answers: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
);
const email = "a@x.example";

describe("conversion", () => {
  const schema = closed({
    count: Type.Optional(Type.Integer()),
    flag: Type.Optional(Type.Boolean()),
    page: Type.Optional(Line()),
  });
  const readQuery = reader({ query: schema });
  const readBody = bodyReader(schema);

  test.each([
    [{ count: "7" }, { count: 7 }],
    [{ count: "-7" }, { count: -7 }],
    [{ flag: "true" }, { flag: true }],
    [{ flag: "false" }, { flag: false }],
    [{ page: "7" }, { page: "7" }],
  ])("turns the query %j into %j, as the schema says", (query, seen) => {
    const { issues, request } = readQuery({ query });
    expect([issues, request.queryStringParameters]).toEqual([[], seen]);
  });

  test.each([
    { count: "" },
    { count: "7.5" },
    { count: "7a" },
    { count: "NaN" },
    { flag: "" },
    { flag: "1" },
    { flag: "TRUE" },
  ])("refuses the query %j", (query) => expect(readQuery({ query }).issues).toHaveLength(1));

  test.each(["1e400", "-1e400", "9".repeat(400)])("refuses a number beyond the bound: %s", (limit) =>
    expect(reader({ query: closed(page) })({ query: { limit } }).issues).toMatchObject([{ path: "/limit" }]),
  );

  test.each([
    { count: "7" },
    { count: true },
    { count: null },
    { flag: "true" },
    { flag: 1 },
    { flag: null },
    { page: 7 },
  ])("is never applied to a body: %j", (body) => {
    const given = { ...body };
    expect(readBody(given).issues).toHaveLength(1);
    expect(given).toEqual(body);
  });
});

describe("a handler's input", () => {
  test("has no unknown key at any depth where a schema is closed", () => {
    const label = { label: "a" };
    const more = { ...label, more: { deep: 1 } };
    const given = { email, more: 1, first: more, second: more, questions: [more], answers: { any: "thing" } };
    const seen = { email, first: label, second: label, questions: [label], answers: { any: "thing" } };
    expect(read(structuredClone(given))).toEqual({ issues: [], body: seen });
  });

  test("is in canonical form, also in lists and parameters", () => {
    expect(read({ email: " A@X.Example ", nick: " a " }).body).toEqual({ email, nick: "a" });
    expect(bodyReader(Type.Array(Email))([" A@X.Example "]).body).toEqual([email]);
    const readParts = reader({ params: closed({ email: Email }), query: closed({ email: QueryEmail }) });
    const { request } = readParts({ params: { email: " A@X.Example " }, query: { email: "A B@X.Example" } });
    expect(request).toMatchObject({ pathParameters: { email }, queryStringParameters: { email: "a+b@x.example" } });
  });

  test("keeps the null that removes a field", () => {
    const { issues, body } = read({ email, first: { label: "a", limit: null } });
    expect([issues, body]).toEqual([[], { email, first: { label: "a", limit: null } }]);
  });

  test("has no keys of an object's prototype, and takes no inherited value for a sent one", () => {
    const hostile = JSON.parse(
      `{"email":"${email}","__proto__":{"open":true},"constructor":{"prototype":{"open":true}}}`,
    );
    const { issues, body } = read(hostile);
    expect([issues, Object.getOwnPropertyNames(body)]).toEqual([[], ["email"]]);
    expect(({} as { open?: boolean }).open).toBeUndefined();
    const inherited = bodyReader(closed({ toString: Type.String(), valueOf: Type.Optional(Type.String()) }));
    expect(inherited({}).issues).toEqual([{ path: "/toString", message: "is required" }]);
  });
});
