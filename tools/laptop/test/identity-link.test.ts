/** Sign-up where the mail has a link and no code: the link opens a page that confirms the account. */
import { beforeEach, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, otherThan, password, refused } from "./identity-pool.ts";

let pool: GivenPool;
beforeEach(async () => {
  pool = await givenPool({ settings: { confirmByLink: true } });
  await pool.signUp();
});

const link = (): URL => new URL(pool.mails.findLast(({ to }) => to === email)?.link ?? "");

/** The link of the mail with one of its parameters changed; undefined takes it away. */
function changed(name: string, value?: string): URL {
  const other = link();
  if (value === undefined) other.searchParams.delete(name);
  else other.searchParams.set(name, value);
  return other;
}

async function opened(address: URL) {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  const page = await response.text();
  return { status: response.status, headers: response.headers, page, sentence: /<p>(.*)<\/p>/.exec(page)?.[1] };
}
const unconfirmed = refused("UserNotConfirmedException");

test("the link has what Cognito's link has, confirms the account, and says so when it is used again", async () => {
  const address = link();
  expect(address.href).toMatch(`${pool.service.url}/confirmUser/?`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: pool.service.clientId,
    user_name: expect.stringMatching(/^[0-9a-f-]{36}$/),
    confirmation_code: pool.codeFor(email),
  });
  // Opening the page confirms: a check of the address alone does not.
  expect((await fetch(address, { method: "HEAD" })).status).toBe(405);
  expect(await pool.signIn(email, password)).toMatchObject(unconfirmed);

  const { status, sentence, headers } = await opened(address);
  expect({ status, sentence }).toMatchObject({ status: 200, sentence: expect.stringMatching(/has been confirmed\./) });
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(await pool.signIn(email, password)).toMatchObject({ status: 200 });

  expect(await opened(address)).toMatchObject({
    status: 400,
    sentence: expect.stringMatching(/^Your account is confirmed already.* Current status is CONFIRMED$/),
  });
});

const wrong = "Invalid verification code provided, please try again.";
const incomplete = "The link is not complete. Open it from the mail, or copy all of it.";

test.each<[string, () => URL, string]>([
  ["a wrong code", () => changed("confirmation_code", otherThan(pool.codeFor(email))), wrong],
  [
    "another person",
    () => changed("user_name", "trudy@mail.example"),
    "Invalid code provided, please request a code again.",
  ],
  ["another client", () => changed("client_id", "other"), "User pool client other does not exist."],
  ["markup", () => changed("client_id", "<b>"), "User pool client &lt;b&gt; does not exist."],
  ["an empty code", () => changed("confirmation_code", ""), incomplete],
  ["no person", () => changed("user_name"), incomplete],
  ["no parameter at all", () => new URL("/confirmUser", pool.service.url), incomplete],
])("a link with %s does not confirm, and says why", async (_, address, sentence) => {
  expect(await opened(address())).toMatchObject({ status: 400, sentence });
  expect(await pool.signIn(email, password)).toMatchObject(unconfirmed);
});

test("all other mails have a code and no link; control: so has the mail of a pool without links", async () => {
  await pool.service.ensureUser({ email, password });
  await pool.call("ForgotPassword", { ClientId: pool.service.clientId, Username: email });
  const { AccessToken } = (await pool.signIn(email, password)).body.AuthenticationResult;
  const UserAttributes = [{ Name: "email", Value: "ada.l@student.example" }];
  await pool.call("UpdateUserAttributes", { AccessToken, UserAttributes });
  const plain = await givenPool();
  await plain.signUp();
  expect([...pool.mails, ...plain.mails].map((mail) => [mail.kind, "link" in mail])).toEqual([
    ["signUp", true],
    ["forgotPassword", false],
    ["attribute", false],
    ["signUp", false],
  ]);
});
