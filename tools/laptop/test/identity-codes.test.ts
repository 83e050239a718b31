/** Mailed codes, and sign-up, for what the comparison (`compared/pool.test.ts`) has no clock and no mailbox. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, otherThan, password, refused } from "./identity-pool.ts";

const HOUR = 3600;
const nobody = "nobody@student.example";

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
});

const forget = (Username = email) => pool.call("ForgotPassword", { ClientId, Username });
const resend = (Username = email) => pool.call("ResendConfirmationCode", { ClientId, Username });

test.each([
  [{ Name: "email_verified", Value: "true" }, "NotAuthorizedException"],
  [{ Name: "__proto__", Value: "1" }, "InvalidParameterException"],
  [{ Name: "custom:admin", Value: "1" }, "InvalidParameterException"],
])("nobody signs up with %j", async (attribute, error) => {
  expect(await pool.signUp(email, { UserAttributes: [attribute] })).toMatchObject(refused(error));
  expect(pool.mails).toEqual([]);
});

test("guessing ends after five codes, even with the right one, for an hour", async () => {
  await pool.signUp();
  const code = pool.codeFor(email);
  for (let attempt = 0; attempt < 5; attempt++) await pool.confirm(otherThan(code));
  expect(await pool.confirm(code)).toMatchObject(
    refused("LimitExceededException", "Attempt limit exceeded, please try after some time."),
  );
  pool.wait(HOUR);
  expect(await pool.confirm(code)).toMatchObject({ status: 200 });
});

test("a pool that confirms by a link mails one, whose page confirms the account", async () => {
  const byLink = await givenPool({ settings: { confirmByLink: true } });
  await byLink.signUp();
  expect(await byLink.signIn(email, password)).toMatchObject(refused("UserNotConfirmedException"));
  expect((await fetch(String(byLink.mails[0]?.link))).status).toBe(200);
  expect(await byLink.signIn(email, password)).toMatchObject({ status: 200 });
});

describe("an unknown email cannot be told from a known one", () => {
  test("by asking for codes, and no mail goes out", async () => {
    const CodeDeliveryDetails = { AttributeName: "email", DeliveryMedium: "EMAIL", Destination: "n***@s***" };
    for (const answer of [await forget(nobody), await resend(nobody)]) {
      expect(answer).toEqual({ status: 200, body: { CodeDeliveryDetails } });
    }
    expect(pool.mails).toEqual([]);
  });
});
