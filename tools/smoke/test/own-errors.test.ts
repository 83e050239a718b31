import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { apiAt } from "../step-kit/api.ts";
import type { Run } from "../step-kit/step.ts";
import { ownErrors } from "../steps/own-errors.ts";

const origin = "https://app.club.example";
const { signal: stop } = new AbortController();

test.each([
  ["of all answers", ["/events/getActiveEvent", "/users/self"], ["own errors: pages can read the gateway's own 401."]],
  ["of functions", ["/events/getActiveEvent"], ["own errors: pages cannot read the gateway's own 401."]],
  ["of none", [], []],
])("a stage with the CORS headers %s is told, and does not fail", async (_, readable, told) => {
  const server = createServer(({ url = "", headers }, response) => {
    const allowed = readable.includes(url) && { "access-control-allow-origin": headers.origin };
    response.writeHead(url === "/users/self" ? 401 : 200, { ...allowed }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const found: Run["found"] = { people: [], measured: [] };
  const api = apiAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop);
  const outcome = await ownErrors.take({ api, origin, stop, found } as unknown as Run);
  server.closeAllConnections();
  server.close();
  expect(found.measured).toEqual(told);
  const skipped = { skipped: `the stage takes no calls from pages of ${origin}.` };
  expect(outcome).toEqual(told.length > 0 ? expect.any(String) : skipped);
});
