/** The reference of the API: complete, and the same in `docs/openapi.json` as in the routes. `npm run generate` lints it. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Type } from "typebox";
import { refusalsOf, statusOfCode } from "#api/refusals.ts";
import { routes } from "#api/routes.ts";
import { type FormatName, formats } from "#kit/schema/formats.ts";
import { documentAjv } from "../../tools/reference/ajv.ts";
import { type OpenApiDocument, type Operation, openApiDocument } from "../../tools/reference/document.ts";
import { Examples } from "../../tools/reference/examples.ts";
import { Components, publicFormats } from "../../tools/reference/schemas.ts";
import { type AnsweredRequest, documentedBy } from "../service/documented.ts";

const file = new URL("../../docs/openapi.json", import.meta.url);
const document = openApiDocument();
const text = `${JSON.stringify(document, undefined, 2)}\n`;

test('docs/openapi.json is up to date; "npm run generate" writes it', () => {
  expect(readFileSync(file, "utf8") === text).toBe(true);
});

test.each([["integer"], ["number"], ["string"]])("a required %s without a usual value is asked for", (type) => {
  const examples = new Examples({}, () => true);
  const schema = { type: "object", required: ["mood"], properties: { mood: { type } } };
  expect(() => examples.of(schema, "SeatsLeft")).toThrow(
    "There is no example of SeatsLeft.mood that fits its schema: add `mood` to `values` in tools/reference/examples.ts.",
  );
});

test("a field without a description is asked for", () => {
  const schema = Type.Object({ mood: Type.Integer() });
  expect(() => new Components().of(schema, "response", "SeatsLeft")).toThrow(
    "Nothing says what SeatsLeft.mood means: give its schema a description, or add `mood` to tools/reference/fields.ts.",
  );
});

/** The names that the types of the client must have: operations, parameters, schemas, fields, and allowed values. */
function namesIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { operationId, name, properties, enum: allowed } = node as Readonly<Record<string, unknown>>;
  const own = [operationId, name, ...((allowed ?? []) as unknown[]), ...Object.keys(properties ?? {})];
  const names = own.filter((one) => typeof one === "string");
  const inner = Object.entries(node).filter(([key]) => key !== "example" && key !== "examples");
  return [...names, ...inner.flatMap(([, value]) => namesIn(value))];
}

