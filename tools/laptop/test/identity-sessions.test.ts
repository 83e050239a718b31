import { beforeEach, describe, expect, test } from "@jest/globals";
import { type GivenPool, givenPool, refused, signedIn } from "./identity-pool.ts";

const HOUR = 3600;

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
});

describe("sessions", () => {
  const refresh = (REFRESH_TOKEN: string, AuthFlow = "REFRESH_TOKEN_AUTH") =>
    pool.call("InitiateAuth", { ClientId, AuthFlow, AuthParameters: { REFRESH_TOKEN } });

  test("a refresh token works for seven days from sign-in, used or not", async () => {
    const { RefreshToken } = await signedIn(pool);
    pool.wait(7 * 24 * HOUR - 60);
    const refreshed = await refresh(RefreshToken, "REFRESH_TOKEN");
    expect(refreshed.body.AuthenticationResult).toMatchObject({ ExpiresIn: 3600, TokenType: "Bearer" });
    expect(refreshed.body.AuthenticationResult).not.toHaveProperty("RefreshToken");
    pool.wait(60);
    expect(await refresh(RefreshToken)).toMatchObject(refused("NotAuthorizedException", /Refresh Token/));
  });

  test("an access token opens the account for an hour; an ID token never does", async () => {
    const { AccessToken, IdToken } = await signedIn(pool);
    expect(await pool.call("GetUser", { AccessToken })).toMatchObject({ status: 200 });
    expect(await pool.call("GetUser", { AccessToken: IdToken })).toMatchObject(refused("NotAuthorizedException"));
    pool.wait(HOUR);
    expect(await pool.call("GetUser", { AccessToken })).toMatchObject(refused("NotAuthorizedException"));
  });

  test("signing out everywhere ends every session of that person and of no other", async () => {
    const [here, there] = [await signedIn(pool), await signedIn(pool)];
    const other = await signedIn(pool, "bea@student.example");

    expect(await pool.call("GlobalSignOut", { AccessToken: here.AccessToken })).toMatchObject({ status: 200 });

    for (const { AccessToken, RefreshToken } of [here, there]) {
      expect(await refresh(RefreshToken)).toMatchObject(refused("NotAuthorizedException"));
      expect(await pool.call("GetUser", { AccessToken })).toMatchObject(refused("NotAuthorizedException", /revoked/));
    }
    expect(await refresh(other.RefreshToken)).toMatchObject({ status: 200 });
  });

  test("revoking a token ends its session only", async () => {
    const [here, there] = [await signedIn(pool), await signedIn(pool)];
    expect(await pool.call("RevokeToken", { ClientId, Token: here.RefreshToken })).toMatchObject({ status: 200 });
    expect(await refresh(here.RefreshToken)).toMatchObject(refused("NotAuthorizedException"));
    expect(await refresh(there.RefreshToken)).toMatchObject({ status: 200 });
    expect(await pool.call("RevokeToken", { ClientId, Token: "unknown" })).toMatchObject({ status: 200 });
  });
});
