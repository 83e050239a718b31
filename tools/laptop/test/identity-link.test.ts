/** Sign-up where the mail has a link and no code: the link opens a page that confirms the account. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, otherThan, password, refused } from "./identity-pool.ts";

let pool: GivenPool;
beforeEach(async () => {
  pool = await givenPool({ settings: { confirmByLink: true } });
});

const linkFor = (address: string): URL => {
  const { link } = pool.mails.findLast(({ to }) => to === address) ?? {};
  if (link === undefined) throw new Error(`no link was mailed to ${address}`);
  return new URL(link);
};

/** The link of the mail with one of its parameters changed; undefined takes it away. */
function changed(name: string, value?: string): URL {
  const link = linkFor(email);
  if (value === undefined) link.searchParams.delete(name);
  else link.searchParams.set(name, value);
  return link;
}

async function opened(link: URL | string) {
  const response = await fetch(link, { headers: { accept: "text/html" } });
  const page = await response.text();
  return { status: response.status, headers: response.headers, page, sentence: /<p>(.*)<\/p>/.exec(page)?.[1] };
}

test("the link has what Cognito's link has, and confirms the account", async () => {
  const { body } = await pool.signUp();
  const link = linkFor(email);
  expect(link.origin).toBe(pool.service.url);
  expect(link.pathname).toBe("/confirmUser/");
  expect(Object.fromEntries(link.searchParams)).toEqual({
    client_id: pool.service.clientId,
    user_name: body.UserSub,
    confirmation_code: pool.codeFor(email),
  });
  expect(await pool.signIn(email, password)).toMatchObject(refused("UserNotConfirmedException"));

  expect(await opened(link)).toMatchObject({
    status: 200,
    sentence: expect.stringMatching(/^Your registration has been confirmed\./),
  });
  expect(await pool.signIn(email, password)).toMatchObject({ status: 200 });
});

test("the page cannot be kept, framed or read by another origin", async () => {
  await pool.signUp();
  const { headers } = await opened(linkFor(email));
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("access-control-allow-origin")).toBeNull();
});

test("a used link says so, and changes nothing", async () => {
  await pool.signUp();
  const link = linkFor(email);
  await opened(link);
  expect(await opened(link)).toMatchObject({
    status: 400,
    sentence: expect.stringMatching(/^Your account is confirmed already.* Current status is CONFIRMED$/),
  });
  expect(await pool.signIn(email, password)).toMatchObject({ status: 200 });
});

describe("does not confirm, and says why:", () => {
  const wrong = "Invalid verification code provided, please try again.";
  const old = "Invalid code provided, please request a code again.";
  const incomplete = "The link is not complete. Open it from the mail, or copy all of it.";

  test.each<[string, () => URL, string]>([
    ["a wrong code", () => changed("confirmation_code", otherThan(pool.codeFor(email))), wrong],
    ["another person", () => changed("user_name", "trudy@mail.example"), old],
    ["another client", () => changed("client_id", "other"), "User pool client other does not exist."],
    ["no code", () => changed("confirmation_code"), incomplete],
    ["an empty code", () => changed("confirmation_code", ""), incomplete],
    ["no person", () => changed("user_name"), incomplete],
    ["no client", () => changed("client_id"), incomplete],
    ["no parameter at all", () => new URL("/confirmUser", pool.service.url), incomplete],
  ])("%s", async (_, link, sentence) => {
    await pool.signUp();
    expect(await opened(link())).toMatchObject({ status: 400, sentence });
    expect(await pool.signIn(email, password)).toMatchObject(refused("UserNotConfirmedException"));
  });

  test("a link of yesterday", async () => {
    await pool.signUp();
    pool.wait(24 * 3600);
    expect(await opened(linkFor(email))).toMatchObject({ status: 400, sentence: old });
  });

  test("the link of before, once a new one is asked for", async () => {
    await pool.signUp();
    const first = linkFor(email);
    const asked = { ClientId: pool.service.clientId, Username: email };
    // One new code in a million is the old one.
    do await pool.call("ResendConfirmationCode", asked);
    while (linkFor(email).href === first.href);
    expect(await opened(first)).toMatchObject({ status: 400, sentence: wrong });
    expect(await opened(linkFor(email))).toMatchObject({ status: 200 });
  });

  test("guessing, after five codes", async () => {
    await pool.signUp();
    const guess = changed("confirmation_code", otherThan(pool.codeFor(email)));
    for (let attempt = 0; attempt < 5; attempt++) await opened(guess);
    expect(await opened(linkFor(email))).toMatchObject({
      status: 400,
      sentence: "Attempt limit exceeded, please try after some time.",
    });
  });

  test("markup in a parameter, which the page does not show as markup", async () => {
    await pool.signUp();
    const { status, page } = await opened(changed("client_id", "<script>alert(1)</script>"));
    expect(status).toBe(400);
    expect(page).not.toContain("<script");
  });
});

test("only opening the page confirms: a check of the address alone does not", async () => {
  await pool.signUp();
  const { status } = await fetch(linkFor(email), { method: "HEAD" });
  expect(status).toBe(405);
  expect(await pool.signIn(email, password)).toMatchObject(refused("UserNotConfirmedException"));
});

test("the code in the link also confirms by itself", async () => {
  await pool.signUp();
  expect(await pool.confirm(pool.codeFor(email))).toMatchObject({ status: 200 });
});

test("a forgotten password and a changed email have a code and no link", async () => {
  await pool.service.ensureUser({ email, password });
  await pool.call("ForgotPassword", { ClientId: pool.service.clientId, Username: email });
  const { AccessToken } = (await pool.signIn(email, password)).body.AuthenticationResult;
  const UserAttributes = [{ Name: "email", Value: "ada.l@student.example" }];
  await pool.call("UpdateUserAttributes", { AccessToken, UserAttributes });
  expect(pool.mails.map(({ kind, link }) => [kind, link])).toEqual([
    ["forgotPassword", undefined],
    ["attribute", undefined],
  ]);
});

test("control: a pool that confirms by a code mails no link", async () => {
  pool = await givenPool();
  await pool.signUp();
  expect(pool.mails).toEqual([{ to: email, kind: "signUp", code: expect.stringMatching(/^\d{6}$/) }]);
});
