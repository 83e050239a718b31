import { beforeEach, describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";

const HOUR = 3600;

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
});

describe("an unknown email cannot be told from a known one", () => {
  const nobody = "nobody@student.example";

  test("when signing in with a password", async () => {
    await pool.service.ensureUser({ email, password });
    const wrong = await pool.signIn(email, "Wrong-Words-1");
    expect(wrong).toMatchObject(refused("NotAuthorizedException", "Incorrect username or password."));
    expect(await pool.signIn(nobody, password)).toEqual(wrong);
  });

  test("when asking for an SRP challenge: its salt and id stay the same", async () => {
    const challenge = async (USERNAME: string) =>
      (
        await pool.call("InitiateAuth", {
          ClientId,
          AuthFlow: "USER_SRP_AUTH",
          AuthParameters: { USERNAME, SRP_A: "abc" },
        })
      ).body.ChallengeParameters;

    const first = await challenge(nobody);
    const second = await challenge("NOBODY@student.example");
    expect(first.SALT).toMatch(/^[0-9a-f]{20,32}$/);
    expect(second).toMatchObject({ SALT: first.SALT, USER_ID_FOR_SRP: first.USER_ID_FOR_SRP });
    expect(second.SRP_B).not.toBe(first.SRP_B);
    expect((await challenge("other@student.example")).SALT).not.toBe(first.SALT);
  });

  test("when asking for codes, and no mail goes out", async () => {
    const delivery = {
      CodeDeliveryDetails: { AttributeName: "email", DeliveryMedium: "EMAIL", Destination: "n***@s***" },
    };
    for (const operation of ["ForgotPassword", "ResendConfirmationCode"]) {
      expect(await pool.call(operation, { ClientId, Username: nobody })).toEqual({ status: 200, body: delivery });
    }
    expect(pool.mails).toEqual([]);
  });

  test("unless the client does not hide it", async () => {
    pool = await givenPool({ settings: { hideUserExistence: false } });
    expect(await pool.signIn(nobody, password)).toMatchObject(refused("UserNotFoundException", "User does not exist."));
    expect(await pool.call("ForgotPassword", { ClientId, Username: nobody })).toMatchObject(
      refused("UserNotFoundException"),
    );
  });
});

describe("a forgotten password", () => {
  const reset = (ConfirmationCode: string, Password = "Second-Words-2") =>
    pool.call("ConfirmForgotPassword", { ClientId, Username: email, ConfirmationCode, Password });

  test("is replaced once per code; a refused password does not use the code up", async () => {
    await pool.service.ensureUser({ email, password });
    await pool.call("ForgotPassword", { ClientId, Username: email });
    const code = pool.codeFor(email);

    expect(await reset(code, "weak")).toMatchObject(refused("InvalidPasswordException"));
    expect(await reset(code)).toMatchObject({ status: 200 });
    expect(await reset(code, "Third-Words-3")).toMatchObject(refused("ExpiredCodeException"));
    expect(await pool.signIn(email, "Second-Words-2")).toMatchObject({ status: 200 });
  });

  test("cannot be replaced after an hour, nor with the code of a sign-up", async () => {
    await pool.service.ensureUser({ email, password });
    expect(await reset("123456")).toMatchObject(refused("ExpiredCodeException"));
    await pool.call("ForgotPassword", { ClientId, Username: email });
    pool.wait(HOUR);
    expect(await reset(pool.codeFor(email))).toMatchObject(refused("ExpiredCodeException"));
  });

  test("cannot be replaced at an unverified email: no code goes there", async () => {
    const secretive = pool;
    const open = await givenPool({ settings: { hideUserExistence: false } });
    for (const { service, call } of [secretive, open]) {
      await service.ensureUser({ email, password, emailVerified: false });
      const asked = await call("ForgotPassword", { ClientId, Username: email });
      if (service === open.service) expect(asked).toMatchObject(refused("InvalidParameterException", /verified email/));
      else expect(asked).toMatchObject({ status: 200, body: { CodeDeliveryDetails: { Destination: "a***@s***" } } });
    }
    expect([...secretive.mails, ...open.mails]).toEqual([]);
  });

  test("of an account that does not exist: every code is wrong", async () => {
    expect(await reset("123456")).toMatchObject(refused("CodeMismatchException"));
  });
});
