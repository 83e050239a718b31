/** The pool's triggers: before a sign-up, and before each mail with a code. */
import { expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";

const ada = { provider: "Google", subject: "1", email, emailVerified: true } as const;

const isEmpty = async (pool: GivenPool) => (await pool.administer("ListUsers", {})).body.Users.length === 0;
/** A trigger that agrees, and what it was asked. */
function agreeing<Event>() {
  const asked: Event[] = [];
  return { asked, trigger: async (event: unknown) => asked[asked.push(event as Event) - 1] };
}

test.each([
  ["refuses", "SignUpRefused", "UserLambdaValidationException"],
  ["crashes", "Runtime.ExitError", "UnexpectedLambdaException"],
  ["is late", "Sandbox.Timedout", "UnexpectedLambdaException"],
])("a trigger that %s leaves no account and sends no mail", async (_, errorType, type) => {
  const pool = await givenPool({ preSignUp: () => Promise.reject(Object.assign(new Error("No"), { errorType })) });
  const message = "PreSignUp failed with error No.";
  expect(await pool.signUp()).toMatchObject(refused(type, message));
  await expect(pool.service.federatedSignIn(ada)).rejects.toMatchObject({ type, message });
  expect(await isEmpty(pool)).toBe(true);
  expect(pool.mails).toEqual([]);
});

test("two sign-ups that the trigger allows at the same moment get one account", async () => {
  const waiting: (() => void)[] = [];
  const pool = await givenPool({
    preSignUp: async (event) => {
      await new Promise<void>((allow) => {
        waiting.push(allow);
        if (waiting.length === 2) for (const each of waiting) each();
      });
      return event;
    },
  });
  const statuses = (await Promise.all([pool.signUp(), pool.signUp()])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 400]);
});

test("the trigger of mails is asked before each, with the address of the account; without its word none is sent", async () => {
  const { asked, trigger } = agreeing<{ triggerSource: string; request: { userAttributes: { email: string } } }>();
  let isRefusing = false;
  const pool = await givenPool({
    customMessage: async (event) => {
      if (isRefusing) throw Object.assign(new Error("No"), { errorType: "SignUpRefused" });
      return trigger(event);
    },
  });
  const { clientId: ClientId } = pool.service;
  await pool.signUp();
  await pool.call("ResendConfirmationCode", { ClientId, Username: email });
  isRefusing = true;
  expect(await pool.call("ResendConfirmationCode", { ClientId, Username: email })).toMatchObject(
    refused("UserLambdaValidationException", "CustomMessage failed with error No."),
  );
  isRefusing = false;
  // The code before the refusal is still valid.
  expect(await pool.confirm(pool.codeFor(email))).toMatchObject({ status: 200 });
  await pool.call("ForgotPassword", { ClientId, Username: email });
  const { AccessToken } = (await pool.signIn(email, password)).body.AuthenticationResult;
  const UserAttributes = [{ Name: "email", Value: "new@student.example" }];
  await pool.call("UpdateUserAttributes", { AccessToken, UserAttributes });
  await pool.call("GetUserAttributeVerificationCode", { AccessToken, AttributeName: "email" });

  expect(asked.map(({ triggerSource }) => triggerSource.replace("CustomMessage_", ""))).toEqual([
    ...["SignUp", "ResendCode", "ForgotPassword", "UpdateUserAttribute", "VerifyUserAttribute"],
  ]);
  expect(new Set(asked.map(({ request }) => request.userAttributes.email))).toEqual(new Set([email]));
  expect(pool.mails).toHaveLength(5);
});
