/** The parts of the laptop's own pages that need no stage. */
import { expect, test } from "@jest/globals";
import { routes } from "../../../lambda/api/routes.ts";
import { isPagePath } from "../pages/index.ts";
import { requestItem } from "../pages/requests.ts";

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
