/** Sign-up and sign-in with Amplify, as the web application does it (`docs/contract.md`, "Sign-up"). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { Amplify } from "aws-amplify";
import {
  confirmSignUp,
  confirmUserAttribute,
  fetchAuthSession,
  signIn,
  signOut,
  signUp,
  updateUserAttributes,
} from "aws-amplify/auth";
import { cognitoUserPoolsTokenProvider } from "aws-amplify/auth/cognito";
import { ConsoleLogger } from "aws-amplify/utils";
import { givenStage, type ServiceStage } from "./stage.ts";

// Amplify warns about every endpoint that is not Amazon's.
ConsoleLogger.LOG_LEVEL = "ERROR";

const password = "First-Words-1";
let stage: ServiceStage;

beforeAll(async () => {
  // The tests cause refusals on purpose, so the stage need not print them.
  stage = await givenStage({ quiet: true });
  const { userPoolId, userPoolClientId, identityUrl } = stage.outputs;
  const Cognito = { userPoolId, userPoolClientId, userPoolEndpoint: identityUrl, loginWith: { email: true as const } };
  Amplify.configure({ Auth: { Cognito } });
  const entries = new Map<string, string>();
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    setItem: async (key: string, value: string) => void entries.set(key, value),
    getItem: async (key: string) => entries.get(key) ?? null,
    removeItem: async (key: string) => void entries.delete(key),
    clear: async () => entries.clear(),
  });
});
afterEach(() => signOut());
afterAll(() => stage.close());

/** @returns the code in the last mail to this address, or "" */
async function mailedCode(email: string): Promise<string> {
  const { emails } = (await (await fetch(`${stage.outputs.mailUrl}/store`)).json()) as {
    emails: { destination: { to: string[] }; body: { text: string } }[];
  };
  const mail = emails.findLast(({ destination }) => destination.to.includes(email));
  return /\d{6}/.exec(mail?.body.text ?? "")?.[0] ?? "";
}

test("a person signs up, confirms with the mailed code, signs in by SRP, and the API knows the caller", async () => {
  const email = "grace@student.example";
  await signUp({ username: email, password, options: { userAttributes: { email } } });
  await confirmSignUp({ username: email, confirmationCode: await mailedCode(email) });
  expect(await signIn({ username: email, password, options: { authFlowType: "USER_SRP_AUTH" } })).toMatchObject({
    isSignedIn: true,
  });
  const { tokens } = await fetchAuthSession();
  const token = String(tokens?.idToken);

  expect(await stage.api("GET", "/users/self", { token })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  const user = await stage.api("POST", "/users", { token, body: { fname: "Grace" } });
  expect(user).toMatchObject({ status: 201, body: { user: { id: email, admin: false, isMember: false } } });
  expect(await stage.api("GET", "/users/self", { token })).toMatchObject({ status: 200, body: { fname: "Grace" } });

  // The gateway accepts the access token of the same session, but the service answers 401.
  const access = await stage.api("GET", "/users/self", { token: String(tokens?.accessToken) });
  expect(access).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
});

/** Signs up and confirms with the mailed code. @returns the account's id in the user pool */
async function givenAccount(email: string): Promise<string> {
  const { userId } = await signUp({ username: email, password, options: { userAttributes: { email } } });
  await confirmSignUp({ username: email, confirmationCode: await mailedCode(email) });
  return String(userId);
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
const freshToken = async () => String((await fetchAuthSession({ forceRefresh: true })).tokens?.idToken);
const event = { id: "coup", year: 2031, ename: "Coup" };
const noAdmin = { status: 403, body: { message: "Unauthorized", code: "FORBIDDEN" } };

describe("an address of the admin domain", () => {
  test("gives no rights when it is only typed at sign-up", async () => {
    const email = "exec2@club.example";
    await signUp({ username: email, password, options: { userAttributes: { email } } });

    expect(await signIn({ username: email, password })).toMatchObject({
      isSignedIn: false,
      nextStep: { signInStep: "CONFIRM_SIGN_UP" },
    });
    expect((await fetchAuthSession()).tokens).toBeUndefined();
  });

  test("gives no rights after a change of email, until the person enters the code from its mailbox", async () => {
    const [old, wanted] = ["mallory@student.example", "mallory@club.example"];
    await givenAccount(old);
    await signIn({ username: old, password });
    await updateUserAttributes({ userAttributes: { email: wanted } });

    const before = await freshToken();
    expect(claimsOf(before)).toMatchObject({ email: old, email_verified: true });
    expect(await stage.api("POST", "/events", { token: before, body: event })).toMatchObject(noAdmin);
    const user = await stage.api("POST", "/users", { token: before, body: { fname: "Mallory" } });
    expect(user).toMatchObject({ status: 201, body: { user: { id: old, admin: false } } });

    // The code shows that the person reads this mailbox.
    await confirmUserAttribute({ userAttributeKey: "email", confirmationCode: await mailedCode(wanted) });
    const after = await freshToken();
    expect(claimsOf(after)).toMatchObject({ email: wanted, email_verified: true });
    expect((await stage.api("POST", "/events", { token: after, body: event })).status).toBe(201);
  });
});

describe("sign-in with Google", () => {
  const google = (email: string, subject: string) =>
    stage.identity.federatedSignIn({ provider: "Google", subject, email, emailVerified: true });

  test("leads to the confirmed account with the same email, and the password still works", async () => {
    const email = "hedy@student.example";
    const sub = await givenAccount(email);

    for (const spelling of ["Hedy@Student.example", email]) {
      const { IdToken: token } = await google(spelling, "42");
      expect(claimsOf(token)).toMatchObject({
        sub,
        email_verified: true,
        identities: [{ providerName: "Google", userId: "42" }],
      });
      expect((await stage.api("GET", "/users/self", { token })).status).toBe(404);
    }
    expect(await signIn({ username: email, password })).toMatchObject({ isSignedIn: true });
  });
});
