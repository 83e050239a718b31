/** `npm run ops -- restore`: a copy of one stage runs on in another, and nothing of before happens again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DescribeRuleCommand, EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exec, year } from "../../../test/service/given.ts";
import { givenStage, type ServiceStage } from "../../../test/service/stage.ts";
import { keyIn } from "../../kit/copy/age.ts";
import { indexFile, keyFile, readIndex, writeIndex } from "../../kit/copy/folder.ts";
import type { Putting } from "../copied-items.ts";
import type { Run } from "../run.ts";
import { targetIn } from "../target.ts";

const passphrase = "five random words of the club";
const guest = "guest@student.example";
const waiting = "waiting@student.example";
const payer = "payer@student.example";
const google = "google@student.example";
const shutOut = "out@student.example";
const shutOutOfGoogle = "no-google@student.example";
const unconfirmed = "unconfirmed@student.example";

let folder: string;
let copied: string;
let before: ServiceStage;
let after: ServiceStage;
let event: string;
let ticketCode: string;
let link: string;
let banner: string;
let left: object[];
/** The functions that ran on the stage that the copy went to. */
const invoked: string[] = [];

async function childOf(outputs: object, ...words: string[]): Promise<ChildProcess> {
  const [file, secret] = [join(folder, `${Math.random()}.json`), join(folder, "passphrase")];
  await writeFile(file, JSON.stringify(outputs));
  await writeFile(secret, `${passphrase}\n`);
  const env = { ...process.env, NODE_OPTIONS: "", COPY_PASSPHRASE_FILE: secret };
  const args = ["bin/start.mjs", "ops", ...words, "--stage-outputs", file];
  return spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
}

async function ops(outputs: object, ...words: string[]) {
  const child = await childOf(outputs, ...words);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  const [code] = await once(child, "close");
  return { code, said };
}

const cognito = async ({ outputs }: ServiceStage, operation: string, fields: object) =>
  (
    await fetch(outputs.identityUrl, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify({ ClientId: outputs.userPoolClientId, ...fields }),
    })
  ).status;

const signIn = (stage: ServiceStage, USERNAME: string, PASSWORD: string) =>
  cognito(stage, "InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: { USERNAME, PASSWORD } });

/** A new password by a mailed code. */
async function forgot(stage: ServiceStage, email: string, Password: string): Promise<number> {
  const asked = await cognito(stage, "ForgotPassword", { Username: email });
  if (asked !== 200) return asked;
  const [ConfirmationCode = "none"] = /\d{6}/.exec(stage.mailsTo(email).at(-1)?.body.text ?? "") ?? [];
  return cognito(stage, "ConfirmForgotPassword", { Username: email, ConfirmationCode, Password });
}

/** A person in the line, a paid seat that went back, an unpaid one, a campaign, an image, and accounts of each kind. */
async function givenLife(stage: ServiceStage): Promise<void> {
  event = await stage.givenEvent({ capac: 1 });
  ticketCode = (await stage.register(event, guest)).body.registration.ticketCode;
  expect((await stage.register(event, waiting)).body.registrationStatus).toBe("waitlist");
  await stage.settled();
  link = stage.secretTo(guest);
  const dinner = await stage.givenPaid();
  await stage.deleteEvent(dinner.id);
  await stage.register(await stage.givenEvent({ capac: 5, pricing: { members: 5, nonMembers: 10 } }), payer);
  const upload = { fileType: "image/png", fileName: "a.png", prefix: "optimized", eventId: event };
  const { body } = await stage.api("POST", "/events/event-image-upload-url", { as: exec, body: upload });
  await fetch(body.uploadUrl, { method: "PUT", headers: { "content-type": "image/png" }, body: "a banner" });
  banner = body.publicUrl;
  expect((await stage.changeEvent(event, { imageUrl: banner })).status).toBe(200);
  const template = { templateName: "news", subject: "News", html: "<p>Hello {{ fname }}</p>" };
  expect(await stage.api("POST", "/emails/templates", { as: exec, body: template })).toMatchObject({ status: 201 });
  const campaign = { templateName: "news", audience: { emails: [guest, waiting] } };
  expect(await stage.api("POST", "/emails/send", { as: exec, body: campaign })).toMatchObject({ status: 202 });
  for (const email of [guest, shutOut]) await stage.identity.ensureUser({ email, password: "Before-Words-1" });
  await cognito(stage, "SignUp", { Username: unconfirmed, Password: "Before-Words-1" });
  for (const [subject, email] of [
    ["7", google],
    ["8", shutOutOfGoogle],
  ] as const) {
    await stage.identity.federatedSignIn({ provider: "Google", subject, email, emailVerified: true });
  }
  for (const email of [shutOut, shutOutOfGoogle]) {
    expect(await ops(stage.outputs, "shut-out", email, "--apply")).toMatchObject({ code: 0 });
  }
  await stage.settled();
}

type Keyed = Readonly<Record<string, unknown>>;
const byKey = (items: readonly object[]) =>
  new Map((items as readonly Keyed[]).map((item) => [JSON.stringify([item.PK, item.SK]), item]));

/** The items as they are on another stage: with the address of its images. */
const movedTo = ({ outputs }: ServiceStage, items: readonly object[]): object[] => {
  const to = `${outputs.imagesUrl}/${outputs.imageBucket}/`;
  const from = `${before.outputs.imagesUrl}/${before.outputs.imageBucket}/`;
  return JSON.parse(JSON.stringify(items).replaceAll(from, to));
};

const stateOf = async ({ outputs }: ServiceStage, Name: string) => {
  const credentials = { accessKeyId: "LOCALTest", secretAccessKey: "local" };
  const client = new EventBridgeClient({ region: outputs.region, endpoint: outputs.busUrl, credentials });
  return (await client.send(new DescribeRuleCommand({ Name }))).State;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "restore-"));
  copied = join(folder, "copy");
  before = await givenStage({ refunds: "automatic", schedules: false });
  await givenLife(before);
  left = await before.storedItems();
  const said = expect.stringMatching(/ has \d+ items, \d accounts, 1 images and the ticket key/);
  expect(await ops(before.outputs, "export", copied)).toEqual({ code: 0, said });
  const onInvoked = (name: string) => void invoked.push(name);
  after = await givenStage({ refunds: "automatic", schedules: false, quiet: true, onInvoked });
});
afterAll(async () => {
  await before.close();
  await after?.close();
  await rm(folder, { recursive: true });
});

