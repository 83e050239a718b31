/** Sign-in through a provider, and the operations of the account's own functions. */
import { expect, test } from "@jest/globals";
import { decodeJwt } from "jose";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";

const ada = { provider: "Google", subject: "1", email, emailVerified: true } as const;

const linkTo = (pool: GivenPool, username: string, subject = "1") =>
  pool.administer("AdminLinkProviderForUser", {
    DestinationUser: { ProviderName: "Cognito", ProviderAttributeValue: username },
    SourceUser: { ProviderName: "Google", ProviderAttributeName: "Cognito_Subject", ProviderAttributeValue: subject },
  });
const users = async (pool: GivenPool) =>
  (await pool.administer("ListUsers", { Filter: `email = "ADA@student.example"` })).body.Users as {
    readonly Username: string;
    readonly UserStatus: string;
  }[];

test("a trigger that links without asking whether Google has verified the email hands over the account", async () => {
  const pool: GivenPool = await givenPool({
    preSignUp: async (event) => {
      for (const { Username } of await users(pool)) await linkTo(pool, Username, "666");
      return event;
    },
  });
  await pool.service.ensureUser({ email, password });
  const thief = await pool.service.federatedSignIn({ ...ada, subject: "666", emailVerified: false });
  expect(decodeJwt(thief.IdToken).sub).toBe((await users(pool))[0]?.Username);
});

test("a person from Google has an account without a password: no password and no code opens it", async () => {
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

test("a person from Google is the same one every time, and not the one with a password and the same email", async () => {
  const pool = await givenPool();
  const first = decodeJwt((await pool.service.federatedSignIn(ada)).IdToken).sub;
  await pool.service.ensureUser({ email, password });
  expect(decodeJwt((await pool.service.federatedSignIn(ada)).IdToken).sub).toBe(first);
  const { body } = await pool.signIn(email, password);
  expect(decodeJwt(body.AuthenticationResult.IdToken).sub).not.toBe(first);
  expect((await users(pool)).map(({ UserStatus }) => UserStatus).sort()).toEqual(["CONFIRMED", "EXTERNAL_PROVIDER"]);
});

test("a sign-in by Google overwrites the email of a linked account, but not with another account's", async () => {
  const pool = await givenPool();
  await pool.service.ensureUser({ email, password });
  await pool.service.ensureUser({ email: "eve@student.example", password });
  await linkTo(pool, email);

  const moved = await pool.service.federatedSignIn({ ...ada, email: "ada@mail.example", emailVerified: false });
  expect(decodeJwt(moved.IdToken)).toMatchObject({ email: "ada@mail.example", email_verified: false });
  expect((await pool.signIn("ada@mail.example", password)).status).toBe(200);
  await expect(pool.service.federatedSignIn({ ...ada, email: "eve@student.example" })).rejects.toMatchObject({
    type: "AliasExistsException",
  });
});

// https://github.com/aws/aws-sdk-net/issues/1000 has the second message.
test("a provider's account is linked once, and not when it has an account of its own", async () => {
  const pool = await givenPool();
  await pool.service.ensureUser({ email, password });
  await linkTo(pool, email);
  expect(await linkTo(pool, email)).toMatchObject(refused("InvalidParameterException", /already linked/));
  await pool.service.federatedSignIn({ ...ada, subject: "2", email: "eve@student.example" });
  expect(await linkTo(pool, email, "2")).toMatchObject(refused("InvalidParameterException", /Merging/));
});

test("administration needs a signature, and a filter that can be read", async () => {
  const pool = await givenPool();
  for (const operation of ["ListUsers", "AdminLinkProviderForUser", "AdminGetUser", "AdminSetUserMFAPreference"]) {
    expect(await pool.call(operation, { UserPoolId: pool.service.poolId })).toMatchObject(
      refused("MissingAuthenticationTokenException"),
    );
  }
  for (const Filter of ['email = "a" or email = "b"', "email = a", 'password = "x"']) {
    expect(await pool.administer("ListUsers", { Filter })).toMatchObject(refused("InvalidParameterException"));
  }
});

test("a disabled account of another pool is not taken over; control: an enabled one is", async () => {
  const pool = await givenPool();
  const account = (address: string, Enabled: boolean) => {
    return { UserStatus: "CONFIRMED", Enabled, Attributes: [{ Name: "email", Value: address }] };
  };
  await pool.service.takeOver([account("eve@student.example", false), account(email, true)]);
  const { body } = await pool.administer("ListUsers", {});
  expect(body.Users).toEqual([
    expect.objectContaining({ Attributes: expect.arrayContaining([{ Name: "email", Value: email }]) }),
  ]);
});
