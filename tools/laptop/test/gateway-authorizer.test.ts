import { expect, jest, test } from "@jest/globals";
import { givenGateway } from "./small-gateway.ts";

const code = "export const handler = async (event) => event.requestContext.authorizer ?? null;";
const seconds = (): number => Math.floor(Date.now() / 1_000);

test("checks a signature once, and the expiry each time", async () => {
  const { now } = Date;
  let ahead = 0;
  const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + ahead);
  const own = await givenGateway({ functions: { Who: code }, routes: { "GET /": "Who + jwt" } });
  try {
    const token = await own.token({ exp: seconds() + 60 });
    const status = async () => (await own.fetch("/", { headers: { authorization: `Bearer ${token}` } })).status;
    expect(new Set(await Promise.all(Array.from({ length: 200 }, status)))).toEqual(new Set([200]));
    expect(own.verifications()).toBe(1);
    ahead = 61_000;
    expect(await status()).toBe(401);
  } finally {
    clock.mockRestore();
    await own.close();
  }
});

test("a route that wants no scope tells of none", async () => {
  const gateway = await givenGateway({ functions: { Who: code }, routes: { "GET /": "Who + jwt" } });
  const authorization = await gateway.token({ scope: "club/write" });
  const told = (await (await gateway.fetch("/", { headers: { authorization } })).json()) as object;
  await gateway.close();
  expect(told).toMatchObject({ jwt: { scopes: null } });
});