test('client/paths.ts knows every name of the reference; "npm run generate" writes it', () => {
  const types = readFileSync(new URL("../../client/paths.ts", import.meta.url), "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  const known = new Set(types.match(/[^\s"?:|;{}()<>[\],]+/g));
  const { paths, components } = document;
  const names = [...namesIn(paths), ...namesIn(components.schemas), ...Object.keys(components.schemas)];
  const words = new Set(names.flatMap((name) => name.match(/[^\s"?:|;{}()<>[\],]+/g) ?? []));
  expect(words.size).toBeGreaterThan(300);
  expect([...words].filter((word) => !known.has(word))).toEqual([]);
  // Control: the test finds a name that the types do not have.
  expect(known.has("noSuchName")).toBe(false);
});

/**
 * Fields of one schema, and parameters of one operation, whose names differ in case and separators only: generators make
 * one name of `firstName` and `first_name`.
 */
function clashes(node: unknown): string[][] {
  if (typeof node !== "object" || node === null) return [];
  const { properties, parameters } = node as { properties?: object; parameters?: unknown };
  const listed = Array.isArray(parameters) ? (parameters as readonly { readonly name?: string }[]) : [];
  const names = [Object.keys(properties ?? {}), listed.flatMap(({ name }) => name ?? [])];
  const inWords = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const own = names.flatMap((all) =>
    all
      .map((name) => all.filter((one) => inWords(one) === inWords(name)))
      .filter(([first, ...more], at) => more.length > 0 && first === all[at]),
  );
  return [...own, ...Object.values(node).flatMap(clashes)];
}

test("names that clash in generators are found", () => {
  const properties = { firstName: {}, first_name: {}, lastName: {}, FirstName: {} };
  expect(clashes({ schemas: [{ properties }] })).toEqual([["firstName", "first_name", "FirstName"]]);
  const parameters = [{ name: "x-key", in: "header" }, { name: "limit" }, { name: "xKey", in: "query" }];
  expect(clashes({ get: { parameters } })).toEqual([["x-key", "xKey"]]);
});

describe("the document", () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
  );

  test("has every route with its aliases, under the paths of the contract", () => {
    const documented = operations.flatMap(({ key, operation }) => {
      const [method] = key.split(" ");
      return [key, ...((operation["x-aliases"] ?? []) as string[]).map((alias) => `${method} ${alias}`)];
    });
    expect(documented.sort()).toEqual(routes.flatMap(({ keys }) => keys).sort());
    expect(text).not.toContain("{proxy+}");
  });

  test("names every operation once", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test("has an example of every parameter, body and answer", () => {
    const lacking: string[] = [];
    const look = (node: unknown, place: string): void => {
      if (typeof node !== "object" || node === null) return;
      const { schema, example, examples, content } = node as Record<string, unknown>;
      const isHeader = place.includes("/headers/");
      if (schema !== undefined && example === undefined && examples === undefined && !isHeader) lacking.push(place);
      for (const [name, inner] of Object.entries((content ?? {}) as object)) look(inner, `${place}/${name}`);
      for (const part of ["parameters", "requestBody", "responses"]) {
        for (const [name, inner] of Object.entries(((node as Record<string, unknown>)[part] ?? {}) as object)) {
          look(inner, `${place}/${part}/${name}`);
        }
      }
    };
    for (const { key, operation } of operations) look(operation, key);
    for (const [name, response] of Object.entries(document.components.responses)) look(response, name);
    expect(lacking).toEqual([]);
    expect(operations).toHaveLength(routes.length);
  });

  test("has no two names in one place that generators make one of", () => {
    expect(clashes(document)).toEqual([]);
  });

  test("has the statuses of every refusal", () => {
    for (const route of routes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {})).toEqual(
        expect.arrayContaining(refusalsOf(route).map((code) => `${statusOfCode(code)}`)),
      );
    }
  });

  test("says of each answer and each refusal what it is, and names an event only where there is one", () => {
    const hasEvent = (key: string, { parameters, requestBody }: Operation) =>
      /event/i.test(key + JSON.stringify([parameters, requestBody]));
    const told = operations.flatMap(({ key, operation }) =>
      Object.entries(operation.responses).map(([status, response]) => {
        const name = (response as { $ref?: string }).$ref?.split("/").at(-1) ?? "";
        const { description } = { ...document.components.responses[name], ...response } as { description: string };
        return {
          key,
          status,
          description,
          isOfEvent: hasEvent(key, operation),
        };
      }),
    );
    expect(told.length).toBeGreaterThan(800);
    expect(told.filter(({ description }) => /^(?:Done|Created|OK)?\.?$/.test(description))).toEqual([]);
    const wrong = told.filter(({ description, isOfEvent }) => description.includes("Event not found") && !isOfEvent);
    expect(wrong.map(({ key }) => key)).toEqual([]);
  });

  test("describes every parameter and every field, not only the form of its text", () => {
    const described: [string, unknown][] = [];
    const look = (node: unknown, place: string): void => {
      if (typeof node !== "object" || node === null) return;
      const { properties, parameters, ...rest } = node as Readonly<Record<string, Readonly<Record<string, object>>>>;
      for (const [name, field] of Object.entries({ ...properties, ...parameters })) {
        described.push([`${place}.${name}`, (field as { description?: string }).description]);
        look(field, `${place}.${name}`);
      }
      for (const [name, inner] of Object.entries(rest)) if (!name.startsWith("example")) look(inner, name);
    };
    look(document.paths, "");
    look(document.components, "");
    expect(described.length).toBeGreaterThan(1_300);
    expect(described.filter(([, text]) => !text || /^(?:One line of|Text without|An https? )/.test(`${text}`))).toEqual(
      [],
    );
  });

  test("says nothing about the inside of the service", () => {
    expect(text).not.toMatch(/canonical|"~|generation|scheduleVersion/);
  });
});

