/** The pool asks its custom message trigger before each mail with a code. An error of the trigger holds the mail back. */
import { expect, test } from "@jest/globals";
import { email, givenPool, password, refused } from "./identity-pool.ts";

const message = "CustomMessage failed with error No.";
const ClientId = "testclient000000000000000";

test("each kind of mail is asked for, with the address of the account", async () => {
  const asked: { triggerSource: string; request: { userAttributes: Record<string, string> } }[] = [];
  const pool = await givenPool({ customMessage: async (event) => asked[asked.push(event as never) - 1] });
  await pool.signUp();
  await pool.call("ResendConfirmationCode", { ClientId, Username: email });
  await pool.confirm(pool.codeFor(email));
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

test("a refused mail is not sent, and the code before it stays valid", async () => {
  let isRefusing = false;
  const pool = await givenPool({
    customMessage: async (event) => {
      if (isRefusing) throw Object.assign(new Error("No"), { errorType: "SignUpRefused" });
      return event;
    },
  });
  await pool.signUp();
  isRefusing = true;
  const again = await pool.call("ResendConfirmationCode", { ClientId, Username: email });
  expect(again).toMatchObject(refused("UserLambdaValidationException", message));
  expect(pool.mails).toHaveLength(1);
  expect(await pool.confirm(pool.codeFor(email))).toMatchObject({ status: 200 });
  expect(await pool.call("ForgotPassword", { ClientId, Username: email })).toMatchObject({ status: 400 });
  expect(pool.mails).toHaveLength(1);
});
