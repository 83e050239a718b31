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
  const { client } = await import("#kit/table/table.ts");
  table = mockClient(client as DynamoDBDocumentClient) as never;
  const secrets = mockClient(SecretsManagerClient);
  secrets.on(GetSecretValueCommand).resolves({ SecretString: "key" });
  ({ handler } = (await import("#api/registrations/index.ts")) as unknown as { handler: Handler });
});
beforeEach(() => {
  table.reset();
  table.on(BatchGetCommand as never).resolves({ Responses: { Unit: [event, seats] } } as never);
});

const call = async (body: unknown) => {
  const claims = { token_use: "id", email: "a@unit.example" };
  const { statusCode, body: text } = await handler({
    routeKey: "POST /registrations",
    headers: {},
    body: JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: "r1", timeEpoch: 1_800_000_000_000, authorizer: { jwt: { claims } } },
  } as never);
  return { status: statusCode, body: JSON.parse(text ?? "") };
};
const request = { eventID: "e", year: 2030, email: "a@unit.example" };

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
