/** The limits of the local gateway, changed by the client of API Gateway while it runs. */
import {
  ApiGatewayV2Client,
  DeleteRouteSettingsCommand,
  GetStageCommand,
  UpdateStageCommand,
} from "@aws-sdk/client-apigatewayv2";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { apiId } from "../http-api/index.ts";
import { startManagement } from "../http-api/management.ts";
import { givenGateway, type SmallGateway } from "./small-gateway.ts";

const settings = (ThrottlingRateLimit: number, ThrottlingBurstLimit: number) => ({
  DetailedMetricsEnabled: false,
  ThrottlingRateLimit,
  ThrottlingBurstLimit,
});
const stage = { ApiId: apiId, StageName: "$default" };

let gateway: SmallGateway;
let management: Awaited<ReturnType<typeof startManagement>>;
let client: ApiGatewayV2Client;
beforeEach(async () => {
  gateway = await givenGateway({
    functions: { Own: "export const handler = async () => ({ statusCode: 200 });" },
    routes: { "GET /events": "Own", "GET /events/{id}": "Own", "GET /door": "Own" },
    throttle: settings(50, 50),
    routeThrottle: { "GET /door": settings(30, 30) },
  });
  management = await startManagement({
    region: "us-west-2",
    apiId,
    stageName: "$default",
    limits: gateway.limits,
    authorize: (key) => (key === "LOCALFunction" ? "may not" : undefined),
  });
  client = clientOf("LOCALTools");
});
afterEach(async () => {
  await management.close();
  await gateway.close();
});

const clientOf = (accessKeyId: string) =>
  new ApiGatewayV2Client({
    region: "us-west-2",
    endpoint: management.url,
    credentials: { accessKeyId, secretAccessKey: "local" },
    maxAttempts: 1,
  });

const update = (more: Partial<ConstructorParameters<typeof UpdateStageCommand>[0]>) =>
  client.send(new UpdateStageCommand({ ...stage, ...more }));
const remove = (RouteKey: string) => client.send(new DeleteRouteSettingsCommand({ ...stage, RouteKey }));

test("the running gateway has new limits at once; a limit of 0 refuses all but routes with their own", async () => {
  const answers = () => Promise.all(["/events", "/nothing", "/door"].map((path) => gateway.fetch(path)));
  const statuses = async () => (await answers()).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 404, 200]);
  await update({ RouteSettings: { "GET /events": settings(0, 0) } });
  expect(await statuses()).toEqual([429, 404, 200]);
  await update({ DefaultRouteSettings: settings(0, 0) });
  await remove("GET /events");
  expect(await statuses()).toEqual([429, 429, 200]);
  expect(await (await answers())[0]?.json()).toEqual({ message: "Too Many Requests" });
  await update({ DefaultRouteSettings: settings(50, 50) });
  expect(await statuses()).toEqual([200, 404, 200]);
});

test.each([
  ["NotFoundException", "Unable to find RouteSettings", () => remove("GET /events")],
  ["NotFoundException", "Unable to find Stage", () => update({ StageName: "other" })],
  ["BadRequestException", "throttlingRateLimit", () => update({ DefaultRouteSettings: { ThrottlingRateLimit: -1 } })],
  ["AccessDeniedException", "may not", () => clientOf("LOCALFunction").send(new GetStageCommand(stage))],
])("%s: %s", async (name, message, call) => {
  const before = gateway.limits.limits;
  await expect(call()).rejects.toMatchObject({ name, message: expect.stringContaining(message) });
  expect(gateway.limits.limits).toEqual(before);
});
