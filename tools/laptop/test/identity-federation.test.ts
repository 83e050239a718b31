/** Sign-in through a provider, the pool's trigger, and the operations of the account's own functions. */
import { describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";

const ada = { provider: "Google", subject: "1", email, emailVerified: true } as const;
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

interface TriggerEvent {
  readonly triggerSource: string;
  readonly userName: string;
  readonly request: { readonly userAttributes: Record<string, string> };
  readonly response: Record<string, boolean>;
}

const users = async (pool: GivenPool, Filter?: string) =>
  (await pool.administer("ListUsers", { Filter })).body.Users as { Username: string; UserStatus: string }[];
const linkTo = (pool: GivenPool, username: string, subject = "1") =>
  pool.administer("AdminLinkProviderForUser", {
    DestinationUser: { ProviderName: "Cognito", ProviderAttributeValue: username },
    SourceUser: {
      ProviderName: "Google",
      ProviderAttributeName: "Cognito_Subject",
      ProviderAttributeValue: subject,
    },
  });

describe("the trigger", () => {
  test("is asked in Cognito's words, once for each new account", async () => {
    const asked: TriggerEvent[] = [];
    const pool = await givenPool({ preSignUp: async (event) => asked[asked.push(event as TriggerEvent) - 1] });
    await pool.signUp(email, { ClientMetadata: { from: "web" }, ValidationData: [{ Name: "n", Value: "v" }] });
    await pool.service.federatedSignIn(ada);
    await pool.service.federatedSignIn(ada);

    expect(asked).toEqual([
      expect.objectContaining({
        version: "1",
        userPoolId: pool.service.poolId,
        callerContext: expect.objectContaining({ clientId: pool.service.clientId }),
        triggerSource: "PreSignUp_SignUp",
        request: { userAttributes: { email }, validationData: { n: "v" }, clientMetadata: { from: "web" } },
        response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
      }),
      expect.objectContaining({
        triggerSource: "PreSignUp_ExternalProvider",
        userName: "Google_1",
        request: { userAttributes: expect.objectContaining({ email, email_verified: "true" }) },
      }),
    ]);
  });

  test.each([
    ["refuses", Object.assign(new Error("No"), { errorType: "SignUpRefused" }), "UserLambdaValidationException"],
    ["crashes", Object.assign(new Error("No"), { errorType: "Runtime.ExitError" }), "UnexpectedLambdaException"],
    ["is late", Object.assign(new Error("No"), { errorType: "Sandbox.Timedout" }), "UnexpectedLambdaException"],
  ])("that %s leaves no account and sends no mail", async (_, failure, type) => {
    const pool = await givenPool({ preSignUp: () => Promise.reject(failure) });
    const message = "PreSignUp failed with error No.";
    expect(await pool.signUp()).toMatchObject(refused(type, message));
    await expect(pool.service.federatedSignIn(ada)).rejects.toMatchObject({ type, message });
    expect(await users(pool)).toEqual([]);
    expect(pool.mails).toEqual([]);
  });

  test("that answers nonsense causes an error", async () => {
    const pool = await givenPool({ preSignUp: async () => null });
    expect(await pool.signUp()).toMatchObject(refused("InvalidLambdaResponseException"));
  });

  test("is not asked about a taken email, and two at once get one account", async () => {
    const asked: unknown[] = [];
    const pool = await givenPool({ preSignUp: async (event) => asked[asked.push(event) - 1] });
    const statuses = (await Promise.all([pool.signUp(), pool.signUp()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
    const before = asked.length;
    expect(await pool.signUp()).toMatchObject(refused("UsernameExistsException"));
    expect(asked).toHaveLength(before);
    expect(await users(pool)).toHaveLength(1);
  });
});

describe("attacks that the rule prevents", () => {
  test("a trigger that confirms by itself would let a person take any email", async () => {
    const confirming = async (event: unknown) => ({
      ...(event as TriggerEvent),
      response: { autoConfirmUser: true, autoVerifyEmail: true },
    });
    const pool = await givenPool({ preSignUp: confirming });
    expect(await pool.signUp()).toMatchObject({ status: 200, body: { UserConfirmed: true } });
    const { body } = await pool.signIn(email, password);
    expect(claimsOf(body.AuthenticationResult.IdToken)).toMatchObject({ email, email_verified: true });
    expect(pool.mails).toEqual([]);
  });

  test("a trigger that links without asking whether Google has verified the email hands over the account", async () => {
    const pool: GivenPool = await givenPool({
      preSignUp: async (event) => {
        const { userAttributes } = (event as TriggerEvent).request;
        const [owner] = await users(pool, `email = "${userAttributes.email}"`);
        if (owner) await linkTo(pool, owner.Username, "666");
        return event;
      },
    });
    await pool.service.ensureUser({ email, password });
    const [owner] = await users(pool);
    const thief = await pool.service.federatedSignIn({ ...ada, subject: "666", emailVerified: false });
    expect(claimsOf(thief.IdToken).sub).toBe(owner?.Username);
  });
});

describe("a person from Google", () => {
  test("has an account without a password: no password and no code opens it", async () => {
    const pool = await givenPool();
    const { AccessToken } = await pool.service.federatedSignIn({ ...ada, attributes: { given_name: "Ada" } });
    const { body } = await pool.call("GetUser", { AccessToken });
    expect(body.Username).toBe("Google_1");
    expect(body.UserAttributes).toContainEqual({ Name: "given_name", Value: "Ada" });

    expect(await pool.signIn(email, password)).toMatchObject(refused("NotAuthorizedException"));
    await pool.call("ForgotPassword", { ClientId: pool.service.clientId, Username: email });
    expect(pool.mails).toEqual([]);
    const change = { AccessToken, PreviousPassword: password, ProposedPassword: "Second-Words-2" };
    expect(await pool.call("ChangePassword", change)).toMatchObject(refused("NotAuthorizedException"));
  });

  test("is the same one every time, and kept apart from a password account with the same email", async () => {
    const pool = await givenPool();
    const first = claimsOf((await pool.service.federatedSignIn(ada)).IdToken).sub;
    await pool.service.ensureUser({ email, password });
    const second = claimsOf((await pool.service.federatedSignIn(ada)).IdToken).sub;
    expect(second).toBe(first);
    const { body } = await pool.signIn(email, password);
    expect(claimsOf(body.AuthenticationResult.IdToken).sub).not.toBe(first);
    expect((await users(pool, `email = "ADA@student.example"`)).map(({ UserStatus }) => UserStatus).sort()).toEqual([
      "CONFIRMED",
      "EXTERNAL_PROVIDER",
    ]);
  });

  test("overwrites a linked account's email with Google's, but not with another account's", async () => {
    const pool = await givenPool();
    await pool.service.ensureUser({ email, password });
    await pool.service.ensureUser({ email: "eve@student.example", password });
    expect(await linkTo(pool, email)).toMatchObject({ status: 200 });

    const moved = await pool.service.federatedSignIn({ ...ada, email: "ada@mail.example", emailVerified: false });
    expect(claimsOf(moved.IdToken)).toMatchObject({ email: "ada@mail.example", email_verified: false });
    expect((await pool.signIn("ada@mail.example", password)).status).toBe(200);
    await expect(pool.service.federatedSignIn({ ...ada, email: "eve@student.example" })).rejects.toMatchObject({
      type: "AliasExistsException",
    });
  });
});

describe("administration", () => {
  test("needs a signature, the pool's id and a filter that can be read", async () => {
    const pool = await givenPool();
    const UserPoolId = pool.service.poolId;
    for (const operation of ["ListUsers", "AdminLinkProviderForUser"]) {
      expect(await pool.call(operation, { UserPoolId })).toMatchObject(refused("MissingAuthenticationTokenException"));
    }
    expect(await pool.administer("ListUsers", { UserPoolId: "us-west-2_Other" })).toMatchObject(
      refused("ResourceNotFoundException"),
    );
    for (const Filter of ['email = "a" or email = "b"', "email = a", 'password = "x"']) {
      expect(await pool.administer("ListUsers", { Filter })).toMatchObject(refused("InvalidParameterException"));
    }
  });

  test("links once, to an existing account, and no person who has an account already", async () => {
    const pool = await givenPool();
    await pool.service.ensureUser({ email, password });
    expect(await linkTo(pool, "nobody@student.example")).toMatchObject(refused("UserNotFoundException"));
    expect(await linkTo(pool, email)).toMatchObject({ status: 200 });
    expect(await linkTo(pool, email)).toMatchObject(refused("InvalidParameterException", /already linked/));
    await pool.service.federatedSignIn({ ...ada, subject: "2", email: "eve@student.example" });
    expect(await linkTo(pool, email, "2")).toMatchObject(refused("InvalidParameterException", /Merging/));
    for (const subject of ["3", "4", "5", "6"]) expect((await linkTo(pool, email, subject)).status).toBe(200);
    expect(await linkTo(pool, email, "7")).toMatchObject(refused("LimitExceededException"));
  });
});
