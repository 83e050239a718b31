import { expect, jest, test } from "@jest/globals";
import { givenGateway } from "./small-gateway.ts";

test("checks a signature once, and the expiry each time", async () => {
  const { now } = Date;
  let ahead = 0;
  const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + ahead);
  const code = "export const handler = async () => null;";
  const gateway = await givenGateway({ functions: { Own: code }, routes: { "GET /": "Own + jwt" } });
  try {
    const authorization = await gateway.token({ exp: Math.floor(Date.now() / 1_000) + 60 });
    const status = async () => (await gateway.fetch("/", { headers: { authorization } })).status;
    expect(new Set(await Promise.all(Array.from({ length: 200 }, status)))).toEqual(new Set([200]));
    expect(gateway.verifications()).toBe(1);
    ahead = 61_000;
    expect(await status()).toBe(401);
  } finally {
    clock.mockRestore();
    await gateway.close();
  }
});
