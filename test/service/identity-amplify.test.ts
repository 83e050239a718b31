import { beforeEach, expect, test } from "@jest/globals";
import { Amplify } from "aws-amplify";
import {
  confirmResetPassword,
  confirmSignUp,
  confirmUserAttribute,
  fetchAuthSession,
  fetchUserAttributes,
  getCurrentUser,
  resetPassword,
  signIn,
  signOut,
  signUp,
  updateUserAttributes,
} from "aws-amplify/auth";
import { cognitoUserPoolsTokenProvider } from "aws-amplify/auth/cognito";
import { ConsoleLogger } from "aws-amplify/utils";
import { createTokenVerifier } from "../../lib/local/identity/index.ts";
import { type GivenPool, givenPool } from "./identity-pool.ts";

const email = "ada@student.example";
const password = "First-Words-1";

// Amplify warns of every endpoint that is not Amazon's.
ConsoleLogger.LOG_LEVEL = "ERROR";

/** A browser's storage; tokens live here between calls. */
class Storage {
  readonly entries = new Map<string, string>();
  setItem = async (key: string, value: string) => void this.entries.set(key, value);
  getItem = async (key: string) => this.entries.get(key) ?? null;
  removeItem = async (key: string) => void this.entries.delete(key);
  clear = async () => this.entries.clear();
}

let pool: GivenPool;
let storage: Storage;

beforeEach(async () => {
  // Only SRP: a client that fell back to sending the password would be refused.
  pool = await givenPool({ settings: { authFlows: ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"] } });
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId: pool.service.poolId,
        userPoolClientId: pool.service.clientId,
        userPoolEndpoint: pool.service.url,
        loginWith: { email: true },
      },
    },
  });
  storage = new Storage();
  cognitoUserPoolsTokenProvider.setKeyValueStorage(storage);
});

test("a person signs up, confirms with the mailed code and signs in by SRP", async () => {
  const signedUp = await signUp({
    username: email,
    password,
    options: { userAttributes: { email, given_name: "Ada" } },
  });
  expect(signedUp.nextStep).toMatchObject({
    signUpStep: "CONFIRM_SIGN_UP",
    codeDeliveryDetails: { deliveryMedium: "EMAIL", destination: "a***@s***" },
  });
  expect(await signIn({ username: email, password })).toMatchObject({ nextStep: { signInStep: "CONFIRM_SIGN_UP" } });

  const confirmed = await confirmSignUp({ username: email, confirmationCode: pool.codeFor(email) });
  expect(confirmed.isSignUpComplete).toBe(true);
  expect(await signIn({ username: "Ada@Student.example", password })).toMatchObject({ isSignedIn: true });

  const { tokens } = await fetchAuthSession();
  const verify = createTokenVerifier({
    issuer: pool.service.issuer,
    audience: [pool.service.clientId],
    jwks: pool.service.jwks,
  });
  expect(await verify(String(tokens?.idToken))).toMatchObject({ email, email_verified: true, token_use: "id" });
  expect(await fetchUserAttributes()).toEqual({
    sub: signedUp.userId,
    email,
    email_verified: "true",
    given_name: "Ada",
  });
  expect(await getCurrentUser()).toMatchObject({ userId: signedUp.userId, username: signedUp.userId });
});

test("SRP sign-in fails with a wrong password, and in the same words for nobody's email", async () => {
  await pool.service.ensureUser({ email, password });

  const failure = { name: "NotAuthorizedException", message: "Incorrect username or password." };
  await expect(signIn({ username: email, password: "Wrong-Words-1" })).rejects.toMatchObject(failure);
  await expect(signIn({ username: "nobody@student.example", password })).rejects.toMatchObject(failure);
});

test("a session is refreshed, and ends when it is signed out everywhere", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });
  const before = await fetchAuthSession();

  const after = await fetchAuthSession({ forceRefresh: true });

  expect(String(after.tokens?.idToken)).not.toBe(String(before.tokens?.idToken));
  expect(after.tokens?.idToken?.payload.origin_jti).toBe(before.tokens?.idToken?.payload.origin_jti);
  expect(after.tokens?.idToken?.payload.auth_time).toBe(before.tokens?.idToken?.payload.auth_time);

  await signOut({ global: true });

  expect((await fetchAuthSession()).tokens).toBeUndefined();
  const refused = await pool.call("GetUser", { AccessToken: String(after.tokens?.accessToken) });
  expect(refused).toMatchObject({ status: 400, error: "NotAuthorizedException" });
});

test("a local sign-out revokes the refresh token", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });
  const [, RefreshToken] = [...storage.entries].find(([key]) => key.endsWith(".refreshToken")) ?? [];

  await signOut();

  const refused = await pool.call("GetTokensFromRefreshToken", { ClientId: pool.service.clientId, RefreshToken });
  expect(refused).toMatchObject({ status: 400, error: "NotAuthorizedException" });
});

test("a forgotten password is replaced with the mailed code", async () => {
  await pool.service.ensureUser({ email, password });

  const asked = await resetPassword({ username: email });
  expect(asked.nextStep.resetPasswordStep).toBe("CONFIRM_RESET_PASSWORD_WITH_CODE");
  await confirmResetPassword({ username: email, confirmationCode: pool.codeFor(email), newPassword: "Second-Words-2" });

  await expect(signIn({ username: email, password })).rejects.toMatchObject({ name: "NotAuthorizedException" });
  expect(await signIn({ username: email, password: "Second-Words-2" })).toMatchObject({ isSignedIn: true });
});

test("an email changes only when the code sent to the new one is entered", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });

  const update = await updateUserAttributes({ userAttributes: { email: "ada@club.example" } });
  expect(update.email?.nextStep.updateAttributeStep).toBe("CONFIRM_ATTRIBUTE_WITH_CODE");
  const { tokens } = await fetchAuthSession({ forceRefresh: true });
  expect(tokens?.idToken?.payload).toMatchObject({ email, email_verified: true });

  await confirmUserAttribute({ userAttributeKey: "email", confirmationCode: pool.codeFor("ada@club.example") });
  const changed = await fetchAuthSession({ forceRefresh: true });
  expect(changed.tokens?.idToken?.payload).toMatchObject({ email: "ada@club.example", email_verified: true });
});