test("without --apply nothing is written", async () => {
  const { code, said } = await ops(after.outputs, "restore", copied);
  expect([code, said]).toEqual([1, expect.stringContaining("Nothing is written.")]);
  expect([await after.storedItems(), invoked]).toEqual([[], []]);
});

test("killed in the middle, the schedules are off, and the next run ends it", async () => {
  const child = await childOf(after.outputs, "restore", copied, "--apply", "--rate", "20");
  let items: object[] = [];
  while (items.length < 10 && child.exitCode === null) {
    items = await after.storedItems();
    await pause(20);
  }
  child.kill("SIGKILL");
  await once(child, "close");
  items = await after.storedItems();
  expect(items.length).toBeGreaterThan(9);
  expect(items.length).toBeLessThan(left.length);
  expect(await stateOf(after, "SweeperSchedule")).toBe("DISABLED");
  expect(await stateOf(after, "ReconcilerSchedule")).toBe("DISABLED");

  const { code, said } = await ops(after.outputs, "restore", copied, "--apply");
  expect([code, said]).toEqual([0, expect.stringContaining("Nothing was mailed, promoted or refunded.")]);
  expect(await stateOf(after, "SweeperSchedule")).toBe("ENABLED");
  expect(await stateOf(after, "ReconcilerSchedule")).toBe("ENABLED");
});

test("each item is as it was, but for the address of the images, and checks find nothing", async () => {
  expect(left.length).toBeGreaterThan(40);
  expect(byKey(await after.storedItems())).toEqual(byKey(movedTo(after, left)));
  const { said } = await ops(after.outputs, "check");
  expect(said).toContain("Nothing is wrong.");
});

test("nothing that happened before happens again: no mail, no chat message, no money, no promotion", async () => {
  await after.settled();
  expect(after.mailbox.list()).toEqual([]);
  expect(after.chat.list()).toEqual([]);
  expect(after.payments.sessions()).toEqual([]);
  // The relay is asked about each row of the outbox, and sends none; the image has its header.
  expect(new Set(invoked)).toEqual(new Set(["Relay", "IdentityPreSignUp", "CacheHeader"]));
  expect(after.deadLetters()).toEqual([]);
});

test("the schedules stay off where the copy is of another stage, whose people the sweeper would mail", async () => {
  const other = join(folder, "of-production");
  await cp(copied, other, { recursive: true });
  const key = await keyIn(await readFile(join(other, keyFile)), passphrase);
  if (!key) throw new Error("no key");
  const index = await readIndex(other, key);
  await rm(join(other, indexFile));
  await writeIndex(other, { ...index, stage: "production" }, key);
  const { code, said } = await ops(after.outputs, "restore", other, "--apply");
  expect([code, said]).toEqual([0, expect.stringContaining("Still off: the sweeper")]);
  expect(await stateOf(after, "SweeperSchedule")).toBe("DISABLED");

  // Control: the copy of a stage of the same name starts them.
  expect(await ops(after.outputs, "restore", copied, "--apply")).toMatchObject({ code: 0 });
  expect(await stateOf(after, "SweeperSchedule")).toBe("ENABLED");
});

