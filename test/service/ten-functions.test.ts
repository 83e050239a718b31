/** An account that runs ten functions at once, as a new one does, while one member's page asks in a loop. */
import { ApiGatewayV2Client, UpdateStageCommand } from "@aws-sdk/client-apigatewayv2";
import { afterEach, expect, test } from "@jest/globals";
import { newEmail, times, user } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
let end: () => void;
afterEach(async () => {
  end();
  await stage.close();
});

/** A stage whose function for users answers when the loop ends. */
async function givenTen(): Promise<void> {
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const Users = () => over.then(() => ({ statusCode: 200, body: "{}" }));
  stage = await givenStage({ quiet: true, concurrency: 10, schedules: false, retryDelay: 20, standIns: { Users } });
}

/** The throttle of routes without one of their own. */
async function limit(rate: number, burst: number): Promise<void> {
  const { region, gatewayUrl: endpoint, apiId: ApiId } = stage.outputs;
  const credentials = { accessKeyId: "LOCALTest", secretAccessKey: "local" };
  const client = new ApiGatewayV2Client({ region, endpoint, credentials });
  const DefaultRouteSettings = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
  await client.send(new UpdateStageCommand({ ApiId, StageName: "$default", DefaultRouteSettings }));
  client.destroy();
}

/** A member asks 25 times at once, and the first answers are refusals. @returns the statuses of all, after the end */
async function loop(refusals: number): Promise<Promise<number[]>[]> {
  const headers = { authorization: await stage.tokenFor(user) };
  let refused = 0;
  const asking = times(25, async () => {
    const { status } = await stage.fetch("/users/self", { headers });
    if (status !== 200) refused += 1;
    return status;
  });
  while (refused < refusals) await new Promise(setImmediate);
  return [Promise.all(asking)];
}

/** An event at the payment webhook: without a signature, a function that runs answers 400. */
const webhook = async () => (await stage.api("POST", "/payments/webhook", { body: {}, once: true })).status;
const relay = () =>
  stage.invoke("Relay", { Records: [] }).then(
    () => "runs",
    (error: Error) => error.message,
  );

test("the throttle that preflight names leaves a function to webhook and relay", async () => {
  await givenTen();
  await limit(0.001, 5);
  const [asked] = await loop(20);
  expect([await webhook(), await relay()]).toEqual([400, "runs"]);
  end();
  expect((await asked)?.filter((status) => status === 429)).toHaveLength(20);
});

test("control: without it both are refused until the loop ends, and then go on", async () => {
  await givenTen();
  const [asked] = await loop(15);
  expect([await webhook(), await relay()]).toEqual([500, "Rate Exceeded."]);
  end();
  expect((await asked)?.filter((status) => status === 500)).toHaveLength(15);
  expect(await webhook()).toBe(400);
  const email = newEmail();
  expect((await stage.register(await stage.givenEvent(), email)).status).toBe(201);
  await stage.settled();
  expect(stage.mailsTo(email)).toHaveLength(1);
});
