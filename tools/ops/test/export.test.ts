/** `npm run ops -- export`: what a wrong folder or passphrase is told. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CognitoIdentityProviderClient, ListUsersCommand } from "@aws-sdk/client-cognito-identity-provider";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { givenFolder } from "../../../test/unit/folder.ts";
import "../../../test/unit/environment.ts";
import { encrypted, keyIn, newKey } from "../../kit/copy/age.ts";
import { CopyProblem, indexFile, keyFile, readIndex, writeIndex } from "../../kit/copy/folder.ts";
import { passphraseFrom } from "../../kit/copy/passphrase.ts";
import { openCopy } from "../../kit/copy/whole-copy.ts";
import type { Run } from "../run.ts";

const { client } = await import("#kit/table/table.ts");
const { exportStage } = await import("../export.ts");

const open: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of open) await close();
});

const table = mockClient(client as never);
const pool = mockClient(CognitoIdentityProviderClient);
const secrets = mockClient(SecretsManagerClient);
const bucket = mockClient(S3Client);
const passphrase = "five random words of the club";
const keys = [1, 2, 3].map((n) => ({ PK: { S: `P${n}` }, SK: { S: "S" } }));
const first = { ...keys[0], bytes: { B: new Uint8Array([1, 2, 255]) }, some: { NS: ["1.10"] } };

/** A table of three pages. */
beforeEach(() => {
  for (const mock of [table, pool, secrets, bucket]) mock.reset();
  table.on(ScanCommand as never).callsFake((({ ExclusiveStartKey: after }: { ExclusiveStartKey?: object }) => {
    const n = after === undefined ? 0 : keys.findIndex(({ PK }) => JSON.stringify(after).includes(PK.S)) + 1;
    const Items = [n === 0 ? first : keys[n]];
    return { Items, ...(n < 2 && { LastEvaluatedKey: keys[n] }), ConsumedCapacity: { CapacityUnits: 256 } };
  }) as never);
  pool.on(ListUsersCommand).resolves({ Users: [{ Username: "a", Enabled: true }] });
  bucket.on(ListObjectsV2Command).resolves({ Contents: [{ Key: "a.png" }] });
  const Body = { transformToString: async () => "AQL/" };
  bucket.on(GetObjectCommand).resolves({ ContentType: "image/png", Body: Body as never });
  secrets.on(GetSecretValueCommand).resolves({ SecretString: "the ticket key" });
});

/** @param stopAt interrupts before this page */
async function exported(folder: string, stopAt = 9) {
  const notes: string[] = [];
  const before = table.commandCalls(ScanCommand as never).length;
  const scans = () => table.commandCalls(ScanCommand as never).length - before;
  const run = {
    target: {
      isLaptop: true,
      text: () => "TicketKey",
      userPoolId: "pool",
      imageBucket: "images",
      imagesUrl: "https://images.example",
      region: "ca-central-1",
      stage: { name: "production", adminEmailDomain: "club.example" },
    },
    terminal: {
      print: (line: string) => void notes.push(line),
      note: (line: string) => void notes.push(line),
      ask: async () => passphrase,
    },
    meter: { units: 0 },
    words: [folder],
    stop: {
      get aborted() {
        return scans() >= stopAt;
      },
    },
  };
  // A key that costs less than others.
  const code = await exportStage(run as unknown as Run, 4).catch((error: Error) => {
    if (error instanceof CopyProblem) return error.message;
    throw error;
  });
  return { code, scans: scans(), said: notes.join("\n") };
}

const givenPath = async () => join(await givenFolder(open), "copy");
const opened = (folder: string, typed = passphrase) => openCopy(folder, async () => typed);

async function itemsOf(folder: string): Promise<object[]> {
  const all: object[] = [];
  for await (const items of (await opened(folder)).items()) all.push(...items);
  return all;
}

let whole: string | undefined;
/** A copy to spoil. */
async function givenCopy(): Promise<string> {
  if (whole === undefined) {
    whole = await givenPath();
    expect(await exported(whole)).toMatchObject({ code: 0, scans: 3 });
  }
  const folder = join(await givenFolder(open), "copy");
  cpSync(whole, folder, { recursive: true });
  return folder;
}

