/** What a pool has answered for is on disk: a start after a kill has it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { decodeJwt } from "jose";
import { givenFolder } from "../../../test/unit/folder.ts";
import { email, type GivenPool, givenPool, password, signedIn } from "./identity-pool.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

let directory: string;
let pool: GivenPool;
beforeEach(async () => {
  directory = await givenFolder(open);
  pool = await givenPool({ directory });
});
/** The next start; the pool before it is not closed. */
const restarted = () => givenPool({ directory });

test("accounts, sessions, open codes, links to Google and the key", async () => {
  const { AccessToken, RefreshToken } = await signedIn(pool, "bea@student.example");
  const DestinationUser = { ProviderName: "Cognito", ProviderAttributeValue: "bea@student.example" };
  const SourceUser = {
    ProviderName: "Google",
    ProviderAttributeName: "Cognito_Subject",
    ProviderAttributeValue: "1",
  };
  await pool.administer("AdminLinkProviderForUser", { DestinationUser, SourceUser });
  const fromGoogle = async (at: GivenPool) => {
    const person = { provider: "Google", email: "bea@student.example", emailVerified: true } as const;
    const tokens = ["1", "2"].map((subject) => at.service.federatedSignIn({ ...person, subject }));
    return (await Promise.all(tokens)).map(({ IdToken }) => decodeJwt(IdToken).sub);
  };
  const people = await fromGoogle(pool);
  await pool.signUp();

  const next = await restarted();

  expect(next.service.jwks).toEqual(pool.service.jwks);
  expect(await next.signIn("bea@student.example", password)).toMatchObject({ status: 200 });
  expect(await next.call("GetUser", { AccessToken })).toMatchObject({ status: 200 });
  const again = { ClientId: next.service.clientId, RefreshToken };
  expect(await next.call("GetTokensFromRefreshToken", again)).toMatchObject({ status: 200 });
  expect(await next.confirm(pool.codeFor(email))).toMatchObject({ status: 200 });
  expect(await fromGoogle(next)).toEqual(people);
});

test("no password and no refresh token, in any file", async () => {
  const { RefreshToken } = await signedIn(pool);
  const names = await readdir(directory);
  const contents = (await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")))).join();
  expect(names.sort()).toEqual(["sessions.json", "signing-key.json", "users.json"]);
  expect(contents).toContain(email);
  expect(contents).not.toContain(password);
  expect(contents).not.toContain(RefreshToken);
});
