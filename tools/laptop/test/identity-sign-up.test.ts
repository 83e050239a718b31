import { beforeEach, describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, otherThan, password, refused } from "./identity-pool.ts";

const HOUR = 3600;

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
});

describe("signing up", () => {
  test("a person cannot sign in before entering the mailed code", async () => {
    expect(await pool.signUp()).toMatchObject({ status: 200, body: { UserConfirmed: false } });
    expect(await pool.signIn(email, password)).toMatchObject(
      refused("UserNotConfirmedException", "User is not confirmed."),
    );
    expect(await pool.confirm(otherThan(pool.codeFor(email)))).toMatchObject(refused("CodeMismatchException"));

    expect(await pool.confirm(pool.codeFor(email))).toMatchObject({ status: 200, body: {} });
    expect(await pool.signIn(email, password)).toMatchObject({ status: 200 });
    expect(await pool.confirm(pool.codeFor(email))).toMatchObject(refused("NotAuthorizedException", /CONFIRMED/));
  });

  test("a new code replaces the old one", async () => {
    await pool.signUp();
    const first = pool.codeFor(email);
    await pool.call("ResendConfirmationCode", { ClientId, Username: email });
    const second = pool.codeFor(email);

    if (first !== second) expect(await pool.confirm(first)).toMatchObject(refused("CodeMismatchException"));
    expect(await pool.confirm(second)).toMatchObject({ status: 200 });
  });

  test("a code lasts a day", async () => {
    await pool.signUp();
    pool.wait(24 * HOUR);
    expect(await pool.confirm(pool.codeFor(email))).toMatchObject(refused("ExpiredCodeException"));
  });

  test("guessing ends after five codes, even with the right one, for an hour", async () => {
    await pool.signUp();
    const code = pool.codeFor(email);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await pool.confirm(otherThan(code))).toMatchObject(refused("CodeMismatchException"));
    }
    expect(await pool.confirm(code)).toMatchObject(
      refused("LimitExceededException", "Attempt limit exceeded, please try after some time."),
    );
    pool.wait(HOUR);
    expect(await pool.confirm(code)).toMatchObject({ status: 200 });
  });

  test("one account for an email, however it is spelled", async () => {
    await pool.signUp();
    expect(await pool.signUp("ADA@student.example")).toMatchObject(
      refused("UsernameExistsException", "User already exists"),
    );
  });

  test.each([
    ["Sh-1a", "Password not long enough"],
    ["all-lower-1", "Password must have uppercase characters"],
    ["ALL-UPPER-1", "Password must have lowercase characters"],
    ["No-Digits-x", "Password must have numeric characters"],
    ["NoSymbols1", "Password must have symbol characters"],
  ])("the password %s is refused", async (Password, reason) => {
    expect(await pool.signUp(email, { Password })).toMatchObject(
      refused("InvalidPasswordException", `Password did not conform with policy: ${reason}`),
    );
  });

  test.each([
    ["a username that is no email", { Username: "ada" }, "InvalidParameterException"],
    ["an email attribute of another person", attribute("email", "exec@club.example"), "InvalidParameterException"],
    ["a verified flag", attribute("email_verified", "true"), "NotAuthorizedException"],
    ["a sub", attribute("sub", "1"), "InvalidParameterException"],
    ["an attribute that no pool has", attribute("__proto__", "1"), "InvalidParameterException"],
    ["a custom attribute that the pool does not declare", attribute("custom:admin", "1"), "InvalidParameterException"],
    ["another client", { ClientId: "otherclient" }, "ResourceNotFoundException"],
  ])("%s is refused", async (_, more, error) => {
    expect(await pool.signUp(email, more)).toMatchObject(refused(error));
    expect(pool.mails).toEqual([]);
  });
});

function attribute(Name: string, Value: string) {
  return { UserAttributes: [{ Name, Value }] };
}
