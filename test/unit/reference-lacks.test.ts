/** What the declarations of a route lack for the reference is named at once, by file and line. */
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import type { ProblemCode } from "#api/refusals.ts";
import { namedRoutes, type Route } from "#api/routes.ts";
import { closed, described, Type } from "#kit/schema/schema.ts";
import { openApiDocument } from "../../tools/reference/document.ts";

/** The lines of what is refused. */
function lacksOf(routes: typeof namedRoutes): string[] {
  try {
    openApiDocument(routes);
    return [];
  } catch (problem) {
    return (problem as Error).message.split("\n");
  }
}

const listPrizes = namedRoutes.prizes?.listPrizes as Route;

test("a field without description or example, a route without summary, a refusal without a sentence", () => {
  const answer = closed({ price: Type.Integer(), links: closed({ items: described(Type.String(), "All of them.") }) });
  const query = closed({ id: Type.Optional(Type.String({ description: "Of one prize." })) });
  const refusals: readonly ProblemCode[] = ["DUPLICATE"];
  const lacking: Route = { ...listPrizes, summary: "", query, responses: { 200: answer }, refusals };
  const lines = lacksOf({ prizes: { listPrizes: lacking } });
  expect(lines.map((line) => line.replace(/:\d+:/, ":"))).toEqual([
    "lambda/api/prizes/routes.ts: listPrizes has no summary",
    "lambda/api/prizes/routes.ts: listPrizes does not say what its DUPLICATE is, in `says`",
    "lambda/api/prizes/schemas.ts: price has no description",
    "lambda/api/prizes/schemas.ts: links has no description",
    "lambda/api/prizes/schemas.ts: id has no example",
    "lambda/api/prizes/schemas.ts: price has no example",
    "lambda/api/prizes/schemas.ts: items has no example",
  ]);
  for (const line of lines) {
    const [file = "", at, said = ""] = line.split(/:(?: |(?=\d))/);
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split("\n");
    expect(source[Number(at) - 1]).toContain(said.split(" ")[0]);
  }
});

test.each([
  ["of another type", { price: described(Type.Integer(), "In points.", "12" as never) }, "price"],
  [
    "too long, in a list",
    { items: Type.Array(Type.String({ maxLength: 3 }), { description: "Tags.", examples: [["long"]] }) },
    "items",
  ],
])("an example that its schema does not allow: %s", (_, fields, name) => {
  const lacking: Route = { ...listPrizes, responses: { 200: closed(fields) } };
  expect(lacksOf({ prizes: { listPrizes: lacking } })).toEqual([
    expect.stringMatching(new RegExp(`^lambda/api/.*: ${name} has an example that it does not allow$`)),
  ]);
});

test("a refusal of no class that lambda/api/refusals.ts knows", () => {
  const refusals = ["NO_RAMEN" as ProblemCode];
  expect(lacksOf({ prizes: { listPrizes: { ...listPrizes, refusals } } })).toEqual([
    expect.stringMatching(/: listPrizes refuses with NO_RAMEN, which lambda\/api\/refusals\.ts lacks$/),
  ]);
});

test("an answer that nothing follows for, of a function whose routes are about nothing", () => {
  const createUploadUrl = namedRoutes.images?.createUploadUrl as Route;
  const { says: _, ...silent } = createUploadUrl;
  expect(lacksOf({ images: { createUploadUrl: silent as Route } })).toEqual([
    expect.stringMatching(/^lambda\/api\/images\/routes\.ts:\d+: createUploadUrl does not say what its 200 is/),
  ]);
});

test("control: nothing is missing", () => {
  expect(lacksOf({ prizes: namedRoutes.prizes ?? {} })).toEqual([]);
});
