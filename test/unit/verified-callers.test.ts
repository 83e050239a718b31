/** A stage with a user pool that the stack has not made: an email that is not verified opens nothing. */
import { beforeEach, expect, test } from "@jest/globals";
import { get, now, requestId, table } from "./mocked-table.ts";

process.env.VERIFIED_EMAIL_ONLY = "true";
const { handler } = await import("#api/users/index.ts");

const email = "ada@student.example";

const read = async (email_verified: unknown) => {
  const claims = { token_use: "id", email, email_verified };
  const requestContext = { requestId, timeEpoch: now, authorizer: { jwt: { claims } } };
  const event = { routeKey: "GET /users/check/{email}", pathParameters: { email }, headers: {}, requestContext };
  return (await handler(event as never)).statusCode;
};

beforeEach(() => {
  table.reset();
  table.on(get).resolves({ Item: { PK: "PRIZE", SK: "mug", id: "mug", name: "Mug", price: 5, version: 1 } } as never);
});

test("control: the owner of a verified email reads", async () => {
  expect(await read("true")).toBe(200);
});

test.each(["false", false, undefined, "TRUE", ""])("email_verified %j is no caller", async (claim) => {
  expect(await read(claim)).toBe(401);
  expect(table.calls()).toEqual([]);
});
