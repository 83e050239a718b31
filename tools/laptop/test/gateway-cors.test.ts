import { afterEach, expect, test } from "@jest/globals";
import { RecentRequests } from "../http-api/recent-requests.ts";
import { givenGateway, type SmallGateway, type SmallGatewayOptions } from "./small-gateway.ts";

const origin = "http://localhost:3000";
const cors = { AllowOrigins: [origin] };
let gateway: SmallGateway;
const given = async (options: Partial<SmallGatewayOptions>): Promise<void> => {
  gateway = await givenGateway({
    functions: {
      Own: 'export const handler = async () => ({ statusCode: 200, headers: { "Access-Control-Allow-Origin": "*" } });',
      Broken: "export const handler = async () => { throw new Error(); };",
    },
    routes: { "GET /": "Own", "GET /private": "Own + jwt", "GET /limited": "Own", "GET /broken": "Broken" },
    routeThrottle: { "GET /limited": { ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 } },
    ...options,
  });
};
afterEach(() => gateway.close());

test("requests of an origin that is not allowed are noted as refused; no other is", async () => {
  const requests = new RecentRequests();
  await given({ cors, requests });
  const stranger = "http://localhost:5173";
  for (const method of ["OPTIONS", "GET"]) {
    for (const from of [stranger, "null", origin, new URL(gateway.url).origin, undefined]) {
      await gateway.fetch("/", { method, ...(from !== undefined && { headers: { origin: from } }) });
    }
  }
  const refused = requests.list().map(({ refusedOrigin }) => refusedOrigin);
  const ofEach = [undefined, undefined, undefined, "null", stranger];
  expect(refused).toEqual([...ofEach, ...ofEach]);
});

test.each([true, false])(
  "with errorCors %p, pages can read the gateway's own answers, or not; those of functions always",
  async (errorCors) => {
    await given({ cors, errorCors });
    const answers = [];
    for (const path of ["/", "/private", "/limited", "/broken", "/nothing"]) {
      const { status, headers } = await gateway.fetch(path, { headers: { origin } });
      answers.push([status, headers.get("access-control-allow-origin")]);
    }
    const ofGateway = errorCors ? origin : null;
    expect(answers).toEqual([[200, origin], ...[401, 429, 500, 404].map((status) => [status, ofGateway])]);
  },
);
