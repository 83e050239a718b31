import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
});

describe("the answer to any request is JSON in Cognito's shape", () => {
  test.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["a number", "7"],
  ])("%s", async (_, body) => {
    expect(await pool.call("InitiateAuth", body)).toMatchObject(refused("SerializationException"));
  });

  test.each(["InitiateAuth2", "", "constructor", "__proto__", "AdminCreateUser"])(
    "the target %j",
    async (operation) => {
      expect(await pool.call(operation, {})).toMatchObject(refused("UnknownOperationException"));
    },
  );

  test("a body of three megabytes", async () => {
    const answer = await pool.call("SignUp", JSON.stringify({ Username: "x".repeat(3_000_000) }));
    expect(answer).toMatchObject({ status: 413, error: "RequestEntityTooLargeException" });
  });

  test.each([
    ["SignUp", {}],
    ["SignUp", { ClientId: ["x"] }],
    ["SignUp", { Username: { $ne: 1 } }],
    ["SignUp", { UserAttributes: [null] }],
    ["SignUp", { UserAttributes: "x" }],
    ["InitiateAuth", { AuthFlow: "toString" }],
    ["InitiateAuth", { AuthFlow: "USER_SRP_AUTH", AuthParameters: [] }],
    ["InitiateAuth", { AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: email, SRP_A: "0" } }],
    ["InitiateAuth", { AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: email, SRP_A: "xyz" } }],
    ["InitiateAuth", { AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: email, SRP_A: "f".repeat(768) } }],
    ["RespondToAuthChallenge", { ChallengeName: "SMS_MFA", ChallengeResponses: {} }],
    ["ConfirmSignUp", { Username: email, ConfirmationCode: 123456 }],
  ])("%s %j", async (operation, body) => {
    const answer = await pool.call(operation, { ClientId, Password: password, ...body });
    expect(answer).toMatchObject(refused("InvalidParameterException"));
  });

  test("a mailbox that fails", async () => {
    const complaint = jest.spyOn(console, "error").mockImplementation(() => {});
    pool.failMail();
    expect(await pool.call("SignUp", { ClientId, Username: email, Password: password })).toMatchObject(
      refused("CodeDeliveryFailureException"),
    );
    expect(complaint).toHaveBeenCalledTimes(1);
    complaint.mockRestore();
  });
});

describe("for browsers and verifiers", () => {
  test("a preflight allows what Amplify sends", async () => {
    const response = await fetch(pool.service.url, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:3000",
        "access-control-request-method": "POST",
        "access-control-request-headers": "cache-control,content-type,x-amz-target,x-amz-user-agent",
      },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-headers")).toContain("x-amz-target");
  });

  test("errors are readable across origins", async () => {
    const response = await fetch(pool.service.url, { method: "POST", body: "{}" });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")?.toLowerCase()).toContain("x-amzn-errortype");
  });

  test.each(["", "/us-west-2_TestPool1"])("the discovery documents under %j", async (prefix) => {
    const configuration = (await (
      await fetch(`${pool.service.url}${prefix}/.well-known/openid-configuration`)
    ).json()) as { issuer: string; jwks_uri: string };
    expect(configuration.issuer).toBe("https://cognito-idp.us-west-2.amazonaws.com/us-west-2_TestPool1");
    const jwks = await (await fetch(configuration.jwks_uri)).json();
    expect(jwks).toEqual(pool.service.jwks);
    expect(Object.keys(pool.service.jwks.keys[0] ?? {}).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
  });

  test("any other document is a JSON 404", async () => {
    const response = await fetch(`${pool.service.url}/index.html`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ __type: "ResourceNotFoundException" });
  });
});
