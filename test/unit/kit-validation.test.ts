/**
 * The issues of a request that does not fit its contract, and the canonical input that a handler gets of another one
 * (`docs/contract.md`, "Conventions" and "Errors").
 */
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as routes from "#api/routes.ts";
import { questionIssues } from "#domain/events/questions.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { compileValidator, validatorSources } from "#kit/schema/compile.ts";
import {
  changing,
  closed,
  described,
  Email,
  EventId,
  Line,
  Name,
  orNull,
  page,
  QueryEmail,
  Text,
  Type,
} from "#kit/schema/schema.ts";
import type { CompiledSchema } from "#kit/schema/validation.ts";
import { largeBodies } from "./large-bodies.ts";
import { bodyReader, reader } from "./request-reader.ts";

const question = closed({ label: Name, limit: Type.Optional(orNull(Type.Integer({ minimum: 1 }))) });
const read = bodyReader(
  closed({
    email: Email,
    price: Type.Optional(Type.Number({ minimum: 0, maximum: 9 })),
    open: Type.Optional(Type.Boolean()),
    nick: Type.Optional(Line(3)),
    about: Type.Optional(Text(9)),
    kind: Type.Optional(Type.Unsafe<string>({ type: "string", enum: ["x", "y"] })),
    first: Type.Optional(question),
    second: Type.Optional(question),
    questions: Type.Optional(Type.Array(question, { maxItems: 2 })),
    seats: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 1_000_000 }))),
    choices: Type.Optional(Type.Union([Type.Array(Line()), Line(), Type.Null()])),
    answers: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 2 }))),
  }),
);
const email = "a@x.example";
const tooMany = [1, 2, 3].map(() => ({ label: "a" }));

describe("an issue", () => {
  test.each<[unknown, string, string]>([
    [{}, "/email", "is required"],
    [[], "/", "must be an object"],
    [{ email: "x" }, "/email", "must be an email address, without accents and / ? # %"],
    [{ email: "zoë@x.example" }, "/email", "must be an email address, without accents and / ? # %"],
    [{ email, price: "7" }, "/price", "must be a number from 0 to 9"],
    [{ email, seats: 0 }, "/seats", "must be a whole number from 1 to 1,000,000, or null"],
    [{ email, choices: 7 }, "/choices", "must be a list or text, or null"],
    [{ email, choices: ["a\nb"] }, "/choices/0", "must be a single line without control characters"],
    [{ email, nick: "abcd" }, "/nick", "must have at most 3 characters"],
    [{ email, about: "\u0007" }, "/about", "must not contain control characters"],
    [{ email, kind: "z" }, "/kind", "must be one of x, y"],
    [{ email, first: { label: "a", limit: 1.5 } }, "/first/limit", "must be a whole number of at least 1, or null"],
    [{ email, questions: tooMany }, "/questions", "must have at most 2 entries"],
    [{ email, answers: { q: "a" } }, "/answers/q", "must have at least 2 characters"],
  ])("of %j is named at its place", (body, path, message) => {
    expect(read(body).issues).toEqual([{ path, message }]);
  });

  test("of a parameter is named by the parameter alone, however it came", () => {
    const readParts = reader({
      params: closed({ eventId: EventId }),
      query: closed(page),
      body: closed({ email: Email }),
    });
    const { issues } = readParts({ params: { eventId: "a b" }, query: { limit: "0" } });
    expect(issues.map(({ path }) => path)).toEqual(["/eventId", "/limit", "/email"]);
    expect(readParts({ body: { email } }).issues).toEqual([{ path: "/eventId", message: "is required" }]);
  });

  test("of a parameter says that it is out of bounds, also for a number that is too large for any bound", () => {
    const readQuery = reader({ query: closed({ ...page, amount: Type.Optional(Type.Number()) }) });
    for (const [limit, amount] of [
      ["Infinity", "-Infinity"],
      ["-1e400", "1e400"],
    ]) {
      const { issues } = readQuery({ query: { limit, amount } });
      expect(issues).toEqual(["/limit", "/amount"].map((path) => ({ path, message: "must be a finite number" })));
    }
    const { issues, request } = readQuery({ query: { limit: "501", amount: "1e300" } });
    expect([issues, request.queryStringParameters]).toEqual([[], { limit: 500, amount: 1e300 }]);
  });
});

