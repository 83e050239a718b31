/** What Amplify's client needs of the pool beyond `test/service/api-sign-in.test.ts`: its steps at a sign-up, a second factor and a link. */
import { beforeEach, expect, test } from "@jest/globals";
import { Amplify } from "aws-amplify";
import {
  confirmSignIn,
  confirmSignUp,
  fetchMFAPreference,
  fetchUserAttributes,
  getCurrentUser,
  resendSignUpCode,
  setUpTOTP,
  signIn,
  signOut,
  signUp,
  updateMFAPreference,
  verifyTOTPSetup,
} from "aws-amplify/auth";
import { cognitoUserPoolsTokenProvider } from "aws-amplify/auth/cognito";
import { ConsoleLogger } from "aws-amplify/utils";
import { email, type GivenPool, givenPool, otherThan, password } from "./identity-pool.ts";

// Amplify warns of every endpoint that is not Amazon's.
ConsoleLogger.LOG_LEVEL = "ERROR";

const second = "Second-Words-2";
const signedUp = (more: object = {}) =>
  signUp({ username: email, password, options: { userAttributes: { email, given_name: "Ada" }, ...more } });

let pool: GivenPool;

/** Starts a pool that allows SRP alone: a client that fell back to sending the password would be refused. */
async function givenConfigured(confirmByLink = false): Promise<void> {
  const authFlows = ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"];
  pool = await givenPool({ settings: { authFlows, confirmByLink } });
  const { poolId: userPoolId, clientId: userPoolClientId, url: userPoolEndpoint } = pool.service;
  const signUpVerificationMethod = confirmByLink ? ("link" as const) : ("code" as const);
  const Cognito = { userPoolId, userPoolClientId, userPoolEndpoint, signUpVerificationMethod };
  Amplify.configure({ Auth: { Cognito: { ...Cognito, loginWith: { email: true } } } });
  // After the configuration, which sets a storage that all tests would share.
  const entries = new Map<string, string>();
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    setItem: async (key: string, value: string) => void entries.set(key, value),
    getItem: async (key: string) => entries.get(key) ?? null,
    removeItem: async (key: string) => void entries.delete(key),
    clear: async () => entries.clear(),
  });
}
beforeEach(() => givenConfigured());

test("a person signs up, confirms with the code that was sent again, and signs in by SRP", async () => {
  const { nextStep, userId } = await signedUp();
  expect(nextStep).toMatchObject({
    signUpStep: "CONFIRM_SIGN_UP",
    codeDeliveryDetails: { deliveryMedium: "EMAIL", destination: "a***@s***" },
  });
  expect(await signIn({ username: email, password })).toMatchObject({ nextStep: { signInStep: "CONFIRM_SIGN_UP" } });
  await resendSignUpCode({ username: email });
  const confirmed = await confirmSignUp({ username: email, confirmationCode: pool.codeFor(email) });
  expect(confirmed.isSignUpComplete).toBe(true);
  await expect(signIn({ username: email, password: second })).rejects.toThrow("Incorrect username or password.");
  expect(await signIn({ username: "Ada@Student.example", password })).toMatchObject({ isSignedIn: true });

  expect(await fetchUserAttributes()).toEqual({ sub: userId, email, email_verified: "true", given_name: "Ada" });
  expect(await getCurrentUser()).toMatchObject({ userId, username: userId });
});

test("a person adds an authenticator app, and is asked for its code at the next sign-in", async () => {
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
