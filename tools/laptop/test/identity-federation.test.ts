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
