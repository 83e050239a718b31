/**
 * The client in a page, on a stage whose gateway answers its own errors without CORS headers: AWS promises them only for
 * answers of functions. Without them a browser gives the page a TypeError.
 */
import { ApiGatewayV2Client, UpdateStageCommand } from "@aws-sdk/client-apigatewayv2";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { type ClubClientOptions, clubClient } from "../../client/index.ts";
import { newEmail, year } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

const origin = "http://localhost:3000";

/** `fetch` as in a page of the origin: what CORS does not allow is a TypeError. */
async function pageFetch(request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set("origin", origin);
  const response = await fetch(new Request(request, { headers }));
  if (response.headers.get("access-control-allow-origin") !== origin) throw new TypeError("Failed to fetch");
  return response;
}

let stage: ServiceStage;
let gateway: ApiGatewayV2Client;
let event: string;
beforeAll(async () => {
  stage = await givenStage({ errorCors: false, allowedOrigins: [origin] });
  gateway = new ApiGatewayV2Client({
    region: stage.outputs.region,
    endpoint: stage.outputs.gatewayUrl,
    credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
  });
  event = await stage.givenEvent({ capac: 5 });
  Object.assign(globalThis, { location: { origin } });
});
afterEach(() => limit(1_000));
afterAll(async () => {
  Reflect.deleteProperty(globalThis, "location");
  gateway.destroy();
  await stage.close();
});

const limit = (requests: number) => {
  const DefaultRouteSettings = { ThrottlingRateLimit: requests, ThrottlingBurstLimit: requests };
  const command = new UpdateStageCommand({ ApiId: stage.outputs.apiId, StageName: "$default", DefaultRouteSettings });
  return gateway.send(command);
};

/** A client that has had an answer before. */
async function givenClient(options: Partial<ClubClientOptions> = {}) {
  const sent: Request[] = [];
  const client = clubClient({
    baseUrl: stage.outputs.apiUrl,
    fetch: (request) => {
      sent.push(request);
      return pageFetch(request);
    },
    ...options,
  });
  const { response } = await client.GET("/events/getActiveEvent");
  expect(response?.status).toBe(200);
  sent.length = 0;
  return { client, sent };
}
const opened = async () => void (await limit(1_000));

test("a throttled registration is sent again with its key, and is one registration", async () => {
  const email = newEmail();
  const { client, sent } = await givenClient({ token: () => stage.tokenFor(email), pause: opened });
  await limit(0);
  const { data } = await client.POST("/registrations", { body: { eventID: event, year, email } });
  expect(data?.registration.registrationStatus).toBe("registered");
  expect([sent.length, new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size]).toEqual([2, 1]);
  expect(await stage.stored(`USER#${email}`)).toContainEqual(expect.objectContaining({ SK: `REG#${event}#${year}` }));
});

test("a change without a key is not sent again, because the page does not know that it was refused", async () => {
  const email = newEmail();
  const { client, sent } = await givenClient({ token: () => stage.tokenFor(email), pause: opened });
  await limit(0);
  const { error } = await client.POST("/users", { body: { fname: "Ada" } });
  expect([sent.length, error?.code]).toEqual([1, "NETWORK_ERROR"]);
  expect(await stage.stored(`USER#${email}`)).toEqual([]);
});
