/** The parts of the laptop's own pages that need no stage. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { routes } from "../../lambda/api/routes.ts";
import { isPagePath } from "../../lib/local/pages/index.ts";
import { mostRequests, RecentRequests } from "../../lib/local/pages/recent-requests.ts";
import { withUsableExamples } from "../../lib/local/pages/usable-examples.ts";

test("no route of the API begins like one of the pages", () => {
  const paths = routes.flatMap(({ keys }) => keys.map((key) => key.split(" ")[1] as string));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter(isPagePath)).toEqual([]);
  // Nor may a path parameter take their place.
  expect(paths.filter((path) => path.startsWith("/{"))).toEqual([]);
});

test.each(["/", "/docs", "/docs/", "/docs/openapi.json", "/local", "/local/token"])("%s is a page's", (path) => {
  expect(isPagePath(path)).toBe(true);
});

test.each(["", "/docs-of-users", "/locally", "/events", "//", "/events/docs"])("%p is no page's", (path) => {
  expect(isPagePath(path)).toBe(false);
});

const request = (requestId: string, path = "/events") => ({ requestId, method: "GET", path, at: 1_000 });

test("a request has the lines of its invocation", () => {
  const requests = new RecentRequests();
  requests.arrived(request("r1"));
  requests.arrived(request("r2"));
  requests.learned("r1", { invocationId: "i1", who: "ada@student.example" });
  requests.logged("Events", "i1", "one\ntwo\n");
  requests.logged("Relay", "i9", "of a consumer");
  requests.learned("r1", { status: 200, latency: 3 });

  const [newest, oldest] = requests.list();
  expect(newest).toEqual({ ...request("r2"), lines: [] });
  expect(oldest).toEqual({
    ...request("r1"),
    invocationId: "i1",
    who: "ada@student.example",
    status: 200,
    latency: 3,
    lines: ["Events: one", "Events: two"],
  });
});

test("only the last requests are kept, and of each a bounded part", () => {
  const requests = new RecentRequests();
  for (let number = 1; number <= mostRequests + 50; number += 1) {
    requests.arrived(request(`r${number}`, `/${"x".repeat(10_000)}`));
    requests.learned(`r${number}`, { invocationId: `i${number}` });
  }
  for (let line = 0; line < 1_000; line += 1) requests.logged("Events", "i60", "x".repeat(10_000));
  requests.logged("Events", "i60", "\n".repeat(1_000));
  requests.logged("Events", "i1", "forgotten");
  requests.learned("r1", { status: 200 });

  const kept = requests.list();
  expect(kept).toHaveLength(mostRequests);
  expect(kept.at(-1)?.requestId).toBe("r51");
  expect(JSON.stringify(kept).length).toBeLessThan(mostRequests * 1_000 + 200_000);
});

describe("the examples of the laptop's reference", () => {
  type Json = Readonly<Record<string, unknown>>;
  const kept = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
  const seed = { year: 2041, person: "user@student.example" };

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
    });
    expect(register.responses["201"].content["application/json"].example.registration).toMatchObject({
      "eventID;year": "gala;2041",
      ticketCode: "T1.gala.2041.4f9c",
    });
    const examples = [...valuesOf(paths, "example"), ...valuesOf(paths, "examples")].map(({ value }) => value);
    expect(examples.length).toBeGreaterThan(100);
    expect(JSON.stringify(examples)).not.toMatch(/\b2030\b|ada@/);
    expect(list.parameters).toHaveLength(kept.paths["/registrations"].get.parameters.length);
  });

  test("fill in what a request needs, and no filter", () => {
    const parameters = valuesOf(withUsableExamples(kept, undefined).paths, "in").map(({ of }) => of);
    expect(parameters.filter(({ required }) => required).every(({ example }) => example !== undefined)).toBe(true);
    expect(parameters.filter(({ required, example }) => !required && example !== undefined)).toEqual([]);
    expect(parameters.filter(({ required }) => !required).length).toBeGreaterThan(20);
  });

  test("are all that changes, and without a seed they stay", () => {
    const withoutExamples = (node: unknown) =>
      JSON.parse(JSON.stringify(node, (name, value) => (/^examples?$/.test(name) ? undefined : value)));
    expect(withoutExamples(withUsableExamples(kept, seed))).toEqual(withoutExamples(kept));
    expect(withUsableExamples(kept, undefined).paths["/events"].post).toEqual(kept.paths["/events"].post);
  });
});
