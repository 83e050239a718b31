/** The protocol: whatever is sent, the answer is JSON in Cognito's shape that a browser may read. */
import { beforeEach, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";

let pool: GivenPool;
beforeEach(async () => {
  pool = await givenPool();
});

test.each(["{", "", "[]", "null", "7"])("the body %j", async (body) => {
  expect(await pool.call("InitiateAuth", body)).toMatchObject(refused("SerializationException"));
});

test.each(["InitiateAuth2", "", "constructor", "__proto__", "AdminCreateUser"])("the target %j", async (operation) => {
  expect(await pool.call(operation, {})).toMatchObject(refused("UnknownOperationException"));
});

const bySrp = (SRP_A: string) => ({ AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: email, SRP_A } });

test.each([
  ["SignUp", {}],
  ["SignUp", { Username: { $ne: 1 } }],
  ["SignUp", { UserAttributes: [null] }],
  ["InitiateAuth", { AuthFlow: "USER_SRP_AUTH", AuthParameters: [] }],
  // RFC 5054, 2.5.4: with a multiple of the modulus, the shared number would be known without any password.
  ["InitiateAuth", bySrp("0")],
  ["InitiateAuth", bySrp("f".repeat(768))],
  ["ConfirmSignUp", { Username: email, ConfirmationCode: 123456 }],
])("%s %j", async (operation, body) => {
  const answer = await pool.call(operation, { ClientId: pool.service.clientId, Password: password, ...body });
  expect(answer).toMatchObject(refused("InvalidParameterException"));
});

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

test.each(["", "/us-west-2_TestPool1"])("the discovery document under %j, and no other", async (prefix) => {
  const response = await fetch(`${pool.service.url}${prefix}/.well-known/openid-configuration`);
  const configuration = (await response.json()) as { issuer: string; jwks_uri: string };
  expect(configuration.issuer).toBe("https://cognito-idp.us-west-2.amazonaws.com/us-west-2_TestPool1");
  expect(await (await fetch(configuration.jwks_uri)).json()).toEqual(pool.service.jwks);

  const missing = await fetch(`${pool.service.url}${prefix}/index.html`);
  expect([missing.status, await missing.json()]).toMatchObject([404, { __type: "ResourceNotFoundException" }]);
});