describe("a list or a record that is large", () => {
  test("has at most twenty issues", () => {
    const answers = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`q${index}`, ""]));
    expect(read({ email, answers }).issues).toHaveLength(20);
    const found = questionIssues(Array(50).fill({ type: "SELECT" }), "/questions");
    const { message, details } = new ValidationFailed(found);
    expect([found.length, details.issues.length, message.split(";").length]).toEqual([50, 20, 20]);
  });

  const entries = Type.Record(Type.String(), closed({ label: Name }), { maxProperties: 3 });
  const readLarge = bodyReader(closed({ list: Type.Array(closed({ label: Name }), { maxItems: 3 }), entries }));

  test("beyond its bound is told by its size alone", () => {
    const list = Array.from({ length: 4 }, () => ({}));
    const refused = { list, entries: Object.fromEntries(list.map((one, at) => [`k${at}`, one])) };
    const message = "must have at most 3 entries";
    expect(readLarge(refused).issues).toEqual([
      { path: "/list", message },
      { path: "/entries", message },
    ]);
    // Control: within the bound the entries are looked at.
    const { issues } = readLarge({ list: list.slice(2), entries: { k: {} } });
    expect(issues.map(({ path }) => path)).toEqual(["/list/0/label", "/list/1/label", "/entries/k/label"]);
  });

  const bodies = routes.routes.flatMap((route) => (route.body ? [[route.key, route] as const] : []));
  /** The most complaints about any large body of a route. */
  const mostComplaints = (schema: object, validate: CompiledSchema) =>
    Math.max(
      ...Object.values(largeBodies(schema)).map((textOf) => {
        validate(JSON.parse(textOf(6_000)));
        return validate.errors?.length ?? 0;
      }),
    );

  test("has few complaints in each route; control: the schema compiler alone complains about every entry", () => {
    const tooMany = bodies.filter(
      ([, { body = {}, validate }]) => mostComplaints(body, validate.body as CompiledSchema) >= 500,
    );
    expect(tooMany).toEqual([]);
    const body = closed({ ids: Type.Array(Type.Integer(), { maxItems: 3 }) });
    const alone = new Ajv2020({ allErrors: true }).compile(body) as CompiledSchema;
    expect(mostComplaints(body, alone)).toBeGreaterThan(1_000);
  });
});

describe("a name that is spelled in another way", () => {
  test("is refused with the right one, at any depth", () => {
    const questions = [{ label: "a" }, { label: "a", LIM_it: 1 }];
    expect(read({ Email: email, questions }).issues).toEqual([
      { path: "/Email", message: "must be spelled email" },
      { path: "/questions/1/LIM_it", message: "must be spelled limit" },
    ]);
  });

  test.each([
    ["beside the right one", { email, Email: "b@x.example" }],
    ["of something else", { email, emails: 1, mail: 2 }],
    ["inside a map of answers", { email, answers: { Email: "ok", EMAIL: "ok" } }],
    ["that is too long for a slip", { email, [`pri${"_".repeat(100)}ce`]: 1 }],
  ])("%s is ignored", (_name, body) => expect(read(body).issues).toEqual([]));

  test("is found in a query too", () => {
    const readQuery = reader({ query: closed({ "eventID;year": Type.Optional(Type.String()) }) });
    const issue = { path: "/eventid_year", message: "must be spelled eventID;year" };
    expect(readQuery({ query: { eventid_year: "a;1" } }).issues).toEqual([issue]);
  });
});

describe("an unknown field of a request that cannot be undone", () => {
  const body = closed({ to: Email, only: Type.Optional(closed({ ids: Type.Array(closed({ id: Line() })) })) });
  const query = closed({ force: Type.Optional(Type.Boolean()) });
  const message = "is unknown: nothing was done, because this request cannot be undone";
  const sent = {
    query: { force: "true", refunds: "none" },
    body: { to: email, sendAt: "2030-01-01", only: { ids: [{ id: "a", dry: true }] }, id: "gala" },
  };
  const issuesWith = (contract: object) => reader({ query, body, fixedByPath: { id: "id" }, ...contract });

  test("is refused in query and body, at any depth; control: elsewhere it is ignored", () => {
    const params = { id: "gala" };
    const paths = ["/refunds", "/sendAt", "/only/ids/0/dry"];
    const { issues } = issuesWith({ irreversible: true })({ ...sent, params });
    expect(issues).toEqual(paths.map((path) => ({ path, message })));
    expect(issuesWith({})({ ...sent, params }).issues).toEqual([]);
    expect(reader({ irreversible: true })({ query: { a: "1" }, body: { b: 1 } }).issues).toHaveLength(2);
  });

  test("is what every DELETE, each mail, refund or address that an admin asks for, and each trade refuses", () => {
    const strict = routes.routes.filter(({ irreversible }) => irreversible);
    for (const { validate } of strict) expect(validate.hints).toMatchObject({ irreversible: true });
    expect(strict.flatMap(({ method, key }) => (method === "DELETE" ? [] : [key])).sort()).toEqual([
      ...["POST /btx/admin/reset", "POST /btx/market/buy", "POST /btx/market/sell", "POST /calendar"],
      ...["POST /emails/send", "POST /events/{eventId}/{year}/door-links", "POST /links/erasure"],
      "POST /links/new-email",
      ...["POST /payments/by-hand", "POST /payments/journal/closings", "POST /payments/{paymentId}/decisions"],
      ...["POST /payments/{paymentId}/refunds", "POST /payments/{paymentId}/reversals"],
      ...["POST /registrations/resend-ticket", "POST /users/calendar/{email}", "POST /users/{email}/export-link"],
      "POST /users/{email}/new-email",
    ]);
    const lax = routes.routes.filter(({ method, irreversible }) => method === "DELETE" && !irreversible);
    expect(lax.map(({ key }) => key)).toEqual([]);
  });
});

