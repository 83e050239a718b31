/** The registration handler on a table that gives the answers of each test. */

import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { BatchGetCommand, type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { eventItem, seatsItem } from "./given.ts";

type Handler = (event: never) => Promise<{ statusCode?: number; body?: string }>;
let handler: Handler;
/** The types of the mock know the low-level client only. */
let table: ReturnType<typeof mockClient<never, never, never>>;

const event = eventItem({ id: "e", capac: 5 });
const seats = seatsItem(event);

beforeAll(async () => {
  await import("./environment.ts");
  const { client } = await import("#kit/table.ts");
  table = mockClient(client as DynamoDBDocumentClient) as never;
  const secrets = mockClient(SecretsManagerClient);
  secrets.on(GetSecretValueCommand).resolves({ SecretString: "key" });
  ({ handler } = (await import("#api/registrations/index.ts")) as unknown as { handler: Handler });
});
beforeEach(() => {
  table.reset();
  table.on(BatchGetCommand as never).resolves({ Responses: { Unit: [event, seats] } } as never);
});

const call = async (body: unknown, claims: object = { token_use: "id", email: "a@unit.example" }) => {
  const { statusCode, body: text } = await handler({
    routeKey: "POST /registrations",
    headers: {},
    body: typeof body === "string" ? body : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: "r1", timeEpoch: 1_800_000_000_000, authorizer: { jwt: { claims } } },
  } as never);
  return { status: statusCode, body: JSON.parse(text ?? "") };
};
const request = { eventID: "e", year: 2030, email: "a@unit.example" };

test("a committed transaction gives a seat", async () => {
  table.on(TransactWriteCommand as never).resolves({} as never);
  expect(await call(request)).toMatchObject({ status: 201, body: { registrationStatus: "registered" } });
});

test("a write without an answer that was committed is answered as a success", async () => {
  let stored: unknown;
  table.on(TransactWriteCommand as never).callsFake((input: { TransactItems: { Put?: { Item: object } }[] }) => {
    const [, registration] = input.TransactItems;
    if (stored === undefined) {
      stored = registration?.Put?.Item;
      throw Object.assign(new Error("no answer"), { name: "TimeoutError" });
    }
    const { queueKey, generation, status, email } = stored as Record<string, string>;
    const Item = Object.fromEntries(
      Object.entries({ queueKey, generation, status, email }).map(([name, S]) => [name, { S: S as string }]),
    );
    throw new TransactionCanceledException({
      message: "cancelled",
      $metadata: {},
      CancellationReasons: [{ Code: "None" }, { Code: "ConditionalCheckFailed", Item }, { Code: "None" }],
    });
  });
  table.onAnyCommand().resolves({ Item: seats } as never);
  table.on(BatchGetCommand as never).resolves({ Responses: { Unit: [event, seats] } } as never);
  expect(await call(request)).toMatchObject({ status: 201, body: { registrationStatus: "registered" } });
});

/** The request with one more key, which an object literal could not have in each case. */
const withKey = (key: string): string => `{"${key}":{},${JSON.stringify(request).slice(1)}`;

test.each([
  ["{", 400, "VALIDATION"],
  [withKey("__proto__"), 400, "VALIDATION"],
  [withKey("constructor"), 400, "VALIDATION"],
  [withKey("prototype"), 400, "VALIDATION"],
  [`{"unknown":[${withKey("constructor")}],${JSON.stringify(request).slice(1)}`, 400, "VALIDATION"],
  [{ ...request, year: "2030" }, 400, "VALIDATION"],
  [{ ...request, email: "b@unit.example" }, 403, "FORBIDDEN"],
  [{ ...request, fname: "x".repeat(300_000) }, 413, "TOO_LARGE"],
])("%j is refused before any call to the table", async (body, status, code) => {
  expect(await call(body)).toMatchObject({ status, body: { code, requestId: "r1", message: expect.any(String) } });
  expect(table.commandCalls(TransactWriteCommand as never)).toHaveLength(0);
});

test("an access token gives no caller, and a failure tells no details", async () => {
  expect((await call(request, { token_use: "access", email: "a@unit.example" })).status).toBe(401);
  table
    .on(BatchGetCommand as never)
    .rejects(Object.assign(new Error("secret detail"), { $metadata: { httpStatusCode: 400 } }));
  const answer = await call(request);
  expect(answer).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
  expect(JSON.stringify(answer)).not.toContain("secret");
});

test("a question of the form has the same limit in a POST as in a PUT", async () => {
  const { RegistrationChanges, RegistrationForm } = await import("#api/registrations/schemas.ts");
  const limits = ({ properties }: { readonly properties: { readonly basicInformation: object } }) => {
    const { properties: questions } = properties.basicInformation as {
      properties: Record<string, { maxLength: number }>;
    };
    return Object.entries(questions).map(([name, { maxLength }]) => [name, maxLength]);
  };
  expect(limits(RegistrationForm)).toEqual(limits(RegistrationChanges));
});
