/** The issues of a request that does not fit its contract (`docs/contract.md`, "Errors"). */
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import * as routes from "#api/routes.ts";
import { placeInWords, ValidationFailed } from "#kit/errors.ts";
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
  Text,
  Type,
} from "#kit/schema/schema.ts";
import { type CompiledSchema, issuesOf } from "#kit/schema/validation.ts";
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
const blank = "must be a single line that is not blank or only dots";

describe("an issue", () => {
  test.each<[unknown, string, string]>([
    [{}, "/email", "is required"],
    [[], "/", "must be an object"],
    [null, "/", "must be an object"],
    [{ email: "x" }, "/email", "must be an email address, without / ? # and %"],
    [{ email, price: -1 }, "/price", "must be a number from 0 to 9"],
    [{ email, price: 9.01 }, "/price", "must be a number from 0 to 9"],
    [{ email, price: "7" }, "/price", "must be a number from 0 to 9"],
    [{ email, open: "true" }, "/open", "must be true or false"],
    [{ email, seats: 0 }, "/seats", "must be a whole number from 1 to 1,000,000, or null"],
    [{ email, seats: "2" }, "/seats", "must be a whole number from 1 to 1,000,000, or null"],
    [{ email, choices: 7 }, "/choices", "must be a list or text, or null"],
    [{ email, choices: ["a\nb"] }, "/choices/0", "must be a single line without control characters"],
    [{ email, choices: "a\nb" }, "/choices", "must be a single line without control characters"],
    [{ email, nick: "abcd" }, "/nick", "must have at most 3 characters"],
    [{ email, nick: "a\nb" }, "/nick", "must be a single line without control characters"],
    [{ email, about: "\u0007" }, "/about", "must not contain control characters"],
    [{ email, kind: "z" }, "/kind", "must be one of x, y"],
    [{ email, first: {} }, "/first/label", "is required"],
    [{ email, first: { label: "a", limit: 1.5 } }, "/first/limit", "must be a whole number of at least 1, or null"],
    [{ email, first: { label: "a" }, second: { label: " " } }, "/second/label", blank],
    [{ email, questions: [{ label: "a" }, { label: "" }] }, "/questions/1/label", blank],
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
    for (const endless of ["Infinity", "-Infinity", "1e400"]) {
      for (const name of ["limit", "amount"]) {
        const { issues } = readQuery({ query: { [name]: endless } });
        expect(issues).toEqual([{ path: `/${name}`, message: "must be a finite number" }]);
      }
    }
    expect(readQuery({ query: { limit: "500", amount: "1e300" } }).issues).toEqual([]);
  });

  test("is one of at most twenty", () => {
    const answers = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`q${index}`, ""]));
    expect(read({ email, answers }).issues).toHaveLength(20);
  });
});