test("a copy has each item with its types, the accounts, the images and the ticket key", async () => {
  const folder = await givenCopy();
  expect(await itemsOf(folder)).toEqual([{ ...first, bytes: { B: "AQL/" } }, keys[1], keys[2]]);
  const { accounts, ticketKey, index, images } = await opened(folder);
  const copied: object[] = [];
  for await (const image of images()) copied.push(image);
  expect(copied).toEqual([{ key: "a.png", contentType: "image/png", body: "AQL/" }]);
  expect({ accounts, ticketKey }).toEqual({
    accounts: [{ Username: "a", Enabled: true }],
    ticketKey: "the ticket key",
  });
  expect(index).toMatchObject({ format: 1, stage: "production", adminEmailDomain: "club.example" });
  expect(index.imagesUrl).toBe("https://images.example");
});

test("an interrupted export is no copy, and the next one needs another folder", async () => {
  const folder = await givenPath();
  expect(await exported(folder, 2)).toMatchObject({ code: 130, scans: 2 });
  await expect(opened(folder)).rejects.toThrow("is not whole");
  expect(await exported(folder)).toMatchObject({ code: expect.stringContaining("is not empty"), scans: 0 });
});

test("what cannot be written is said", async () => {
  const folder = await givenPath();
  // In place of a full disk: the file is there already.
  table.on(ScanCommand as never).callsFake((() => {
    writeFileSync(join(folder, "table-00001.jsonl.gz.age"), "");
    return { Items: [first] };
  }) as never);
  expect(await exported(folder)).toMatchObject({ code: 1, said: expect.stringMatching(/00001.*cannot be written: E/) });
});

/** Changes a byte in the middle. */
function alter(folder: string, name: string): void {
  const content = readFileSync(join(folder, name));
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
  writeFileSync(join(folder, name), content);
}

/** Writes the index anew. */
async function reindex(folder: string, change: object): Promise<void> {
  const key = await keyIn(readFileSync(join(folder, keyFile)), passphrase);
  if (!key) throw new Error("no key");
  const index = await readIndex(folder, key);
  await rm(join(folder, indexFile));
  await writeIndex(folder, { ...index, ...change } as never, key);
}

describe("a copy that is refused:", () => {
  const page = "table-00002.jsonl.gz.age";
  test.each<readonly [name: string, spoil: (folder: string) => unknown, says: string]>([
    ["truncated", (to) => truncate(join(to, page), 200), "00002.jsonl.gz.age is truncated or altered"],
    ["a page twice", (to) => cpSync(join(to, "table-00001.jsonl.gz.age"), join(to, page)), "truncated or altered"],
    ["a page is missing", (to) => rm(join(to, page)), "is missing (ENOENT)"],
    ["no copy", (to) => rm(join(to, keyFile)), "no copy of a stage"],
    ["another format", (to) => reindex(to, { format: 2 }), "has format 2, and this version reads 1"],
    ["an altered index", (to) => alter(to, indexFile), "is truncated, altered"],
    ["an index of a stranger", (to) => strangersIndex(to), "is truncated, altered or of another copy"],
  ])("%s", async (_, spoil, says) => {
    const folder = await givenCopy();
    await spoil(folder);
    await expect(opened(folder)).rejects.toThrow(says);
    await expect(opened(folder)).rejects.toThrow(CopyProblem);
  });

  test("another passphrase", async () => {
    await expect(opened(await givenCopy(), "other words of nobody")).rejects.toThrow("passphrase is not that of");
  });

  async function strangersIndex(folder: string): Promise<void> {
    const { key } = await newKey("a stranger's passphrase", 4);
    writeFileSync(join(folder, indexFile), await encrypted('{"format":1,"ended":"now","files":[]}', key));
  }
});

describe("a passphrase", () => {
  test.each<readonly [name: string, answers: readonly string[], isNew: boolean, expected: string]>([
    ["of a new one is typed twice", [passphrase, passphrase], true, passphrase],
    ["of a new one that differs", [passphrase, "something else that is long"], true, "The two passphrases differ."],
    ["of a new one that is short", ["short", "short"], true, "at least 16 characters"],
  ])("%s", async (_, answers, isNew, expected) => {
    const left = [...answers];
    const given = passphraseFrom(async () => left.shift() ?? "", isNew, {}).catch((error: Error) => error.message);
    expect(await given).toContain(expected);
  });

  test("is the first line of a file that the variable names", async () => {
    const file = join(await givenFolder(open), "passphrase");
    const environment = { COPY_PASSPHRASE_FILE: file };
    await expect(passphraseFrom(undefined, true, environment)).rejects.toThrow("cannot be read (ENOENT)");
    await writeFile(file, `${passphrase}\r\nmore`);
    expect(await passphraseFrom(undefined, true, environment)).toBe(passphrase);
    await expect(passphraseFrom(undefined, true, {})).rejects.toThrow("No person can be asked");
  });
});
