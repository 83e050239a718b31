/** The second factor, as Amplify's client asks for it. Sign-up and sign-in: `test/service/api-sign-in.test.ts`. */
import { expect, test } from "@jest/globals";
import { Amplify } from "aws-amplify";
import {
  confirmSignIn,
  fetchMFAPreference,
  setUpTOTP,
  signIn,
  signOut,
  updateMFAPreference,
  verifyTOTPSetup,
} from "aws-amplify/auth";
import { cognitoUserPoolsTokenProvider } from "aws-amplify/auth/cognito";
import { ConsoleLogger } from "aws-amplify/utils";
import { email, type GivenPool, givenPool, otherThan, password } from "./identity-pool.ts";

// Amplify warns of every endpoint that is not Amazon's.
ConsoleLogger.LOG_LEVEL = "ERROR";

/** Starts a pool that allows SRP alone: a client that fell back to sending the password would be refused. */
async function givenConfigured(): Promise<GivenPool> {
  const pool = await givenPool({ settings: { authFlows: ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"] } });
  const { poolId: userPoolId, clientId: userPoolClientId, url: userPoolEndpoint } = pool.service;
  Amplify.configure({
    Auth: { Cognito: { userPoolId, userPoolClientId, userPoolEndpoint, loginWith: { email: true } } },
  });
  // After the configuration, which sets a storage of its own.
  const entries = new Map<string, string>();
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    setItem: async (key: string, value: string) => void entries.set(key, value),
    getItem: async (key: string) => entries.get(key) ?? null,
    removeItem: async (key: string) => void entries.delete(key),
    clear: async () => entries.clear(),
  });
  return pool;
}

test("a person adds an authenticator app, and is asked for its code at the next sign-in", async () => {
  const pool = await givenConfigured();
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });
  const { sharedSecret } = await setUpTOTP();
  await verifyTOTPSetup({ code: pool.appCode(sharedSecret) });
  await updateMFAPreference({ totp: "PREFERRED" });
  expect(await fetchMFAPreference()).toEqual({ enabled: ["TOTP"], preferred: "TOTP" });
  await signOut();

  const asked = { isSignedIn: false, nextStep: { signInStep: "CONFIRM_SIGN_IN_WITH_TOTP_CODE" } };
  expect(await signIn({ username: email, password })).toEqual(asked);
  pool.wait(30);
  const challengeResponse = pool.appCode(sharedSecret);
  await expect(confirmSignIn({ challengeResponse: otherThan(challengeResponse) })).rejects.toMatchObject({
    name: "CodeMismatchException",
  });
  expect(await confirmSignIn({ challengeResponse })).toMatchObject({ isSignedIn: true });
});