interface Answered {
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

/** The first example of an answer, as a test would get it. */
function answered(status: number, method = "post", path = "/registrations"): AnsweredRequest {
  const response = document.paths[path]?.[method]?.responses[status] as
    | { readonly content: Readonly<Record<string, Answered>> }
    | undefined;
  const { example, examples = {} } = response?.content["application/json"] ?? {};
  const body = example ?? Object.values(examples)[0]?.value;
  return {
    method: "POST",
    path: "/registrations/",
    status,
    contentType: "application/json",
    text: JSON.stringify(body),
    headers: new Headers(),
  };
}

describe("an answer that the document does not describe is found", () => {
  const check = documentedBy(document);
  const registered = answered(201);
  type Registered = Record<string, unknown> & { registration: Record<string, unknown> };
  const body = JSON.parse(registered.text) as Registered;
  const conflict = {
    ...registered,
    status: 409,
    text: JSON.stringify({
      message: "You are registered already.",
      code: "DUPLICATE",
      requestId: "r",
      registration: body.registration,
    }),
  };
  const changed = (change: (body: Registered) => void, of: AnsweredRequest = registered) => {
    const copy = JSON.parse(of.text) as Registered;
    change(copy);
    return { ...of, text: JSON.stringify(copy) };
  };

  test("control: the right answers are described", () => {
    expect([registered, conflict].map(check)).toEqual([undefined, undefined]);
    expect(
      check({ ...registered, path: "/nothing", method: "GET", status: 404, text: '{"message":"Not Found"}' }),
    ).toBe(undefined);
  });

  test.each<[string, AnsweredRequest]>([
    ["a status", { ...registered, status: 202 }],
    ["a path", { ...registered, path: "/registration" }],
    ["a content type", { ...registered, contentType: "text/html" }],
    ["an added field", changed((copy) => Object.assign(copy, { more: 1 }))],
    ["an added field inside", changed(({ registration }) => Object.assign(registration, { version: 1 }))],
    ["a missing field", changed(({ registration }) => Reflect.deleteProperty(registration, "email"))],
    ["another type", changed(({ registration }) => Object.assign(registration, { points: "7" }))],
    ["another code", changed((copy) => Object.assign(copy, { code: "WRONG_EVENT" }), conflict)],
    ["a field of another refusal", changed((copy) => Object.assign(copy, { issues: [] }), conflict)],
  ])("%s", (_name, wrong) => {
    expect(check(wrong)).toEqual(expect.any(String));
  });

  describe("the header of a tag", () => {
    const prize = { ...answered(200, "get", "/prizes/{id}"), method: "GET", path: "/prizes/hoodie" };
    const withTag = (etag: string) => new Headers({ etag });

    test("control: a strong tag is described", () => {
      expect(check({ ...prize, headers: withTag('"a.1"') })).toBe(undefined);
    });

    test.each<[string, AnsweredRequest]>([
      ["that is missing", prize],
      ["that is weak", { ...prize, headers: withTag('W/"a.1"') }],
      ["without quotes", { ...prize, headers: withTag("a.1") }],
      ["of a route that declares none", { ...registered, headers: withTag('"a.1"') }],
    ])("%s", (_name, wrong) => expect(check(wrong)).toContain("ETag"));
  });

  test("a route whose answer loses a field in the document", () => {
    const { Registered, ...schemas } = document.components.schemas;
    const { message: _message, ...properties } = (Registered?.properties ?? {}) as Record<string, object>;
    const stale: OpenApiDocument = {
      ...document,
      components: {
        ...document.components,
        schemas: { ...schemas, Registered: { ...Registered, properties } },
      },
    };
    expect(documentedBy(stale)(registered)).toEqual(expect.any(String));
  });
});

test("formats of the document are those of the service", () => {
  const ajv = documentAjv();
  const email = ajv.compile({ type: "string", format: "email" });
  expect(["ada@student.example", "ada", "ä@x.example"].map((one) => email(one))).toEqual([true, false, false]);
});

describe("the patterns of the document", () => {
  const pieces = [
    "a",
    "é",
    "😀",
    ".",
    "..",
    " ",
    "\t",
    "\n",
    "\r",
    "\u0000",
    "\u001f",
    "\u007f",
    "\u0085",
    "\u00a0",
    "\u2028",
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((all) => all.join(""));
  const isMatch = (format: FormatName, text: string) => new RegExp(`${publicFormats[format].pattern}`, "u").test(text);

  test.each(["text", "line", "name", "name-or-blank", "event-id", "template-name"] as const)(
    "of a %s match what the service accepts, and nothing else",
    (format) =>
      fc.assert(fc.property(texts, (text) => expect(isMatch(format, text)).toBe(formats[format].check(text)))),
  );

  test.each([
    ["2030-03-01", true],
    [" 2030-03-01T18:00 ", true],
    ["2030-03-01t18:00:01.5-0700", true],
    ["2030-03-01 18:00Z", true],
    ["1899-12-31", false],
    ["2200-12-31", true],
    ["2201-01-01", false],
    ["2030-13-01", false],
    ["2030-03-01T24:00", false],
    ["2030-03-01T18:00+15:00", false],
    ["tomorrow", false],
    ["", false],
  ])("of a date match %j: %s", (text, isDate) => {
    expect([isMatch("iso-date", text), formats["iso-date"].check(text)]).toEqual([isDate, isDate]);
    const isBlank = text === "";
    expect([isMatch("date-or-blank", text), formats["date-or-blank"].check(text)]).toEqual(
      Array(2).fill(isDate || isBlank),
    );
  });

  test("of a key match what the service takes", () => {
    const schemas = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ parameters = [] }) =>
        (parameters as { name: string; schema: { pattern?: string } }[])
          .filter(({ name }) => name === "Idempotency-Key")
          .map(({ schema }) => schema.pattern),
      ),
    );
    expect(schemas.length).toBeGreaterThan(5);
    for (const pattern of schemas) {
      const isKey = (key: string) => new RegExp(`${pattern}`).test(key);
      expect(["8e03978e-40d5", "~!", "a b", "é", ""].map(isKey)).toEqual([true, true, false, false, false]);
    }
  });
});
