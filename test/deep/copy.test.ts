/**
 * The rehearsal of `npm run ops -- export` and `npm start -- --from`: a stage goes into a copy, and runs on from it
 * elsewhere (`docs/runbook.md`, "A copy").
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { openCopy } from "../../tools/kit/copy/whole-copy.ts";
import { exec, year } from "../service/given.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";

const passphrase = "five random words of the club";
const guest = "guest@student.example";
const waiting = "waiting@student.example";
const google = "google@student.example";
const shutOut = "out@student.example";

let folder: string;
let copied: string;
let after: ServiceStage;
let event: string;
let ticketCode: string;
let before: object[];
/** The functions that ran on the stage that came back. */
const invoked: string[] = [];

const run = promisify(execFile);
async function ops(outputs: object, ...words: string[]) {
  const [file, secret] = [join(folder, "outputs.json"), join(folder, "passphrase")];
  await writeFile(file, JSON.stringify(outputs));
  await writeFile(secret, `${passphrase}\n`);
  const env = { ...process.env, NODE_OPTIONS: "", COPY_PASSPHRASE_FILE: secret };
  const args = ["bin/start.mjs", "ops", ...words, "--stage-outputs", file];
  const { stdout, stderr } = await run(process.execPath, args, { env });
  return stdout + stderr;
}

const keyOf = (item: object) => ({ PK: (item as { PK: string }).PK, SK: (item as { SK: string }).SK });
const byKey = (items: readonly object[]) => new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]));

/** A stage with a person in the line, a seat that is paid and one that is not, a refund, and accounts. */
async function givenLife(stage: ServiceStage): Promise<void> {
  event = await stage.givenEvent({ capac: 1 });
  ticketCode = (await stage.register(event, guest)).body.registration.ticketCode;
  expect((await stage.register(event, waiting)).body.registrationStatus).toBe("waitlist");
  const dinner = await stage.givenEvent({ capac: 5, pricing: { members: 5, nonMembers: 10 } });
  await stage.register(dinner, guest);
  stage.payments.pay((await stage.eventCheckout(dinner, guest)).id);
  await stage.settled();
  await stage.api("DELETE", `/events/${dinner}/${year}`, { as: exec });
  await stage.register(await stage.givenEvent({ capac: 5, pricing: { members: 5, nonMembers: 10 } }), waiting);
  await stage.identity.ensureUser({ email: guest, password: "Before-Words-1" });
  await stage.identity.federatedSignIn({ provider: "Google", subject: "7", email: google, emailVerified: true });
  await stage.settled();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "copy-"));
  copied = join(folder, "copy");
  const stage = await givenStage({ refunds: "automatic" });
  try {
    await givenLife(stage);
    before = await stage.storedItems();
    expect(await ops(stage.outputs, "export", copied)).toContain("and the ticket key.");
  } finally {
    await stage.close();
  }
  const copy = await openCopy(copied, async () => passphrase);
  const accounts = [...copy.accounts, { Enabled: false, Attributes: [{ Name: "email", Value: shutOut }] }];
  const onInvoked = (name: string) => void invoked.push(name);
  after = await givenStage({ refunds: "automatic", copy: { ...copy, accounts }, schedules: false, onInvoked });
});
afterAll(async () => {
  await after.close();
  await rm(folder, { recursive: true });
});

test("the copy is for its owner only, and nothing in it can be read", async () => {
  expect((await stat(copied)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(copied)) {
    expect([name, (await stat(join(copied, name))).mode & 0o777]).toEqual([name, 0o600]);
    expect(await readFile(join(copied, name), "latin1")).toMatch(/^age-encryption\.org\/v1\n/);
  }
});

test("every item comes back as it was, and checks find nothing", async () => {
  expect(before.length).toBeGreaterThan(20);
  expect(byKey(await after.storedItems())).toEqual(byKey(before));
  expect(await ops(after.outputs, "check")).toContain("Nothing is wrong.");
});

test("nothing that happened before happens again: no mail, no chat message, no money", async () => {
  await after.settled();
  expect(invoked).toEqual([]);
  expect({ mails: after.mailbox.list(), chat: after.chat.list(), sessions: after.payments.sessions() }).toEqual({
    mails: [],
    chat: [],
    sessions: [],
  });

  // Control: a row that the stream tells of is relayed.
  const row = before.find((item) => keyOf(item).PK.startsWith("OUT#"));
  const Item = { ...row, SK: "later" };
  await after.table.send(new PutCommand({ TableName: after.outputs.tableName, Item }));
  await after.settled();
  expect(invoked).toContain("Relay");
  await after.table.send(new DeleteCommand({ TableName: after.outputs.tableName, Key: keyOf(Item) }));
});

describe("accounts", () => {
  const signIn = async (email: string, password: string) =>
    (
      await cognito("InitiateAuth", {
        AuthFlow: "USER_PASSWORD_AUTH",
        AuthParameters: { USERNAME: email, PASSWORD: password },
      })
    ).status;
  const cognito = (operation: string, fields: object) =>
    fetch(after.outputs.identityUrl, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify({ ClientId: after.outputs.userPoolClientId, ...fields }),
    });
  async function forget(email: string): Promise<number> {
    await cognito("ForgotPassword", { Username: email });
    const [code] = /\d{6}/.exec(after.mailbox.list().at(-1)?.body.text ?? "") ?? [];
    const fields = { Username: email, ConfirmationCode: code ?? "none", Password: "After-Words-1" };
    return (await cognito("ConfirmForgotPassword", fields)).status;
  }

  test.each([
    ["of a password", guest],
    ["of Google", google],
  ])("an account %s gets a password by the mail for a forgotten one", async (_, email) => {
    expect(await signIn(email, "Before-Words-1")).toBe(400);
    expect(await forget(email)).toBe(200);
    expect(await signIn(email, "After-Words-1")).toBe(200);
  });

  test("a person who was shut out stays so", async () => {
    expect(await forget(shutOut)).toBe(400);
  });
});

test("a ticket of before opens the door, and with another key it does not", async () => {
  const checkIn = () =>
    after.api("POST", "/registrations/check-in", { as: exec, body: { eventID: event, year, code: ticketCode } });
  const { region, secretsUrl: endpoint, ticketKeySecret: SecretId } = after.outputs;
  const credentials = { accessKeyId: "LOCALTest", secretAccessKey: "local" };
  const secrets = new SecretsManagerClient({ region, endpoint, credentials });
  const { SecretString = "" } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const sealedWith = async (key: string): Promise<void> => {
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: key }));
    after.restart("Registrations");
  };
  await sealedWith("another key");
  expect(await checkIn()).toMatchObject({ status: 400 });
  await sealedWith(SecretString);
  expect(await checkIn()).toMatchObject({ status: 200, body: { registration: { email: guest } } });
});
