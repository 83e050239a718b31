import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, otherThan, password, refused, signedIn } from "./identity-pool.ts";

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
});

describe("data on disk", () => {
  const directories: string[] = [];
  afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));
  const givenDirectory = async () => {
    directories.push(await mkdtemp(join(tmpdir(), "identity-")));
    return directories.at(-1) as string;
  };

  test("a start after a kill knows the accounts, sessions, open codes and the key", async () => {
    const directory = await givenDirectory();
    pool = await givenPool({ directory });
    const { AccessToken, RefreshToken } = await signedIn(pool);
    await pool.signUp("new@student.example");
    const code = pool.codeFor("new@student.example");

    // The first service is not closed: what it has answered for must already be on disk.
    const next = await givenPool({ directory });

    expect(next.service.jwks).toEqual(pool.service.jwks);
    expect(await next.signIn(email, password)).toMatchObject({ status: 200 });
    expect(await next.call("GetUser", { AccessToken })).toMatchObject({ status: 200 });
    expect(await next.call("GetTokensFromRefreshToken", { ClientId, RefreshToken })).toMatchObject({ status: 200 });
    expect(
      await next.call("ConfirmSignUp", { ClientId, Username: "new@student.example", ConfirmationCode: code }),
    ).toMatchObject({ status: 200 });
  });

  test("accounts from Google and links to Google survive a kill", async () => {
    const directory = await givenDirectory();
    pool = await givenPool({ directory });
    await signedIn(pool);
    const source = { ProviderName: "Google", ProviderAttributeName: "Cognito_Subject", ProviderAttributeValue: "1" };
    const DestinationUser = { ProviderName: "Cognito", ProviderAttributeValue: email };
    await pool.administer("AdminLinkProviderForUser", { DestinationUser, SourceUser: source });
    const people = [
      { provider: "Google", subject: "1", email, emailVerified: true },
      { provider: "Google", subject: "2", email, emailVerified: true },
    ] as const;
    const subs = async (at: GivenPool) => {
      const tokens = await Promise.all(people.map((person) => at.service.federatedSignIn(person)));
      return tokens.map(
        ({ IdToken }) => JSON.parse(Buffer.from(IdToken.split(".")[1] ?? "", "base64url").toString()).sub,
      );
    };
    const before = await subs(pool);
    expect(new Set(before).size).toBe(2);

    expect(await subs(await givenPool({ directory }))).toEqual(before);
  });

  test("half a file, left by a kill in the middle of writing, is passed over", async () => {
    const directory = await givenDirectory();
    pool = await givenPool({ directory });
    await pool.signUp();
    await writeFile(join(directory, "users.json.new"), '{"users":[{"su');

    pool = await givenPool({ directory });
    expect(await pool.signUp()).toMatchObject(refused("UsernameExistsException"));
  });

  test("no file contains a password or a refresh token", async () => {
    const directory = await givenDirectory();
    pool = await givenPool({ directory });
    const { RefreshToken } = await signedIn(pool);

    const names = await readdir(directory);
    const contents = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")));
    expect(names.sort()).toEqual(["sessions.json", "signing-key.json", "users.json"]);
    expect(contents.join()).toContain(email);
    expect(contents.join()).not.toContain(password);
    expect(contents.join()).not.toContain(RefreshToken);
  });

  test("wrong codes stay counted over a restart", async () => {
    const directory = await givenDirectory();
    pool = await givenPool({ directory });
    await pool.signUp();
    const code = pool.codeFor(email);
    for (let attempt = 0; attempt < 5; attempt++) await pool.confirm(otherThan(code));

    pool = await givenPool({ directory });
    expect(await pool.confirm(code)).toMatchObject(refused("LimitExceededException"));
  });

  test("fifty sign-ups at once are all there", async () => {
    const directory = await givenDirectory();
    pool = await givenPool({ directory });
    const emails = Array.from({ length: 50 }, (_, index) => `person${index}@student.example`);
    await Promise.all(emails.map((address) => pool.signUp(address)));

    pool = await givenPool({ directory });
    const again = await Promise.all(emails.map((address) => pool.signUp(address)));
    expect(new Set(again.map(({ error }) => error))).toEqual(new Set(["UsernameExistsException"]));
  });

  test("ensureUser twice leaves one account, and gives the password back", async () => {
    await pool.service.ensureUser({ email, password, attributes: { given_name: "Ada" } });
    const { AccessToken } = (await pool.signIn(email, password)).body.AuthenticationResult;
    await pool.call("ChangePassword", { AccessToken, PreviousPassword: password, ProposedPassword: "Second-Words-2" });
    await pool.service.ensureUser({ email, password });

    expect(await pool.signIn(email, password)).toMatchObject({ status: 200 });
    expect(await pool.call("GetUser", { AccessToken })).toMatchObject({ status: 200 });
  });
});
