/** The parts of the laptop's own pages that need no stage. */
import { expect, test } from "@jest/globals";
import { routes } from "../../lambda/api/routes.ts";
import { isPagePath } from "../../lib/local/pages/index.ts";
import { mostRequests, RecentRequests } from "../../lib/local/pages/recent-requests.ts";

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
