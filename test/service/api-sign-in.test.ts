/** The way of the web application, whole: Amplify signs somebody up and in, and the API knows who calls. */
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

// Amplify warns of every endpoint that is not Amazon's.
ConsoleLogger.LOG_LEVEL = "ERROR";

const password = "First-Words-1";
let stage: ServiceStage;

beforeAll(async () => {
  // Refusals are meant here.
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
}, 60_000);
afterEach(() => signOut());
afterAll(() => stage.close());

/** The code of the last mail to somebody, as they would read it in the mailbox. */
async function mailedCode(email: string): Promise<string> {
  const { emails } = (await (await fetch(`${stage.outputs.mailUrl}/store`)).json()) as {
    emails: { destination: { to: string[] }; body: { text: string } }[];
  };
  const mail = emails.findLast(({ destination }) => destination.to.includes(email));
  return /\d{6}/.exec(mail?.body.text ?? "")?.[0] ?? "";
}

test("somebody signs up, confirms by the mailed code, signs in by SRP, and is known to the API", async () => {
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

  // The gateway lets the access token of the same session through; the service does not.
  const access = await stage.api("GET", "/users/self", { token: String(tokens?.accessToken) });
  expect(access).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
});

/** Signs up and confirms, as the owner of the mailbox. */
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
  test("gives nothing to who only types it at sign-up", async () => {
    const email = "exec2@club.example";
    await signUp({ username: email, password, options: { userAttributes: { email } } });

    expect(await signIn({ username: email, password })).toMatchObject({
      isSignedIn: false,
      nextStep: { signInStep: "CONFIRM_SIGN_UP" },
    });
    expect((await fetchAuthSession()).tokens).toBeUndefined();
  });

  test("gives nothing to who changes to it, until the code in its mailbox is entered", async () => {
    const [old, wanted] = ["mallory@student.example", "mallory@club.example"];
    await givenAccount(old);
    await signIn({ username: old, password });
    await updateUserAttributes({ userAttributes: { email: wanted } });

    const before = await freshToken();
    expect(claimsOf(before)).toMatchObject({ email: old, email_verified: true });
    expect(await stage.api("POST", "/events", { token: before, body: event })).toMatchObject(noAdmin);
    const user = await stage.api("POST", "/users", { token: before, body: { fname: "Mallory" } });
    expect(user).toMatchObject({ status: 201, body: { user: { id: old, admin: false } } });

    // The owner of the mailbox is who the address says.
    await confirmUserAttribute({ userAttributeKey: "email", confirmationCode: await mailedCode(wanted) });
    const after = await freshToken();
    expect(claimsOf(after)).toMatchObject({ email: wanted, email_verified: true });
    expect((await stage.api("POST", "/events", { token: after, body: event })).status).toBe(201);
  });

  test("gives nothing through Google where Google has not verified it, neither at first nor later", async () => {
    const person = { provider: "Google", subject: "666", email: "trudy@club.example", emailVerified: false } as const;
    await expect(stage.identity.federatedSignIn(person)).rejects.toMatchObject({
      type: "UserLambdaValidationException",
      message:
        "PreSignUp failed with error Google has not verified your email. Verify it at Google, or sign up with email and password.",
    });

    await stage.identity.federatedSignIn({ ...person, email: "trudy@mail.example", emailVerified: true });
    // The pool takes over what Google says, verified or not; the trigger is not asked any more.
    const { IdToken: token } = await stage.identity.federatedSignIn(person);
    expect(claimsOf(token)).toMatchObject({ email: "trudy@club.example", email_verified: false });
    expect(await stage.api("POST", "/events", { token, body: event })).toMatchObject(noAdmin);
  });
});

describe("Google", () => {
  const google = (email: string, subject: string) =>
    stage.identity.federatedSignIn({ provider: "Google", subject, email, emailVerified: true });

  test("signs in to the confirmed account with the same email, every time, and the password still works", async () => {
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

  test("never becomes a part of an account that somebody left unconfirmed with a password of theirs", async () => {
    const email = "victim@student.example";
    const attacker = await signUp({ username: email, password, options: { userAttributes: { email } } });

    const { IdToken: token } = await google(email, "77");
    const claims = claimsOf(token);
    expect(claims).toMatchObject({ email, email_verified: true, "cognito:username": "Google_77" });
    expect(claims.sub).not.toBe(attacker.userId);
    expect((await stage.api("POST", "/users", { token, body: { fname: "Vic" } })).status).toBe(201);

    expect(await signIn({ username: email, password })).toMatchObject({ isSignedIn: false });
    expect((await fetchAuthSession()).tokens).toBeUndefined();
  });

  test("is where somebody is sent who signs up with the email of a Google account", async () => {
    const email = "radia@student.example";
    await google(email, "88");
    await expect(signUp({ username: email, password, options: { userAttributes: { email } } })).rejects.toMatchObject({
      name: "UserLambdaValidationException",
      message:
        "PreSignUp failed with error There is an account with this email that signs in with Google. Choose Google to sign in.",
    });
    expect(await mailedCode(email)).toBe("");
  });
});

test("an email that could be mistaken for somebody else's gets no account", async () => {
  for (const email of ["ex\u0435c@club.example", "exec@\u0441lub.example", "o\u2019hara@student.example"]) {
    await expect(signUp({ username: email, password, options: { userAttributes: { email } } })).rejects.toMatchObject({
      name: "UserLambdaValidationException",
      message: expect.stringMatching(/^PreSignUp failed with error This email cannot be used here\./),
    });
  }
});
