/** Mailed codes, and sign-up, for what the comparison (`compared/pool.test.ts`) has no clock and no mailbox. */
import { beforeEach, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";

let pool: GivenPool;
beforeEach(async () => {
  pool = await givenPool();
});

test.each([
  [{ Name: "email_verified", Value: "true" }, "NotAuthorizedException"],
  [{ Name: "__proto__", Value: "1" }, "InvalidParameterException"],
  [{ Name: "custom:admin", Value: "1" }, "InvalidParameterException"],
])("nobody signs up with %j", async (attribute, error) => {
  expect(await pool.signUp(email, { UserAttributes: [attribute] })).toMatchObject(refused(error));
  expect(pool.mails).toEqual([]);
});

test("a pool that confirms by a link mails one, whose page confirms the account", async () => {
  const byLink = await givenPool({ settings: { confirmByLink: true } });
  await byLink.signUp();
  expect((await fetch(String(byLink.mails[0]?.link))).status).toBe(200);
  expect(await byLink.signIn(email, password)).toMatchObject({ status: 200 });
});

test.each(["ForgotPassword", "ResendConfirmationCode"])(
  "%s does not tell that an email is unknown",
  async (operation) => {
    const unknown = { ClientId: pool.service.clientId, Username: "nobody@student.example" };
    const CodeDeliveryDetails = { AttributeName: "email", DeliveryMedium: "EMAIL", Destination: "n***@s***" };
    expect(await pool.call(operation, unknown)).toEqual({ status: 200, body: { CodeDeliveryDetails } });
    expect(pool.mails).toEqual([]);
  },
);
