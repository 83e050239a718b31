import { beforeEach, describe, expect, test } from "@jest/globals";
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
import { createTokenVerifier } from "../identity/index.ts";
import { email, type GivenPool, givenPool, otherThan, password } from "./identity-pool.ts";

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
  configure();
});

function configure(more: { signUpVerificationMethod?: "code" | "link" } = {}): void {
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId: pool.service.poolId,
        userPoolClientId: pool.service.clientId,
        userPoolEndpoint: pool.service.url,
        loginWith: { email: true },
        ...more,
      },
    },
  });
  // After the configuration, which sets a storage that all tests would share.
  storage = new Storage();
  cognitoUserPoolsTokenProvider.setKeyValueStorage(storage);
}

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

test("SRP sign-in fails with a wrong password, and in the same words for an unknown email", async () => {
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

const signUpWith = (more: object = {}) =>
  signUp({ username: email, password, options: { userAttributes: { email } }, ...more });
const storedRefreshToken = () => [...storage.entries].find(([key]) => key.endsWith(".refreshToken"))?.[1];

test("a code that did not arrive is sent again", async () => {
  await signUpWith();
  const sent = await resendSignUpCode({ username: email });
  expect(sent).toMatchObject({ deliveryMedium: "EMAIL", destination: "a***@s***", attributeName: "email" });
  expect(pool.mails).toHaveLength(2);
  const confirmed = await confirmSignUp({ username: email, confirmationCode: pool.codeFor(email) });
  expect(confirmed.isSignUpComplete).toBe(true);
});

test("the old password is needed to change the password", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });

  await expect(updatePassword({ oldPassword: "Wrong-Words-1", newPassword: "Second-Words-2" })).rejects.toMatchObject({
    name: "NotAuthorizedException",
  });
  await updatePassword({ oldPassword: password, newPassword: "Second-Words-2" });
  await signOut();

  await expect(signIn({ username: email, password })).rejects.toMatchObject({ name: "NotAuthorizedException" });
  expect(await signIn({ username: email, password: "Second-Words-2" })).toMatchObject({ isSignedIn: true });
});

test("after a sign-out everywhere the refresh token of another browser is dead too", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });
  const elsewhere = storedRefreshToken();
  storage.entries.clear();
  await signIn({ username: email, password });

  await signOut({ global: true });

  const again = { ClientId: pool.service.clientId, RefreshToken: elsewhere };
  expect(await pool.call("GetTokensFromRefreshToken", again)).toMatchObject({ error: "NotAuthorizedException" });
});

test("an email is verified with the code that was asked for again, and sign-in moves with it", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });
  const wanted = "ada.l@student.example";
  await updateUserAttributes({ userAttributes: { email: wanted, given_name: "Ada" } });
  expect(await fetchUserAttributes()).toMatchObject({ email, email_verified: "true", given_name: "Ada" });

  await sendUserAttributeVerificationCode({ userAttributeKey: "email" });
  expect(pool.mails.map(({ to }) => to)).toEqual([wanted, wanted]);
  await confirmUserAttribute({ userAttributeKey: "email", confirmationCode: pool.codeFor(wanted) });

  expect(await fetchUserAttributes()).toMatchObject({ email: wanted, email_verified: "true" });
  await signOut();
  await expect(signIn({ username: email, password })).rejects.toMatchObject({ name: "NotAuthorizedException" });
  expect(await signIn({ username: wanted, password })).toMatchObject({ isSignedIn: true });
});

test("a deleted account cannot sign in, and its email is free again", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });
  const RefreshToken = storedRefreshToken();

  await deleteUser();

  expect((await fetchAuthSession()).tokens).toBeUndefined();
  const again = { ClientId: pool.service.clientId, RefreshToken };
  expect(await pool.call("GetTokensFromRefreshToken", again)).toMatchObject({ error: "NotAuthorizedException" });
  await expect(signIn({ username: email, password })).rejects.toMatchObject({ name: "NotAuthorizedException" });
  expect((await signUpWith()).nextStep.signUpStep).toBe("CONFIRM_SIGN_UP");
});

