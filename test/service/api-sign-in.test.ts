/** The way of the web application, whole: Amplify signs somebody up and in, and the API knows who calls. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Amplify } from "aws-amplify";
import { confirmSignUp, fetchAuthSession, signIn, signUp } from "aws-amplify/auth";
import { cognitoUserPoolsTokenProvider } from "aws-amplify/auth/cognito";
import { ConsoleLogger } from "aws-amplify/utils";
import { givenStage, type ServiceStage } from "./stage.ts";

// Amplify warns of every endpoint that is not Amazon's.
ConsoleLogger.LOG_LEVEL = "ERROR";

const password = "First-Words-1";
let stage: ServiceStage;

beforeAll(async () => {
  stage = await givenStage();
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
