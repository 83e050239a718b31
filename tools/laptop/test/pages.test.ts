/** The parts of the laptop's own pages that need no stage. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { routes } from "../../../lambda/api/routes.ts";
import { maxRequests, RecentRequests } from "../http-api/recent-requests.ts";
import { isPagePath } from "../pages/index.ts";
import { requestItem } from "../pages/requests.ts";
import { withUsableExamples } from "../pages/usable-examples.ts";

test("no route of the API begins like one of the pages", () => {
  const paths = routes.flatMap(({ keys }) => keys.map((key) => key.split(" ")[1] as string));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter(isPagePath)).toEqual([]);
  // Nor may a path parameter take their place.
  expect(paths.filter((path) => path.startsWith("/{"))).toEqual([]);
});

test.each([
  [true, ["/", "/docs", "/docs/openapi.json", "/door/", "/registration/", "/local/token"]],
  [false, ["", "/docs-of-users", "/doors", "/registrations/x", "//", "/events/kickoff/2027/door"]],
])("whether a path is a page's: %p", (isPage, paths) => {
  for (const path of paths) expect([path, isPagePath(path)]).toEqual([path, isPage]);
});

const request = (requestId: string, path = "/events") => ({ requestId, method: "GET", path, at: 1_000 });

test("an answer that its browser keeps from the page is shown as refused, whatever its status", () => {
  const shown = (more: object) => requestItem({ ...request("r1"), lines: [], status: 204, latency: 1, ...more }).source;
  const refused = shown({ refusedOrigin: "http://localhost:5173" });
  expect(refused).toContain('<span class="bad">refused</span>');
  expect(refused).toContain("http://localhost:5173 is not in ALLOWED_ORIGINS");
  expect(refused).not.toContain("good");
  expect(shown({})).toContain('<span class="good">204</span>');
});

test("only the last requests are kept, and of each a bounded part", () => {
  const requests = new RecentRequests();
  for (let number = 1; number <= maxRequests + 50; number += 1) {
    requests.arrived(request(`r${number}`, `/${"x".repeat(10_000)}`));
    requests.learned(`r${number}`, { invocationId: `i${number}` });
  }
  for (let line = 0; line < 1_000; line += 1) requests.logged("Events", "i60", "x".repeat(10_000));
  requests.logged("Events", "i60", "\n".repeat(1_000));
  requests.logged("Events", "i1", "forgotten");
  requests.learned("r1", { status: 200 });

  const kept = requests.list();
  expect(kept).toHaveLength(maxRequests);
  expect(kept.at(-1)?.requestId).toBe("r51");
  expect(JSON.stringify(kept).length).toBeLessThan(maxRequests * 1_000 + 200_000);
});

describe("the examples of the laptop's reference", () => {
  type Json = Readonly<Record<string, unknown>>;
  const kept = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));
  const seed = { year: 2041, email: "user@student.example", fname: "Uli", lname: "User" };

  /** All values of this name, with the object that has them. */
  function valuesOf(node: unknown, name: string): { readonly value: unknown; readonly of: Json }[] {
    if (typeof node !== "object" || node === null) return [];
    const own = Object.hasOwn(node, name) ? [{ value: (node as Json)[name], of: node as Json }] : [];
    return [...own, ...Object.values(node).flatMap((inner) => valuesOf(inner, name))];
  }

  test("name the year and the person of the seed, in whatever form", () => {
    const { paths } = withUsableExamples(kept, seed);
    const { post: register, get: list } = paths["/registrations"];
    expect(register.requestBody.content["application/json"].example).toMatchObject({
      eventID: "gala",
      year: 2041,
      email: "user@student.example",
      basicInformation: { fname: "Uli", lname: "User" },
    });
    expect(register.responses["201"].content["application/json"].examples.registered.value.registration).toMatchObject({
      "eventID;year": "gala;2041",
    });
    const examples = [...valuesOf(paths, "example"), ...valuesOf(paths, "examples")].map(({ value }) => value);
    expect(examples.length).toBeGreaterThan(100);
    expect(JSON.stringify(examples)).not.toMatch(/\b2030\b|ada@/);
    expect(list.parameters).toHaveLength(kept.paths["/registrations"].get.parameters.length);
  });
});