/** Adds an authenticator app to the account that is signed in. @returns its key */
async function givenApp(): Promise<string> {
  const { sharedSecret } = await setUpTOTP();
  await verifyTOTPSetup({ code: pool.appCode(sharedSecret) });
  await updateMFAPreference({ totp: "PREFERRED" });
  return sharedSecret;
}

test("a person adds an authenticator app, and is asked for its code at the next sign-in", async () => {
  await pool.service.ensureUser({ email, password });
  await signIn({ username: email, password });
  expect(await fetchMFAPreference()).toEqual({ enabled: undefined, preferred: undefined });
  const setup = await setUpTOTP();
  expect(setup.getSetupUri("Club Events", email).toString()).toContain(`secret=${setup.sharedSecret}`);
  const secret = await givenApp();
  expect(await fetchMFAPreference()).toEqual({ enabled: ["TOTP"], preferred: "TOTP" });
  await signOut();

  const asked = { isSignedIn: false, nextStep: { signInStep: "CONFIRM_SIGN_IN_WITH_TOTP_CODE" } };
  expect(await signIn({ username: email, password })).toEqual(asked);
  expect((await fetchAuthSession()).tokens).toBeUndefined();
  pool.wait(30);
  const challengeResponse = pool.appCode(secret);
  await expect(confirmSignIn({ challengeResponse: otherThan(challengeResponse) })).rejects.toMatchObject({
    name: "CodeMismatchException",
  });
  expect(await confirmSignIn({ challengeResponse })).toMatchObject({ isSignedIn: true });
  const { tokens } = await fetchAuthSession();
  expect(tokens?.idToken?.payload).toMatchObject({ email, email_verified: true });
  // No claim says how the person signed in.
  expect(tokens?.idToken?.payload).not.toHaveProperty("amr");

  await updateMFAPreference({ totp: "DISABLED" });
  await signOut();
  expect(await signIn({ username: email, password })).toMatchObject({ isSignedIn: true });
});

describe("where the mail has a link", () => {
  const byLink = { signUpVerificationMethod: "link" } as const;
  const openedLink = async () => (await fetch(pool.mails.findLast(({ to }) => to === email)?.link ?? "")).status;

  beforeEach(async () => {
    pool = await givenPool({ settings: { confirmByLink: true } });
    configure(byLink);
  });

  test("a person signs up, opens the link and signs in", async () => {
    expect((await signUpWith()).nextStep).toMatchObject({ signUpStep: "CONFIRM_SIGN_UP" });
    expect(await signIn({ username: email, password })).toMatchObject({ nextStep: { signInStep: "CONFIRM_SIGN_UP" } });
    expect(await openedLink()).toBe(200);
    expect(await signIn({ username: email, password })).toMatchObject({ isSignedIn: true });
  });

  test("a person who asked to be signed in is so as soon as the link is opened", async () => {
    const { nextStep } = await signUpWith({ options: { userAttributes: { email }, autoSignIn: true } });
    expect(nextStep).toMatchObject({
      signUpStep: "COMPLETE_AUTO_SIGN_IN",
      codeDeliveryDetails: { deliveryMedium: "EMAIL" },
    });
    // Amplify asks every five seconds, and gives up after three minutes.
    const signedIn = autoSignIn();
    expect(await openedLink()).toBe(200);
    expect(await signedIn).toMatchObject({ isSignedIn: true });
  });

  test("a forgotten password still takes a code", async () => {
    await pool.service.ensureUser({ email, password });
    await resetPassword({ username: email });
    await confirmResetPassword({
      username: email,
      confirmationCode: pool.codeFor(email),
      newPassword: "Second-Words-2",
    });
    expect(await signIn({ username: email, password: "Second-Words-2" })).toMatchObject({ isSignedIn: true });
  });
});