describe("a list or a record that is large", () => {
  const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
  const entries = Type.Record(Type.String(), closed({ label: Name }), { maxProperties: 3 });
  const readLarge = bodyReader(closed({ list: Type.Array(closed({ label: Name }), { maxItems: 3 }), entries }));

  test("beyond its bound is told by its size alone", () => {
    const list = times(4, () => ({}));
    const refused = { list, entries: Object.fromEntries(list.map((one, at) => [`k${at}`, one])) };
    const message = "must have at most 3 entries";
    expect(readLarge(refused).issues).toEqual([
      { path: "/list", message },
      { path: "/entries", message },
    ]);
    // Control: within the bound the entries are looked at.
    const { issues } = readLarge({ list: list.slice(1), entries: { k: {} } });
    expect(issues.map(({ path }) => path)).toEqual([
      "/list/0/label",
      "/list/1/label",
      "/list/2/label",
      "/entries/k/label",
    ]);
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

  test.each(bodies)("has few complaints: %s", (_key, { body = {}, validate }) => {
    expect(mostComplaints(body, validate.body as CompiledSchema)).toBeLessThan(500);
  });

  test("control: the schema compiler alone complains about every entry", () => {
    const body = closed({ ids: Type.Array(Type.Integer(), { maxItems: 3 }) });
    const alone = new Ajv2020({ allErrors: true }).compile(body) as CompiledSchema;
    expect(mostComplaints(body, alone)).toBeGreaterThan(1_000);
    expect(mostComplaints(body, compileValidator({ body }).body as CompiledSchema)).toBeLessThan(10);
  });

  test("is not taken for another kind of list because of the complaints about the first kind", () => {
    const numbers = Type.Array(Type.Integer());
    const readEither = bodyReader(closed({ list: Type.Union([Type.Array(closed({ label: Name })), numbers]) }));
    const list = times(300, (at) => at);
    expect(readEither({ list }).issues).toEqual([]);
    expect(readEither({ list: [...list, "x"] }).issues).not.toEqual([]);
    expect(readEither({ list: [0, ...times(300, () => "x")] }).issues).not.toEqual([]);
  });

  test("of a name with many separators is no misspelling", () => {
    expect(read({ email, [`pri${"_".repeat(90)}ce`]: 1 }).issues).toHaveLength(1);
    expect(read({ email, [`pri${"_".repeat(100)}ce`]: 1 }).issues).toEqual([]);
    expect(read({ email, "pri/ce": 1 }).issues).toEqual([{ path: "/pri~1ce", message: "must be spelled price" }]);
  });
});

describe("the limit of a list", () => {
  const limits = routes.routes.flatMap((route) =>
    Object.entries(route.query?.properties ?? {})
      .filter(([name]) => name.startsWith("limit"))
      .map(([name, schema]) => [`${route.key} ${name}`, name, schema as { minimum: number; atMost: number }] as const),
  );
  const limitReader = (name: string, schema: object) => {
    const readQuery = reader({ query: closed({ [name]: schema as never }) });
    return (value: string) => {
      const { issues, request } = readQuery({ query: { [name]: value } });
      return issues.length > 0 ? issues : (request.queryStringParameters as Record<string, unknown>)[name];
    };
  };

  test.each(limits)("%s is never larger than the most, and never too small", (_, name, schema) => {
    const { minimum, atMost } = schema;
    const limitOf = limitReader(name, schema);
    expect(atMost).toBeGreaterThanOrEqual(100);
    fc.assert(
      fc.property(fc.integer({ min: minimum, max: 2 * atMost }), (wanted) => {
        expect(limitOf(`${wanted}`)).toBe(Math.min(wanted, atMost));
      }),
    );
    for (const large of [`${atMost + 1}`, "1e300", `${Number.MAX_SAFE_INTEGER}`]) {
      expect(limitOf(large)).toBe(atMost);
    }
    for (const wrong of [`${minimum - 1}`, "-501", "1.5", "501.5", "many", "", "NaN", "Infinity", "1e400"]) {
      expect(limitOf(wrong)).toEqual([{ path: `/${name}`, message: expect.any(String) }]);
    }
  });

  test("is looked at in all lists", () => expect(limits.length).toBeGreaterThanOrEqual(13));
});

describe("a name that is spelled in another way", () => {
  test.each<[unknown, string, string]>([
    [{ Email: email }, "/Email", "must be spelled email"],
    [{ email, PRICE: 1 }, "/PRICE", "must be spelled price"],
    [{ email, first: { label: "a", LIMIT: 1 } }, "/first/LIMIT", "must be spelled limit"],
    [{ email, questions: [{ label: "a" }, { la_bel: "b" }] }, "/questions/1/la_bel", "must be spelled label"],
  ])("in %j is refused with the right one", (body, path, message) => {
    expect(read(body).issues).toContainEqual({ path, message });
  });

  test.each([
    ["beside the right one", { email, Email: "b@x.example" }],
    ["of something else", { email, emails: 1, mail: 2 }],
    ["inside a map of answers", { email, answers: { Email: "ok", EMAIL: "ok" } }],
  ])("%s is ignored", (_name, body) => expect(read(body).issues).toEqual([]));

  test("is found in a query too, and not among the path's parameters", () => {
    const readParts = reader({
      params: closed({ eventId: EventId }),
      query: closed({ ...page, "eventID;year": Type.Optional(Type.String()) }),
    });
    const { issues } = readParts({ params: { eventId: "a" }, query: { Limit: "5", eventid_year: "a;1" } });
    expect(issues).toEqual([
      { path: "/Limit", message: "must be spelled limit" },
      { path: "/eventid_year", message: "must be spelled eventID;year" },
    ]);
  });

  test("control: without the hints nothing is said", () => {
    const contract = { body: closed({ email: Email, price: Type.Optional(Type.Number()) }) };
    const { hints: _hints, ...validator } = compileValidator(contract);
    const request = { pathParameters: {}, queryStringParameters: {}, body: { email, Price: 1 } };
    expect(issuesOf(validator, request)).toEqual([]);
  });
});

describe("the sentence of a refusal", () => {
  const sentenceFor = (body: unknown): string => new ValidationFailed(read(body).issues).message;

  test("names all issues", () => {
    expect(sentenceFor({ price: -1, first: {} })).toBe(
      "email is required; price must be a number from 0 to 9; label of first is required.",
    );
  });

  test.each([
    [{ email, questions: [{ label: "a" }, {}] }, "label of entry 2 of questions is required."],
    [{ email, choices: ["a", "b\nc"] }, "entry 2 of choices must be a single line without control characters."],
    [{ email, answers: { 0: "a" } }, "0 of answers must have at least 2 characters."],
    [[], "The body must be an object."],
  ])("counts the entries of a list from 1, as people do: %j", (body, message) => {
    expect(sentenceFor(body)).toBe(message);
  });

  test("says what a rule calls a place, and the answer has the path alone", () => {
    const refused = new ValidationFailed([{ path: "/answers/x", name: '"Diet"', message: "is required" }]);
    expect(refused.message).toBe('"Diet" is required.');
    expect(refused.details).toEqual({ issues: [{ path: "/answers/x", message: "is required" }] });
  });

  test("reads the escapes of a pointer", () => expect(placeInWords("/responses/a~1b~0c")).toBe("a/b~c of responses"));
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

  test.each([{ year }, { year, more: 1 }, { year, id: "gala" }])(
    "that names nothing to change is refused: %j",
    (body) => expect(change(body)).toEqual([nothing]),
  );

  test.each([
    { year, ename: "Gala" },
    { year, capac: null },
    { year, capac: 5, more: 1 },
  ])("that names something is fine: %j", (body) => expect(change(body)).toEqual([]));

  test("is told all that it lacks, and of a misspelled name only the right one", () => {
    expect(change({})).toEqual([nothing, { path: "/year", message: "is required" }]);
    expect(change({ year, Capac: 5 })).toEqual([{ path: "/Capac", message: "must be spelled capac" }]);
    expect(change({ Year: year, capac: 5 })).toEqual([{ path: "/Year", message: "must be spelled year" }]);
    expect(change([])).toEqual([{ path: "/", message: "must be an object" }]);
  });

  test.each([
    { id: "gala" },
    { mail: "ada@x.example" },
    { mail: " ADA@X.Example" },
    { id: "gala", mail: "ada@x.example" },
  ])("may repeat what the path says: %j", (body) => expect(change({ year, capac: 1, ...body })).toEqual([]));

  const right: Readonly<Record<string, string>> = { id: "gala", mail: "ada@x.example" };
  test.each([
    ["id", "ball"],
    ["id", "GALA"],
    ["id", ""],
    ["id", null],
    ["id", ["gala"]],
    ["id", { toString: 1 }],
    ["mail", "bob@x.example"],
    ["mail", 7],
  ])("may not name another thing by %s: %j", (name, value) => {
    const message = `must be ${right[name]}, as in the path, or absent: it cannot be changed`;
    expect(change({ year, capac: 1, [name]: value })).toEqual([{ path: `/${name}`, message }]);
  });

  test("control: without the hints both pass", () => {
    const { hints: _hints, ...validator } = compileValidator(contract);
    const request = { pathParameters: { eventId: "gala", email }, queryStringParameters: {}, body: { year, id: "x" } };
    expect(issuesOf(validator, request)).toEqual([]);
  });

  test("is what every PATCH asks for, but the favourite, whose event is the change", () => {
    const patches = routes.routes.filter(({ method }) => method === "PATCH");
    expect(patches.length).toBeGreaterThan(5);
    const without = patches.filter(({ validate }) => validate.hints?.changes === undefined);
    expect(without.map(({ path }) => path)).toEqual(["/users/favEvent/{email}"]);
  });
});

test("a text with half of a surrogate pair or a control character is refused in every field", () => {
  const texts = bodyReader(closed({ name: Name, line: Line(), text: Text(99), texts: Type.Array(Text(99)) }));
  const bad = fc.constantFrom("\ud800", "\udc00", "\u0000", "\u001b", "\u007f", "\u0085", "\u2028");
  const field = fc.constantFrom("name", "line", "text", "texts");
  fc.assert(
    fc.property(field, fc.string(), bad, fc.string(), (name, before, letter, after) => {
      const text = `(${before.slice(0, 9)}${letter} ${after.slice(0, 9)})`;
      const fine = { name: "a", line: "a", text: "a", texts: ["a"] };
      const { issues } = texts({ ...fine, [name]: name === "texts" ? ["a", text] : text });
      expect(issues.map(({ path }) => path)).toEqual([name === "texts" ? "/texts/1" : `/${name}`]);
    }),
  );
});

test("compiling does not change a contract", () => {
  const long = Type.Optional(closed({ label: Name, description: Text(10_000) }));
  const body = closed({ one: long, two: long });
  const before = JSON.stringify(body);
  const readTwice = bodyReader(body);
  expect(JSON.stringify(body)).toBe(before);
  expect(readTwice({ one: { label: "a" }, two: {} }).issues.map(({ path }) => path)).toEqual([
    "/one/description",
    "/two/label",
    "/two/description",
  ]);
});

test("the bundled validators have no sentences of the reference, and still check a field that is called description", () => {
  const body = closed({ description: described(Text(5), "A sentence for readers."), label: Name });
  const source = validatorSources({ body }, "formats").body ?? "";
  expect(source).toContain("description");
  expect(source).not.toContain("A sentence for readers.");
  expect(JSON.stringify(body)).toContain("A sentence for readers.");
});
