/** A person's own account: a change of email, and how long a session lasts. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused, signedIn } from "./identity-pool.ts";

let pool: GivenPool;
let AccessToken: string;
let RefreshToken: string;
let IdToken: string;

beforeEach(async () => {
  pool = await givenPool();
  ({ AccessToken, RefreshToken, IdToken } = await signedIn(pool));
});

interface Attribute {
  readonly Name: string;
  readonly Value: string;
}

const update = (...UserAttributes: Attribute[]) => pool.call("UpdateUserAttributes", { AccessToken, UserAttributes });
const changeEmail = (Value: string) => update({ Name: "email", Value });
const verify = (Code: string) => pool.call("VerifyUserAttribute", { AccessToken, AttributeName: "email", Code });
const attributes = async () => {
  const { body } = await pool.call("GetUser", { AccessToken });
  return Object.fromEntries(body.UserAttributes.map(({ Name, Value }: Attribute) => [Name, Value]));
};

describe("a change of email", () => {
  test("cannot be verified by writing the flag, and the request writes nothing else", async () => {
    const tried = await update({ Name: "name", Value: "Ada" }, { Name: "email_verified", Value: "true" });
    expect(tried).toMatchObject(
      refused("NotAuthorizedException", "A client attempted to write unauthorized attribute"),
    );
    expect(await attributes()).not.toHaveProperty("name");
  });

  test("counts once verified: sign-in moves with it", async () => {
    const changed = await changeEmail("ada@club.example");
    expect(changed.body.CodeDeliveryDetailsList).toHaveLength(1);
    expect(await attributes()).toMatchObject({ email, email_verified: "true" });
    expect(await pool.signIn("ada@club.example", password)).toMatchObject(refused("NotAuthorizedException"));

    expect(await verify(pool.codeFor("ada@club.example"))).toMatchObject({ status: 200 });

    expect(await attributes()).toMatchObject({ email: "ada@club.example", email_verified: "true" });
    expect(await pool.signIn("ada@club.example", password)).toMatchObject({ status: 200 });
    expect(await pool.signIn(email, password)).toMatchObject(refused("NotAuthorizedException"));
  });

  test.each([
    ["another new email", () => changeEmail("mine@student.example"), "mine@student.example"],
    [
      "the present one",
      () => pool.call("GetUserAttributeVerificationCode", { AccessToken, AttributeName: "email" }),
      email,
    ],
  ])("is not verified by a code for %s", async (_, ask, address) => {
    await ask();
    const old = pool.codeFor(address);
    // One new code in a million is the old one.
    do await changeEmail("exec@club.example");
    while (pool.codeFor("exec@club.example") === old);
    expect(await verify(old)).toMatchObject(refused("CodeMismatchException"));
    expect(await attributes()).toMatchObject({ email });
  });

  test("is refused when another user has the email, also since the code was sent", async () => {
    await pool.service.ensureUser({ email: "bea@student.example", password });
    expect(await changeEmail("Bea@student.example")).toMatchObject(refused("AliasExistsException"));

    await changeEmail("cy@student.example");
    await pool.service.ensureUser({ email: "cy@student.example", password });
    expect(await verify(pool.codeFor("cy@student.example"))).toMatchObject(refused("AliasExistsException"));
    expect(await attributes()).toMatchObject({ email });
  });

  test("counts at once and unverified in a pool without that protection", async () => {
    pool = await givenPool({ settings: { verifyBeforeUpdate: [] } });
    ({ AccessToken } = await signedIn(pool));
    await changeEmail("exec@club.example");
    expect(await attributes()).toMatchObject({ email: "exec@club.example", email_verified: "false" });
  });
});

test("an access token opens the account for an hour, and a refresh token the session for seven days", async () => {
  const refresh = () => pool.call("GetTokensFromRefreshToken", { ClientId: pool.service.clientId, RefreshToken });
  expect(await pool.call("GetUser", { AccessToken: IdToken })).toMatchObject(refused("NotAuthorizedException"));
  pool.wait(3600);
  expect(await pool.call("GetUser", { AccessToken })).toMatchObject(refused("NotAuthorizedException"));
  pool.wait(7 * 86_400 - 3660);
  expect(await refresh()).toMatchObject({ status: 200, body: { AuthenticationResult: { ExpiresIn: 3600 } } });
  pool.wait(60);
  expect(await refresh()).toMatchObject(refused("NotAuthorizedException", /Refresh Token/));
});