test.each([
  [{ email, choices: ["a", "b\nc"] }, "entry 2 of choices must be a single line without control characters."],
  [[], "The body must be an object."],
])("the sentence of a refusal counts the entries of a list from 1, as people do: %j", (body, message) => {
  expect(new ValidationFailed(read(body).issues).message).toBe(message);
});

describe("a change", () => {
  const contract = {
    params: closed({ eventId: EventId, email: Email }),
    body: changing({
      year: Type.Integer(),
      ename: Type.Optional(Name),
      capac: Type.Optional(orNull(Type.Integer())),
      admin: Type.Optional(Type.Unknown()),
    }),
    fixedByPath: { id: "eventId", mail: "email" },
  };
  const readChange = reader(contract);
  const change = (body: unknown) => readChange({ params: { eventId: "gala", email: "Ada@X.Example" }, body }).issues;
  const year = 2030;
  const nothing = { path: "/", message: "must name something to change: ename, capac" };

  test("must name something to change", () => {
    for (const body of [{ year }, { year, more: 1 }, { year, id: "gala" }]) expect(change(body)).toEqual([nothing]);
    expect(change({ year, capac: null, more: 1 })).toEqual([]);
  });

  test("is told all that it lacks, and of a misspelled name only the right one", () => {
    expect(change({})).toEqual([nothing, { path: "/year", message: "is required" }]);
    expect(change({ year, Capac: 5 })).toEqual([{ path: "/Capac", message: "must be spelled capac" }]);
    expect(change({ Year: year, capac: 5 })).toEqual([{ path: "/Year", message: "must be spelled year" }]);
    expect(change([])).toEqual([{ path: "/", message: "must be an object" }]);
  });

  test("may repeat what the path says", () => {
    expect(change({ year, capac: 1, id: "gala", mail: " ADA@X.Example" })).toEqual([]);
  });

  test.each(["ball", "GALA", ["gala"], { toString: 1 }])("may not name another thing: %j", (id) => {
    const message = "must be gala, as in the path, or absent: it cannot be changed";
    expect(change({ year, capac: 1, id })).toEqual([{ path: "/id", message }]);
  });

  test("is what every PATCH asks for, but the favourite, whose event is the change", () => {
    const patches = routes.routes.filter(({ method }) => method === "PATCH");
    expect(patches.length).toBeGreaterThan(5);
    const without = patches.filter(({ validate }) => validate.hints?.changes === undefined);
    expect(without.map(({ path }) => path)).toEqual(["/users/favEvent/{email}"]);
  });
});

describe("conversion", () => {
  const [count, flag, text] = [Type.Optional(Type.Integer()), Type.Optional(Type.Boolean()), Type.Optional(Line())];
  const schema = closed({ count, flag, text });
  const readQuery = reader({ query: schema });
  const readBody = bodyReader(schema);

  test("turns a query into values as the schema says", () => {
    const { issues, request } = readQuery({ query: { count: "-7", flag: "false", text: "7" } });
    expect([issues, request.queryStringParameters]).toEqual([[], { count: -7, flag: false, text: "7" }]);
  });

  test.each([{ count: "" }, { count: "7.5" }, { count: "7a" }, { count: "NaN" }, { flag: "" }, { flag: "1" }])(
    "refuses the query %j",
    (query) => expect(readQuery({ query }).issues).toHaveLength(1),
  );

  test.each([{ count: "7" }, { count: null }, { flag: "true" }, { flag: 1 }, { text: 7 }])(
    "is never applied to a body: %j",
    (body) => {
      const given = { ...body };
      expect(readBody(given).issues).toHaveLength(1);
      expect(given).toEqual(body);
    },
  );
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

  test("has no keys of an object's prototype, and takes no inherited value for a sent one", () => {
    const hostile = JSON.parse(
      `{"email":"${email}","__proto__":{"open":true},"constructor":{"prototype":{"open":true}}}`,
    );
    expect(Object.getOwnPropertyNames(read(hostile).body)).toEqual(["email"]);
    const inherited = bodyReader(closed({ toString: Type.String(), valueOf: Type.Optional(Type.String()) }));
    expect(inherited({}).issues).toEqual([{ path: "/toString", message: "is required" }]);
  });
});

test("the bundled validators have no sentences of the reference, and still check a field that is called description", () => {
  const body = closed({ description: described(Text(5), "A sentence for readers."), label: Name });
  const source = validatorSources({ body }, "formats").body ?? "";
  expect(source).toContain("description");
  expect(source).not.toContain("A sentence for readers.");
  expect(JSON.stringify(body)).toContain("A sentence for readers.");
});

test("a schema that is none does not compile", () => {
  const wrong = Type.Unsafe<string>({ type: "string", minLength: -1 });
  for (const compile of [compileValidator, (contract: object) => validatorSources(contract, "formats")]) {
    expect(() => compile({ body: wrong })).toThrow("schema is invalid");
  }
});
