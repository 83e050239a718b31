/** The command that prints the token of a person on a running stage. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { decodeJwt } from "jose";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type GivenPool, givenPool } from "./identity-pool.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const account = { email: "exec@club.example", password: "Other-Words-1", role: "admin" };

const open: (() => unknown)[] = [];
let pool: GivenPool;
let folder: string;
beforeEach(async () => {
  pool = await givenPool();
  folder = await givenFolder(open);
  await pool.service.ensureUser(account);
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function givenOutputs() {
  await mkdir(join(folder, ".local"));
  const { url: identityUrl, clientId: userPoolClientId } = pool.service;
  const outputs = { identityUrl, userPoolClientId, accounts: [account] };
  await writeFile(join(folder, ".local/outputs.json"), JSON.stringify(outputs));
}

const token = (...words: string[]) =>
  new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    const command = [join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "bin/token.ts"), ...words];
    execFile(process.execPath, command, { cwd: folder, env: { PATH: process.env.PATH } }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test("prints the ID token alone; only a seeded account needs no password", async () => {
  await givenOutputs();
  await pool.service.ensureUser({ email: "bea@student.example", password: "Third-Words-3" });

  const { status, stdout, stderr } = await token("Exec@club.example");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(decodeJwt(stdout.trimEnd())).toMatchObject({ email: account.email, token_use: "id" });
  expect(await token("bea@student.example", "Third-Words-3")).toMatchObject({ status: 0 });
  const refusal = /could not sign in as bea@student.example: Incorrect username or password.*exec@club/s;
  expect(await token("bea@student.example")).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(refusal),
  });
});
