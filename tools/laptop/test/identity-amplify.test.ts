/** Amplify's client against the pool: its SRP, its reading of challenges and errors, and its two ways to confirm. */
import { beforeEach, expect, test } from "@jest/globals";
import { Amplify } from "aws-amplify";
import {
  autoSignIn,
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  confirmUserAttribute,
  deleteUser,
  fetchAuthSession,
  fetchMFAPreference,
  fetchUserAttributes,
  getCurrentUser,
  resendSignUpCode,
  resetPassword,
  sendUserAttributeVerificationCode,
  setUpTOTP,
  signIn,
  signOut,
  signUp,
  updateMFAPreference,
  updatePassword,
  updateUserAttributes,
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

test("a session is refreshed, and ends with the sign-out", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });
  const before = (await fetchAuthSession()).tokens?.idToken;
  const { tokens } = await fetchAuthSession({ forceRefresh: true });
  const { origin_jti, auth_time } = before?.payload ?? {};
  expect(String(tokens?.idToken)).not.toBe(String(before));
  expect(tokens?.idToken?.payload).toMatchObject({ origin_jti, auth_time });

  await signOut();
  expect((await fetchAuthSession()).tokens).toBeUndefined();
  const refused = await pool.call("GetUser", { AccessToken: String(tokens?.accessToken) });
  expect(refused).toMatchObject({ error: "NotAuthorizedException" });
});

test("a person replaces a forgotten password, changes it, changes the email and deletes the account", async () => {
  await pool.service.ensureUser({ email, password });
  const { nextStep } = await resetPassword({ username: email });
  expect(nextStep.resetPasswordStep).toBe("CONFIRM_RESET_PASSWORD_WITH_CODE");
  await confirmResetPassword({ username: email, confirmationCode: pool.codeFor(email), newPassword: second });
  await signIn({ username: email, password: second });
  await updatePassword({ oldPassword: second, newPassword: password });

  const wanted = "ada@club.example";
  const update = await updateUserAttributes({ userAttributes: { email: wanted } });
  expect(update.email?.nextStep.updateAttributeStep).toBe("CONFIRM_ATTRIBUTE_WITH_CODE");
  await sendUserAttributeVerificationCode({ userAttributeKey: "email" });
  await confirmUserAttribute({ userAttributeKey: "email", confirmationCode: pool.codeFor(wanted) });
  const { tokens } = await fetchAuthSession({ forceRefresh: true });
  expect(tokens?.idToken?.payload).toMatchObject({ email: wanted, email_verified: true });

  await deleteUser();
  await expect(signIn({ username: wanted, password })).rejects.toMatchObject({ name: "NotAuthorizedException" });
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

test("where the mail has a link, a person who asked to be signed in is so as soon as it is opened", async () => {
  await givenConfigured(true);
  const { nextStep } = await signedUp({ autoSignIn: true });
  expect(nextStep).toMatchObject({ signUpStep: "COMPLETE_AUTO_SIGN_IN" });
  // Amplify asks every five seconds, and gives up after three minutes.
  const signedIn = autoSignIn();
  await fetch(pool.mails.at(-1)?.link ?? "");
  expect(await signedIn).toMatchObject({ isSignedIn: true });
});
