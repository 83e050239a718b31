import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { RecentRequests } from "../pages/recent-requests.ts";
import { givenGateway, type SmallGateway } from "./small-gateway.ts";

const cors = {
  AllowOrigins: ["http://localhost:3000", "https://app.club.example"],
  AllowMethods: ["GET", "POST", "OPTIONS"],
  AllowHeaders: ["Content-Type", "Authorization"],
  ExposeHeaders: ["x-next-cursor", "Retry-After"],
  MaxAge: 3_600,
};
const code = `export const handler = async () => ({ statusCode: 200, body: "{}",
  headers: { "Access-Control-Allow-Origin": "*", "access-control-allow-credentials": "true", "x-next-cursor": "c" } });`;

const requests = new RecentRequests();
let gateway: SmallGateway;
beforeAll(async () => {
  gateway = await givenGateway({
    functions: { Own: code },
    routes: { "GET /": "Own", "GET /private": "Own + jwt" },
    cors,
    requests,
  });
});
afterAll(() => gateway.close());

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

test.each([true, false])(
  "with errorCors %p, pages can read the gateway's own answers, or not; those of functions always",
  async (errorCors) => {
    const own = await givenGateway({
      functions: { Own: code, Broken: "export const handler = async () => { throw new Error(); };" },
      routes: { "GET /": "Own", "GET /private": "Own + jwt", "GET /limited": "Own", "GET /broken": "Broken" },
      routeThrottle: { "GET /limited": { ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 } },
      cors,
      errorCors,
    });
    const origin = "http://localhost:3000";
    const answers = [];
    for (const path of ["/", "/private", "/limited", "/broken", "/nothing"]) {
      const { status, headers } = await own.fetch(path, { headers: { origin } });
      answers.push([status, headers.get("access-control-allow-origin")]);
    }
    await own.close();
    const ofGateway = errorCors ? origin : null;
    expect(answers).toEqual([[200, origin], ...[401, 429, 500, 404].map((status) => [status, ofGateway])]);
  },
);
