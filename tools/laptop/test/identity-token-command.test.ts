import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTokenVerifier } from "../identity/index.ts";
import { type GivenPool, givenPool } from "./identity-pool.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const account = { email: "exec@club.example", password: "Other-Words-1", role: "admin" };

let pool: GivenPool;
let folder: string;

beforeEach(async () => {
  pool = await givenPool();
  folder = await mkdtemp(join(tmpdir(), "token-command-"));
  await pool.service.ensureUser(account);
});

afterEach(() => rm(folder, { recursive: true }));

async function givenOutputs(outputs: object = {}) {
  await mkdir(join(folder, ".local"));
  const { url: identityUrl, clientId: userPoolClientId } = pool.service;
  const all = { identityUrl, userPoolClientId, accounts: [account], ...outputs };
  await writeFile(join(folder, ".local/outputs.json"), JSON.stringify(all));
}

const token = (...words: string[]) =>
  new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    const command = [join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "bin/token.ts"), ...words];
    execFile(process.execPath, command, { cwd: folder, env: { PATH: process.env.PATH } }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test("prints the ID token of a seeded account and nothing else", async () => {
  await givenOutputs();
  const { issuer, clientId, jwks } = pool.service;
  const verify = createTokenVerifier({ issuer, audience: [clientId], jwks });

  const { status, stdout, stderr } = await token("Exec@club.example");

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(await verify(stdout.trimEnd())).toMatchObject({ email: account.email, token_use: "id" });
});

test("takes the password of any other account, with that of the seeded ones as default", async () => {
  await givenOutputs();
  await pool.service.ensureUser({ email: "ada@student.example", password: "Club-local-1!" });
  await pool.service.ensureUser({ email: "bea@student.example", password: "Third-Words-3" });

  expect(await token("ada@student.example")).toMatchObject({ status: 0 });
  expect(await token("bea@student.example", "Third-Words-3")).toMatchObject({ status: 0 });
  expect(await token("bea@student.example")).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /could not sign in as bea@student.example: Incorrect username or password.*exec@club/s,
    ),
  });
});

test("explains how to start a local stage when none runs", async () => {
  const hint = { status: 1, stdout: "", stderr: expect.stringContaining("npm start") };
  expect(await token("exec@club.example")).toMatchObject(hint);
  await givenOutputs();
  await pool.service.close();
  expect(await token("exec@club.example")).toMatchObject(hint);
  expect(await token()).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("usage") });
});
