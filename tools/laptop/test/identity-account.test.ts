import { beforeEach, describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused, signedIn } from "./identity-pool.ts";

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
});

describe("one's own account", () => {
  const update = (AccessToken: string, ...UserAttributes: { Name: string; Value: string }[]) =>
    pool.call("UpdateUserAttributes", { AccessToken, UserAttributes });
  const verify = (AccessToken: string, Code: string) =>
    pool.call("VerifyUserAttribute", { AccessToken, AttributeName: "email", Code });
  const attributes = async (AccessToken: string) => {
    const { body } = await pool.call("GetUser", { AccessToken });
    return Object.fromEntries(
      body.UserAttributes.map(({ Name, Value }: { Name: string; Value: string }) => [Name, Value]),
    );
  };

  test("a user cannot verify their own email by writing the flag, and the request writes nothing else", async () => {
    const { AccessToken } = await signedIn(pool);
    const tried = await update(AccessToken, { Name: "name", Value: "Ada" }, { Name: "email_verified", Value: "true" });
    expect(tried).toMatchObject(
      refused("NotAuthorizedException", "A client attempted to write unauthorized attribute"),
    );
    expect(await attributes(AccessToken)).not.toHaveProperty("name");
  });

  test("a new email counts once verified: sign-in moves with it", async () => {
    const { AccessToken } = await signedIn(pool);
    const changed = await update(AccessToken, { Name: "email", Value: "ada@club.example" });
    expect(changed.body.CodeDeliveryDetailsList).toHaveLength(1);
    expect(await attributes(AccessToken)).toMatchObject({ email, email_verified: "true" });
    expect(await pool.signIn("ada@club.example", password)).toMatchObject(refused("NotAuthorizedException"));

    expect(await verify(AccessToken, pool.codeFor("ada@club.example"))).toMatchObject({ status: 200 });

    expect(await attributes(AccessToken)).toMatchObject({ email: "ada@club.example", email_verified: "true" });
    expect(await pool.signIn("ada@club.example", password)).toMatchObject({ status: 200 });
    expect(await pool.signIn(email, password)).toMatchObject(refused("NotAuthorizedException"));
  });

  test("a code sent to one address does not verify another", async () => {
    const { AccessToken } = await signedIn(pool);
    await update(AccessToken, { Name: "email", Value: "mine@student.example" });
    await update(AccessToken, { Name: "email", Value: "exec@club.example" });
    const [mine, exec] = [pool.codeFor("mine@student.example"), pool.codeFor("exec@club.example")];

    if (mine !== exec) expect(await verify(AccessToken, mine)).toMatchObject(refused("CodeMismatchException"));
    expect(await attributes(AccessToken)).toMatchObject({ email });
  });

  test("a code for the present email does not verify one asked for later", async () => {
    const { AccessToken } = await signedIn(pool);
    await pool.call("GetUserAttributeVerificationCode", { AccessToken, AttributeName: "email" });
    const old = pool.codeFor(email);
    await update(AccessToken, { Name: "email", Value: "exec@club.example" });
    if (old === pool.codeFor("exec@club.example")) return;
    expect(await verify(AccessToken, old)).toMatchObject(refused("CodeMismatchException"));
  });

  test("another user's email is refused, also when that user took it after the code was sent", async () => {
    const { AccessToken } = await signedIn(pool);
    await pool.service.ensureUser({ email: "bea@student.example", password });
    expect(await update(AccessToken, { Name: "email", Value: "Bea@student.example" })).toMatchObject(
      refused("AliasExistsException"),
    );

    await update(AccessToken, { Name: "email", Value: "cy@student.example" });
    await pool.service.ensureUser({ email: "cy@student.example", password });
    expect(await verify(AccessToken, pool.codeFor("cy@student.example"))).toMatchObject(
      refused("AliasExistsException"),
    );
    expect(await attributes(AccessToken)).toMatchObject({ email });
  });

  test("in a pool without that protection, a new email counts at once and unverified", async () => {
    pool = await givenPool({ settings: { verifyBeforeUpdate: [] } });
    const { AccessToken } = await signedIn(pool);
    await update(AccessToken, { Name: "email", Value: "exec@club.example" });
    expect(await attributes(AccessToken)).toMatchObject({ email: "exec@club.example", email_verified: "false" });
  });

  test("the old password is needed to change the password", async () => {
    const { AccessToken } = await signedIn(pool);
    const change = (PreviousPassword: string, ProposedPassword: string) =>
      pool.call("ChangePassword", { AccessToken, PreviousPassword, ProposedPassword });
    expect(await change("Wrong-Words-1", "Second-Words-2")).toMatchObject(refused("NotAuthorizedException"));
    expect(await change(password, "short")).toMatchObject(refused("InvalidPasswordException"));
    expect(await change(password, "Second-Words-2")).toMatchObject({ status: 200 });
    expect(await pool.signIn(email, "Second-Words-2")).toMatchObject({ status: 200 });
  });

  test("a deleted account is gone with its sessions, and its email is free", async () => {
    const { AccessToken } = await signedIn(pool);
    expect(await pool.call("DeleteUser", { AccessToken })).toMatchObject({ status: 200 });
    expect(await pool.call("GetUser", { AccessToken })).toMatchObject(refused("NotAuthorizedException"));
    expect(await pool.signIn(email, password)).toMatchObject(refused("NotAuthorizedException"));
    expect(await pool.call("SignUp", { ClientId, Username: email, Password: password })).toMatchObject({ status: 200 });
  });
});