test("a ticket opens the door, a link its registration, and the address of the banner the image", async () => {
  const opened = await after.api("GET", "/links/registration", { headers: { authorization: `Link ${link}` } });
  expect(opened).toMatchObject({ status: 200, body: { registration: { email: guest } } });
  const shown = (await after.api("GET", `/events/${event}/${year}`, { as: exec })).body.imageUrl;
  expect(shown).toBe(banner.replace(before.outputs.imagesUrl, after.outputs.imagesUrl));
  const image = await fetch(shown);
  expect([await image.text(), image.headers.get("content-type")]).toEqual(["a banner", "image/png"]);
  expect(image.headers.get("cache-control")).toContain("immutable");
  const check = { eventID: event, year, code: ticketCode };
  const checkIn = await after.api("POST", "/registrations/check-in", { as: exec, body: check });
  expect(checkIn).toMatchObject({ status: 200, body: { registration: { email: guest } } });
});

describe("accounts", () => {
  test("a person signs in after choosing a new password", async () => {
    expect(await signIn(after, guest, "Before-Words-1")).toBe(400);
    expect(await forgot(after, guest, "After-Words-1")).toBe(200);
    expect(await signIn(after, guest, "After-Words-1")).toBe(200);
  });

  test("who was shut out stays so, by password and by Google", async () => {
    expect(await forgot(after, shutOut, "After-Words-1")).toBe(200);
    expect(await signIn(after, shutOut, "After-Words-1")).toBe(400);
    const signUp = { provider: "Google" as const, subject: "8", email: shutOutOfGoogle, emailVerified: true };
    await expect(after.identity.federatedSignIn(signUp)).rejects.toThrow("No account can be made");
  });

  test("who has not entered the code signs up again, and who uses Google signs in", async () => {
    expect(await cognito(after, "SignUp", { Username: unconfirmed, Password: "Before-Words-1" })).toBe(200);
    await after.identity.federatedSignIn({ provider: "Google", subject: "7", email: google, emailVerified: true });
  });
});

test("the line goes on: a further seat goes to the person who waited, who is mailed", async () => {
  expect((await after.changeEvent(event, { capac: 2 })).status).toBe(200);
  await after.settled();
  expect(await after.statusOf(event, waiting)).toBe("registered");
  expect(after.mailsTo(waiting)).toHaveLength(1);
});

test("a stage with other data is refused, and nothing in it changes", async () => {
  const items = byKey(await after.storedItems());
  const { code, said } = await ops(after.outputs, "restore", copied, "--apply");
  expect([code, said]).toEqual([1, expect.stringMatching(/The stage has data that the copy has not.*seats 1/)]);
  expect(byKey(await after.storedItems())).toEqual(items);
  expect(await stateOf(after, "SweeperSchedule")).toBe("ENABLED");
});

test("control: rows of the outbox that are put as they are go out again, when their markers come later", async () => {
  const again: string[] = [];
  const onInvoked = (name: string) => void again.push(name);
  const other = await givenStage({ refunds: "automatic", schedules: false, onInvoked });
  const file = join(folder, "outputs.json");
  await writeFile(file, JSON.stringify(other.outputs));
  const target = await targetIn(file);
  Object.assign(process.env, target.environment, { COPY_PASSPHRASE_FILE: join(folder, "passphrase") });
  const { restore } = await import("../restore.ts");
  const said: string[] = [];
  const terminal = { print: (line: string) => void said.push(line), note: () => undefined };
  const run = { target, terminal, words: [copied], flags: {}, isApplied: true } as unknown as Run;
  const noMarkers: Putting = (items) => [items.filter(({ PK }) => !PK?.S?.startsWith("SENT#"))];
  expect(await restore(run, noMarkers)).toBe(1);
  expect(said).toContainEqual(expect.stringMatching(/^Missing: marker of a notice \d+\.$/));
  expect(said).toContainEqual(expect.stringContaining("Still off: the sweeper"));
  expect(await stateOf(other, "SweeperSchedule")).toBe("DISABLED");
  await other.settled();
  expect(again).toEqual(expect.arrayContaining(["Mail", "Campaigns", "Promoter"]));
  expect(other.mailsTo(guest).length).toBeGreaterThan(0);
  await other.close();
});
