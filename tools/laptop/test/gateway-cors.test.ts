import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { RecentRequests } from "../pages/recent-requests.ts";
import { givenGateway, type SmallGateway } from "./small-gateway.ts";

const code = `export const handler = async () => ({ statusCode: 200, body: "{}",
  headers: { "Access-Control-Allow-Origin": "*", "access-control-allow-credentials": "true", "x-next-cursor": "c" } });`;

const requests = new RecentRequests();
let gateway: SmallGateway;
beforeAll(async () => {
  gateway = await givenGateway({
    functions: { Own: code },
    routes: { "GET /": "Own", "GET /private": "Own + jwt" },
    cors: {
      AllowOrigins: ["http://localhost:3000", "https://app.club.example"],
      AllowMethods: ["GET", "POST", "OPTIONS"],
      AllowHeaders: ["Content-Type", "Authorization"],
      ExposeHeaders: ["x-next-cursor", "Retry-After"],
      MaxAge: 3_600,
    },
    requests,
  });
});
afterAll(() => gateway.close());

const corsHeaders = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

const preflight = (path: string, origin: string): Promise<Response> =>
  gateway.fetch(path, { method: "OPTIONS", headers: { origin, "access-control-request-method": "GET" } });

test.each(["/", "/private", "/unknown"])("a preflight for %s is answered without a token", async (path) => {
  const response = await preflight(path, "https://app.club.example");

  expect(response.status).toBe(204);
  expect(await response.text()).toBe("");
  expect(corsHeaders(response)).toEqual({
    "access-control-allow-origin": "https://app.club.example",
    "access-control-allow-methods": "GET,POST,OPTIONS",
    "access-control-allow-headers": "Content-Type,Authorization",
    "access-control-expose-headers": "x-next-cursor,Retry-After",
    "access-control-max-age": "3600",
  });
});

test.each([
  "https://evil.example",
  "https://app.club.example.evil.example",
  "https://app.club.example:444",
  "http://app.club.example",
  "null",
])("origin %s gets no CORS headers", async (origin) => {
  expect(corsHeaders(await preflight("/", origin))).toEqual({});
  expect(corsHeaders(await gateway.fetch("/", { headers: { origin } }))).toEqual({});
});

test("the gateway's headers replace the function's", async () => {
  const response = await gateway.fetch("/", { headers: { origin: "http://localhost:3000" } });
  expect(corsHeaders(response)).toEqual({
    "access-control-allow-origin": "http://localhost:3000",
    "access-control-expose-headers": "x-next-cursor,Retry-After",
  });
  expect(response.headers.get("x-next-cursor")).toBe("c");
  expect(corsHeaders(await gateway.fetch("/"))).toEqual({});
});

test("a browser may read a refusal", async () => {
  const response = await gateway.fetch("/private", { headers: { origin: "http://localhost:3000" } });
  expect(response.status).toBe(401);
  expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:3000");
});

test("without a CORS configuration, the function's headers stand and OPTIONS is a route like any other", async () => {
  const plain = await givenGateway({ functions: { Own: code }, routes: { "GET /": "Own" } });
  const options = await plain.fetch("/", { method: "OPTIONS", headers: { origin: "http://localhost:3000" } });
  const response = await plain.fetch("/");
  await plain.close();

  expect(options.status).toBe(404);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});

test.each(["OPTIONS", "GET"])(
  "%s of an origin that is not allowed is noted as refused; no other is",
  async (method) => {
    const noted = async (origin?: string) => {
      await gateway.fetch("/", { method, ...(origin !== undefined && { headers: { origin } }) });
      return requests.list()[0]?.refusedOrigin;
    };
    expect(await noted("http://localhost:5173")).toBe("http://localhost:5173");
    expect(await noted("null")).toBe("null");
    for (const origin of ["http://localhost:3000", new URL(gateway.url).origin, undefined]) {
      expect(await noted(origin)).toBeUndefined();
    }
  },
);
