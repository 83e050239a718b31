/** A reset of the game's accounts that runs out of time says so, and the next one goes on there. */
import { afterAll, expect, test } from "@jest/globals";
import { startTableEngine } from "../../tools/laptop/dynamodb/index.ts";
import { givenDefinition } from "../../tools/laptop/test/engine/table.ts";
import { givenSettings } from "../settings.ts";
import { exec } from "./given.ts";

const engine = await startTableEngine();
await engine.ensureTable(givenDefinition());
givenSettings({ TABLE_NAME: "Club", AWS_ENDPOINT_URL_DYNAMODB: engine.url, BUS_NAME: "bus" });
const { client } = await import("#kit/table/table.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { handler } = await import("#api/btx/index.ts");
const { resetEvent } = await import("#domain/game/reset-accounts.ts");

let writes = 0;
client.middlewareStack.add(
  (next, { commandName }) =>
    async (args) => {
      if (commandName?.includes("Write")) writes += 1;
      return next(args);
    },
  { step: "initialize" },
);
afterAll(async () => {
  client.destroy();
  await engine.close();
});

async function call(routeKey: string, email: string, body: object): Promise<void> {
  const claims = { token_use: "id", email, email_verified: "true" };
  const { statusCode, body: answer } = await handler({
    routeKey,
    headers: {},
    body: JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: "r", timeEpoch: Date.now(), authorizer: { jwt: { claims } } },
  } as never);
  expect({ statusCode, answer }).toMatchObject({ statusCode: 200 });
}

test("an interrupted reset is complete after the next one, and no account is written twice", async () => {
  const project = { projectId: "late", ticker: "L", name: "Late", eventId: "late" };
  await call("POST /btx/admin/project", exec, project);
  for (const name of ["a", "b", "c"]) {
    await call("POST /btx/market/buy", `${name}@late.example`, { projectId: "late", shares: 3 });
  }
  const context = (n: number) => systemContext(`late${n}`, Date.now());
  expect(await resetEvent("late", context(1), -1)).toEqual({ accounts: 0, complete: false });
  expect(await resetEvent("late", context(2))).toEqual({ accounts: 3, complete: true });
  writes = 0;
  expect(await resetEvent("late", context(3))).toEqual({ accounts: 3, complete: true });
  expect(writes).toBe(0);
});
