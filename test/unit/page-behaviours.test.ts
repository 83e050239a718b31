/** What is in front of bucket and API: where paths lead, and what pages may load. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import { behaviours, contentPolicy, viewerRequest } from "../../lib/page-behaviours.ts";

const edge = runInNewContext(`${viewerRequest}; handler`) as (event: object) => {
  readonly uri?: string;
  readonly statusCode?: number;
  readonly headers?: { readonly location: { readonly value: string } };
};
const asked = (uri: string) => edge({ request: { uri } });

test.each([
  ["/", "/index.html"],
  ["/club/", "/club/index.html"],
  ["/door/page.js", "/door/page.js"],
  ["/api/events", "/events"],
  ["/api/api/x", "/api/x"],
  ["/event/gala/2030", "/event/gala/2030"],
  ["/event/gala/2030/", "/event/gala/2030/"],
  ["//evil.example", "//evil.example"],
  ["/%2F%2Fevil.example", "/%2F%2Fevil.example"],
])("%s is %s at its origin", (path, uri) => {
  expect(asked(path)).toEqual({ uri });
});

test("a folder without its slash leads to it, and a name with anything else nowhere", () => {
  expect(asked("/door")).toMatchObject({ statusCode: 302, headers: { location: { value: "/door/" } } });
  for (const path of ["//evil", "/\\evil", "/a/b", "/a.js"]) expect(asked(path).statusCode).toBeUndefined();
});

test("CloudFront takes the function: at most 10 KB", () => {
  expect(Buffer.byteLength(viewerRequest)).toBeLessThan(10_240);
});

test("every path has a behaviour, the rest last", () => {
  expect(behaviours.at(-1)?.pattern).toBe("*");
  expect(behaviours.filter(({ pattern }) => !/^\/[a-z]+\/\*$|^\*$/.test(pattern))).toEqual([]);
});

describe("the content security policy", () => {
  const neighbours = { images: "https://images.example", identity: ["https://pool.example"] };
  const [pages, door] = (["pages", "door"] as const).map((policy) => contentPolicy(policy, neighbours));

  test("of pages has nothing unsafe; of the door nothing but WebAssembly", () => {
    expect(pages).not.toContain("unsafe");
    expect(door?.match(/'[^']*unsafe[^']*'/g)).toEqual(["'wasm-unsafe-eval'"]);
    for (const policy of [pages, door]) {
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy?.length).toBeLessThan(1_783);
    }
  });

  test("lets pages, and not the door, load banners and ask the user pool", () => {
    expect(pages).toContain("img-src 'self' data: https://images.example;");
    expect(pages).toContain("connect-src 'self' https://pool.example;");
    expect(door).not.toContain("example");
  });
});
