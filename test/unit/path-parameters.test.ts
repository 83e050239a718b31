/**
 * What a client puts into a path arrives as it is stored (`docs/contract.md`, "Conventions"): every path parameter of the
 * reference, through a browser's address and the gateway, percent-encoded and as it is.
 */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { routes } from "#api/routes.ts";
import { contractRequest, isPathPart } from "#kit/request/gateway-key.ts";
import { formats } from "#kit/schema/formats.ts";
import { createRouter, decodedPath } from "../../tools/laptop/http-api/routing.ts";
import { anyText } from "../any-text.ts";
import { operationsOf, type Parameter } from "../service/document/operations.ts";
import { committed } from "../service/documented.ts";

const gateway = createRouter(
  routes.flatMap(({ gatewayKeys }) => gatewayKeys.map((RouteKey) => ({ RouteKey, functionId: "", timeout: 0 }))),
);
const greedyKeys = routes.flatMap((route) => route.greedyKeys);

/** The route's key and its parameters, after a browser has resolved `..` and cut off what begins with `?` or `#`. */
function arrived(method: string, path: string) {
  const decoded = decodedPath(new URL(`https://api.example${path}`).pathname);
  const match = decoded === undefined ? undefined : gateway(method, decoded);
  const request = match && contractRequest(match.route.RouteKey, match.params, greedyKeys);
  return request && { key: request.key, ...request.parameters };
}

/** Whether the service stores a value for this parameter. Ids that it makes itself have a pattern. */
function isStored({ name, schema }: Parameter, text: string): boolean {
  if (name === "feed") return /^\w[\w.]*$/.test(text);
  if (name === "email") return formats.email.check(text) && formats.email.canonical(text) === text;
  if (name === "profileID")
    return isPathPart(text) && formats.line.check(text) && formats.line.canonical(text) === text;
  if (schema.enum) return schema.enum.includes(text);
  if (schema.type === "integer") return /^\d{4}$/.test(text);
  if (schema.pattern) return new RegExp(schema.pattern).test(text);
  throw new Error(`Which values of ${name} are stored?`);
}

const ascii = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n));
const hostile = [
  ...["n/a", "?", "#", "%", "100%", "%2F", "%25", ".", "..", "...", "/", "//", "\\", "a b", "a+b", "é", "日本", "😀"],
  ...["a;b=c&d", "~'\"<>", "[x]", "{x}", "massUpdate", "self", "undefined", "attendee", "2030", "pi_1"],
  ...["01JGZ2M0W8Q4V5Y6Z7A8B9C0D1", "RareGeckosJam", "o3J9bD0kR8sVx2Qw"],
  ...ascii.flatMap((character) => [`${character}@x.example`, `a${character}b@x.example`]),
];
const text = fc.oneof(anyText({ maxLength: 8 }), fc.constantFrom(...hostile));

const operations = operationsOf(committed()).flatMap((operation) =>
  operation.paths.map((path) => ({ ...operation, path })),
);
const filled = (path: string, values: Readonly<Record<string, string>>, write: (value: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => write(values[name] as string));
const asItIs = (value: string) => value;

const sample: Readonly<Record<string, string>> = {
  ...{ email: "ada@x.example", fname: "Ada", eventId: "gala", year: "2030", formType: "attendee" },
  ...{
    profileID: "RareGeckosJam",
    templateName: "News",
    projectId: "team",
    paymentId: "pi_1",
    codeId: "o3J9bD0kR8sVx2Qw",
    id: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D1",
  },
};

const cases = operations.flatMap(({ method, path, parameters }) =>
  parameters
    .filter((one) => one.in === "path" && path.includes(`{${one.name}}`) && one.name !== "fname")
    .map((parameter) => [`${method} ${path}`, parameter.name, parameter] as const),
);

test.each(cases)("%s: a stored %s arrives", (key, name, parameter) => {
  const [method, path] = key.split(" ") as [string, string];
  let stored = 0;
  const check = (value: string) => {
    if (!isStored(parameter, value)) return;
    stored += 1;
    const values = { ...sample, [name]: value };
    for (const write of [encodeURIComponent, asItIs]) {
      expect(arrived(method, filled(path, values, write))).toMatchObject({ key, [name]: value });
    }
  };
  for (const value of hostile) check(value);
  expect(stored).toBeGreaterThan(0);
  fc.assert(fc.property(text, check), { numRuns: 50 });
});

test("a text with line breaks is a parameter like any other, which the service refuses", () => {
  for (const id of ["a\nb", "\r", "\u2028"])
    expect(gateway("GET", `/event/${id}/2030`)?.params).toEqual({ eventId: id, year: "2030" });
});
