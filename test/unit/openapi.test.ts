/** The reference of the API: complete, and the same in `docs/openapi.json` as in the routes. `npm run generate` lints it. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { refusalsOf, statusOfCode } from "#api/refusals.ts";
import { routes } from "#api/routes.ts";
import { type FormatName, formats } from "#kit/schema/formats.ts";
import { openApiDocument } from "../../tools/reference/document.ts";
import { publicFormats } from "../../tools/reference/schemas.ts";
import { type AnsweredRequest, documentedBy } from "../service/documented.ts";

const file = new URL("../../docs/openapi.json", import.meta.url);
const document = openApiDocument();
const text = `${JSON.stringify(document, undefined, 2)}\n`;

test('docs/openapi.json is up to date; "npm run generate" writes it', () => {
  expect(readFileSync(file, "utf8") === text).toBe(true);
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

  test("has the statuses of every refusal", () => {
    for (const route of routes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      expect(Object.keys(operation?.responses ?? {})).toEqual(
        expect.arrayContaining(refusalsOf(route).map((code) => `${statusOfCode(code)}`)),
      );
    }
  });

  test("asks of a field for as much as the service does, which may be more than its format", () => {
    const schema = expect.objectContaining({ minLength: 2, maxLength: 254 });
    expect(document.paths["/events/{eventId}/{year}/door/search"]?.get).toMatchObject({
      parameters: expect.arrayContaining([expect.objectContaining({ name: "q", schema })]),
    });
  });

  test("says nothing about the inside of the service", () => {
    expect(text).not.toMatch(/canonical|"~|generation|scheduleVersion/);
  });
});

/** The first example of an answer, as a test would get it. */
function answered(status: number, method: string, path: string): AnsweredRequest {
  const response = document.paths[path]?.[method]?.responses[status] as { content: Record<string, Answered> };
  const { example, examples = {} } = response.content["application/json"] ?? {};
  const text = JSON.stringify(example ?? Object.values(examples)[0]?.value);
  const named = { method: method.toUpperCase(), path: path.replace("{id}", "hoodie") };
  return { ...named, status, contentType: "application/json", text, headers: new Headers() };
}
interface Answered {
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

test("an answer that the document does not describe is found", () => {
  const check = documentedBy(document);
  const registered = answered(201, "post", "/registrations");
  const { registration, ...rest } = JSON.parse(registered.text);
  const withBody = (body: object, status = 201) => ({ ...registered, status, text: JSON.stringify(body) });
  const conflict = { message: "You are registered already.", code: "DUPLICATE", requestId: "r", registration };
  const prize = answered(200, "get", "/prizes/{id}");
  const tagged = (answer: AnsweredRequest) => ({ ...answer, headers: new Headers({ etag: '"a.1"' }) });
  // The control.
  expect([registered, withBody(conflict, 409), tagged(prize)].map(check)).toEqual(Array(3).fill(undefined));
  const { email: _email, ...lacking } = registration;
  const wrong = [
    { ...registered, contentType: "text/html" },
    withBody({ ...rest, registration: { ...registration, version: 1 } }),
    withBody({ ...rest, registration: lacking }),
    withBody({ ...conflict, code: "WRONG_EVENT" }, 409),
    prize,
    tagged(registered),
  ];
  expect(wrong.map(check)).toEqual(wrong.map(() => expect.any(String)));
});

describe("the patterns of the document", () => {
  const pieces = ["a", "é", "😀", "..", ..." .\t\n\r\u0000\u001f\u007f\u0085\u00a0\u2028"];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((all) => all.join(""));
  const isMatch = (format: FormatName, text: string) => new RegExp(`${publicFormats[format].pattern}`, "u").test(text);

  test.each(["text", "line", "name", "name-or-blank", "event-id", "template-name"] as const)(
    "of a %s match what the service accepts, and nothing else",
    (format) =>
      fc.assert(fc.property(texts, (text) => expect(isMatch(format, text)).toBe(formats[format].check(text)))),
  );

  test.each([
    ["2030-03-01", true],
    ["2030-03-01t18:00:01.5-0700", true],
    ["2201-01-01", false],
    ["2030-13-01", false],
    ["", false],
  ])("of a date match %j: %s", (text, isDate) => {
    expect([isMatch("iso-date", text), formats["iso-date"].check(text)]).toEqual([isDate, isDate]);
    const isBlank = text === "";
    expect([isMatch("date-or-blank", text), formats["date-or-blank"].check(text)]).toEqual(
      Array(2).fill(isDate || isBlank),
    );
  });
});
