/** Which answers of a route the smoke run takes for a fault. */
import { expect, test } from "@jest/globals";
import type { Answer, Api } from "../step-kit/api.ts";
import type { Run } from "../step-kit/step.ts";
import { routes } from "../steps/routes.ts";

const refused: Answer = { status: 400, body: { message: "body must be JSON.", code: "VALIDATION" } };

/** A run against an API that refuses every request, and answers one route differently. */
function runWith(route: string, answer: Answer): { readonly run: Run; readonly writes: unknown[] } {
  const writes: unknown[] = [];
  const api: Partial<Api> = {
    answers: [],
    call: async (method, path, call = {}) => {
      if (method !== "GET") writes.push(call.body);
      return `${method} ${path}` === route ? answer : refused;
    },
  };
  const found = { admin: { email: "smoke@club.example", token: "t" }, people: [], measured: [] };
  return { run: { api, found } as unknown as Run, writes };
}

test.each<[string, Answer, string]>([
  ["is not there", { status: 404, body: { message: "Not Found" } }, '404 {"message":"Not Found"}'],
  [
    "has a function that does not start",
    { status: 500, body: { message: "Internal Server Error" } },
    '500 {"message":"Internal Server Error"}',
  ],
  ["has a failing function", { status: 500, body: { code: "INTERNAL" } }, '500 {"code":"INTERNAL"}'],
])("a route that %s", async (_name, answer, told) => {
  const { run } = runWith("GET /prizes/smoke", answer);
  await expect(routes.take(run)).rejects.toThrow(`not every route works. GET /prizes/smoke: ${told}.`);
});

test("a function may have no record, or no secret yet; no write has a body that a function takes", async () => {
  for (const answer of [refused, { status: 404, body: { code: "NOT_FOUND" } }, { status: 503, body: { code: "X" } }]) {
    const { run, writes } = runWith("POST /payments/webhook", answer);
    expect(await routes.take(run)).toMatch(/^all \d+ routes of \d+ functions answer\.$/);
    expect(new Set(writes)).toEqual(new Set(["{"]));
  }
});