/** The names that a web application switches on, each reached through Amplify. */
describe("Amplify throws", () => {
  const unconfirmed = async () => void (await signUpWith());
  const confirmed = () => pool.service.ensureUser({ email, password });
  const signedIn = async () => {
    await confirmed();
    await signIn({ username: email, password });
  };
  let code = "";
  const wrongly = () => confirmSignUp({ username: email, confirmationCode: otherThan(pool.codeFor(email)) });
  const reset = (confirmationCode: string, newPassword = "Second-Words-2") =>
    confirmResetPassword({ username: email, confirmationCode, newPassword });

  test.each<[string, string, () => Promise<unknown>, () => Promise<unknown>]>([
    ["UsernameExistsException", "for a taken email", confirmed, signUpWith],
    ["InvalidPasswordException", "for a weak password", async () => {}, () => signUpWith({ password: "too-weak" })],
    ["InvalidParameterException", "for no email", async () => {}, () => signUpWith({ username: "ada" })],
    ["CodeMismatchException", "for a wrong code", unconfirmed, wrongly],
    [
      "ExpiredCodeException",
      "for a code of yesterday",
      async () => {
        await signUpWith();
        pool.wait(24 * 3600);
      },
      () => confirmSignUp({ username: email, confirmationCode: pool.codeFor(email) }),
    ],
    [
      "LimitExceededException",
      "for guessing",
      async () => {
        await signUpWith();
        for (let guess = 0; guess < 5; guess++) await wrongly().catch(() => undefined);
      },
      wrongly,
    ],
    [
      "ExpiredCodeException",
      "for an unknown person with a code",
      async () => {},
      () => confirmSignUp({ username: email, confirmationCode: "123456" }),
    ],
    [
      "NotAuthorizedException",
      "for confirming twice",
      confirmed,
      () => confirmSignUp({ username: email, confirmationCode: "123456" }),
    ],
    [
      "InvalidParameterException",
      "for a code that is not needed any more",
      confirmed,
      () => resendSignUpCode({ username: email }),
    ],
    [
      "CodeMismatchException",
      "for a wrong reset code",
      async () => {
        await confirmed();
        await resetPassword({ username: email });
      },
      () => reset(otherThan(pool.codeFor(email))),
    ],
    ["CodeMismatchException", "for somebody unknown with a reset code", async () => {}, () => reset("123456")],
    [
      "InvalidPasswordException",
      "for a weak new password",
      async () => {
        await confirmed();
        await resetPassword({ username: email });
      },
      () => reset(pool.codeFor(email), "too-weak"),
    ],
    [
      "AliasExistsException",
      "for another user's email",
      async () => {
        await pool.service.ensureUser({ email: "eve@student.example", password });
        await signedIn();
      },
      () => updateUserAttributes({ userAttributes: { email: "eve@student.example" } }),
    ],
    [
      "UserAlreadyAuthenticatedException",
      "for signing in twice",
      signedIn,
      () => signIn({ username: email, password }),
    ],
    [
      "EnableSoftwareTokenMFAException",
      "for a wrong code of a new authenticator app",
      signedIn,
      async () => verifyTOTPSetup({ code: otherThan(pool.appCode((await setUpTOTP()).sharedSecret)) }),
    ],
    [
      "InvalidParameterException",
      "for an app that was not verified",
      signedIn,
      () => updateMFAPreference({ totp: "PREFERRED" }),
    ],
    [
      "ExpiredCodeException",
      "for the code that has set the app up",
      async () => {
        await signedIn();
        const secret = await givenApp();
        await signOut();
        await signIn({ username: email, password });
        code = pool.appCode(secret);
      },
      () => confirmSignIn({ challengeResponse: code }),
    ],
    [
      "UserLambdaValidationException",
      "for a sign-up that the trigger refuses",
      async () => {
        pool = await givenPool({ preSignUp: () => Promise.reject(new Error("Not you")) });
        configure();
      },
      signUpWith,
    ],
  ])("%s %s", async (name, _, before, attempt) => {
    await before();
    await expect(attempt()).rejects.toMatchObject({ name });
  });

  test("nothing that tells strangers whether an account exists", async () => {
    const asked = await resetPassword({ username: "nobody@student.example" });
    expect(asked.nextStep).toMatchObject({
      resetPasswordStep: "CONFIRM_RESET_PASSWORD_WITH_CODE",
      codeDeliveryDetails: { destination: "n***@s***" },
    });
    expect(await resendSignUpCode({ username: "nobody@student.example" })).toMatchObject({ destination: "n***@s***" });
    expect(pool.mails).toEqual([]);
  });
});
