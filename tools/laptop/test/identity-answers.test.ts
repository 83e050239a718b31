/** The protocol: whatever is sent, the answer is JSON in Cognito's shape that a browser may read. */
import { beforeEach, expect, test } from "@jest/globals";
import { type GivenPool, givenPool, refused } from "./identity-pool.ts";

let pool: GivenPool;
beforeEach(async () => {
  pool = await givenPool();
});

test.each(["{", "", "[]", "null", "7"])("the body %j", async (body) => {
  expect(await pool.call("InitiateAuth", body)).toMatchObject(refused("SerializationException"));
});

test.each(["InitiateAuth2", "", "constructor", "__proto__", "AdminResetUserPassword"])(
  "the target %j",
  async (operation) => {
    expect(await pool.call(operation, {})).toMatchObject(refused("UnknownOperationException"));
  },
);

test("a preflight allows what Amplify sends, and errors are readable across origins", async () => {
  const preflight = await fetch(pool.service.url, {
    method: "OPTIONS",
    headers: { origin: "http://localhost:3000", "access-control-request-headers": "content-type,x-amz-target" },
  });
  expect(preflight.status).toBe(200);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-headers")).toContain("x-amz-target");

  const error = await fetch(pool.service.url, { method: "POST", body: "{}" });
  expect(error.headers.get("access-control-allow-origin")).toBe("*");
  expect(error.headers.get("access-control-expose-headers")?.toLowerCase()).toContain("x-amzn-errortype");
});
