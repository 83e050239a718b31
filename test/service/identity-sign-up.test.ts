import { beforeEach, describe, expect, test } from "@jest/globals";
import { type GivenPool, givenPool, otherThan, refused } from "./identity-pool.ts";

const email = "ada@student.example";
const password = "First-Words-1";
const HOUR = 3600;

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
});

const signUp = (username = email, more: object = {}) =>
  pool.call("SignUp", { ClientId, Username: username, Password: password, ...more });
const confirm = (ConfirmationCode: string) =>
  pool.call("ConfirmSignUp", { ClientId, Username: email, ConfirmationCode });

describe("signing up", () => {
  test("a person cannot sign in before entering the mailed code", async () => {
    expect(await signUp()).toMatchObject({ status: 200, body: { UserConfirmed: false } });
    expect(await pool.signIn(email, password)).toMatchObject(
      refused("UserNotConfirmedException", "User is not confirmed."),
    );
    expect(await confirm(otherThan(pool.codeFor(email)))).toMatchObject(refused("CodeMismatchException"));

    expect(await confirm(pool.codeFor(email))).toMatchObject({ status: 200, body: {} });
    expect(await pool.signIn(email, password)).toMatchObject({ status: 200 });
    expect(await confirm(pool.codeFor(email))).toMatchObject(refused("NotAuthorizedException", /CONFIRMED/));
  });

  test("a new code replaces the old one", async () => {
    await signUp();
    const first = pool.codeFor(email);
    await pool.call("ResendConfirmationCode", { ClientId, Username: email });
    const second = pool.codeFor(email);

    if (first !== second) expect(await confirm(first)).toMatchObject(refused("CodeMismatchException"));
    expect(await confirm(second)).toMatchObject({ status: 200 });
  });

  test("a code lasts a day", async () => {
    await signUp();
    pool.wait(24 * HOUR);
    expect(await confirm(pool.codeFor(email))).toMatchObject(refused("ExpiredCodeException"));
  });

  test("guessing ends after five codes, even with the right one, for an hour", async () => {
    await signUp();
    const code = pool.codeFor(email);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await confirm(otherThan(code))).toMatchObject(refused("CodeMismatchException"));
    }
    expect(await confirm(code)).toMatchObject(
      refused("LimitExceededException", "Attempt limit exceeded, please try after some time."),
    );
    pool.wait(HOUR);
    expect(await confirm(code)).toMatchObject({ status: 200 });
  });

  test("one account for an email, however it is spelled", async () => {
    await signUp();
    expect(await signUp("ADA@student.example")).toMatchObject(
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
    expect(await signUp(email, { Password })).toMatchObject(
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
    expect(await signUp(email, more)).toMatchObject(refused(error));
    expect(pool.mails).toEqual([]);
  });
});

function attribute(Name: string, Value: string) {
  return { UserAttributes: [{ Name, Value }] };
}
