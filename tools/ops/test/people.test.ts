/** `npm run ops -- people` against a stage: what it says, what it does, and what a kill in the middle leaves. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import { exec, times } from "../../../test/service/given.ts";
import { givenStage, type ServiceStage } from "../../../test/service/stage.ts";

let stage: ServiceStage;
let folder: string;
let token: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "people-"));
  stage = await givenStage();
  await writeFile(join(folder, "outputs.json"), JSON.stringify(stage.outputs));
  token = await stage.tokenFor(exec);
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

/** @param until kills the command once this is so */
async function people(words: readonly string[], until?: () => Promise<boolean>) {
  const args = ["bin/start.mjs", "ops", "people", ...words, "--stage-outputs", join(folder, "outputs.json")];
  const env = { ...process.env, NODE_OPTIONS: "", ADMIN_TOKEN: token };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  const ended = once(child, "close");
  while (until && child.exitCode === null && child.signalCode === null) if (await until()) child.kill("SIGKILL");
  const [code, signal] = await ended;
  return { code, signal, said };
}

const report = async (name: string) =>
  parse(await readFile(join(folder, name)), { bom: true, columns: true }) as Record<
    "Row" | "Email" | "Outcome" | "What",
    string
  >[];

const file = async (name: string, bytes: string | Buffer): Promise<string> => {
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
};

test("registrations: asks for columns, says by row what would be, survives a kill, and does nothing twice", async () => {
  const event = await stage.givenEvent({ capac: 20 });
  const emails = times(30, (n) => `row-${n}@student.example`);
  const lines = [
    "E-mail;Vorname;Schuhe",
    ...emails.map((email, n) => `${email};Zoë ${n};4${n}`),
    "josé@x.example;J;1",
    ";K;2",
  ];
  const table = await file("people.csv", Buffer.from(`${lines.join("\r\n")}\r\n`, "latin1"));
  const words = [table, "registrations", event, "2030"];
  const asked = await people(words);
  expect(asked).toMatchObject({
    code: 2,
    said: expect.stringMatching(/What is in the column “Schuhe”\?.*"Vorname": "fname"/s),
  });
  const columns = await file("columns.json", JSON.stringify({ Schuhe: null }));
  const all = [...words, "--columns", columns];
  expect(await people(all)).toMatchObject({
    code: 1,
    said: expect.stringMatching(
      /20 get a seat, and get a mail\n +10 get a place in line.*2 are left out.*row 33: There is no email..*Nothing is changed/s,
    ),
  });
  expect((await stage.countsOf(event)).registeredCount).toBe(0);
  expect((await report("people.report.csv")).slice(19, 21).map(({ What }) => What)).toEqual([
    "Gets a seat.",
    "Gets a place in line.",
  ]);

  const begun = async () => (await stage.countsOf(event)).registeredCount >= 5;
  expect(await people([...all, "--apply"], begun)).toMatchObject({ signal: "SIGKILL" });
  expect((await stage.countsOf(event)).registeredCount).toBeLessThan(20);
  // One of those who are there leaves before it goes on, and is left alone.
  await stage.settled();
  expect((await stage.moveTo(event, emails[0] as string, "cancelled")).status).toBe(200);
  await stage.settled();
  expect(await people([...all, "--apply"])).toMatchObject({ code: 1, said: expect.stringMatching(/2 left out/) });
  await stage.settled();
  const rows = await report("people.report.csv");
  expect(rows.map(({ Row }) => Row)).toEqual(times(32, (n) => String(n + 2)));
  expect(rows[0]).toMatchObject({ Outcome: "left as it was", What: "Has cancelled." });
  const statuses = await Promise.all(emails.map((email) => stage.statusOf(event, email)));
  expect(statuses).toEqual(["cancelled", ...times(20, () => "registered"), ...times(9, () => "waitlist")]);
  // The first one was told of the seat and of its end, all others once.
  const mails = emails.map((email) => stage.mailsTo(email).length);
  expect(mails[0]).toBe(2);
  expect(mails.slice(1, 20)).toEqual(times(19, () => 1));
  expect((await stage.registrationOf(event, emails[7] as string)).fname).toBe("Zoë 7");
  const again = await people([...all, "--apply"]);
  expect(again.said).toMatch(/^0 done, 30 left as they were, 2 left out/m);
});

test("members and accounts: ends by the stage's zone, in UTF-16 with tabs", async () => {
  const rows = [
    "Name\tMail\tValid until",
    "Ada Lovelace\tada.l@student.example\t31.08.2031",
    "Bo\tbo@student.example\t",
  ];
  const table = await file("members.txt", Buffer.from(`\ufeff${rows.join("\n")}`, "utf16le"));
  const done = await people([table, "members", "--apply"]);
  expect(done).toMatchObject({
    code: 1,
    said: expect.stringMatching(/1 become members, and get a mail.*row 3: A membership needs.*1 done/s),
  });
  const member = async (email: string) => (await stage.api("GET", `/members/${email}`, { as: exec })).body;
  expect(await member("ada.l@student.example")).toMatchObject({ firstName: "Ada", until: "2031-09-01T06:59:59.999Z" });
  expect((await people([table, "members", "--apply"])).said).toMatch(/0 done, 1 left as they were/);

  const accounts = await file("accounts.csv", "email,faculty\nbo@student.example,Arts\nada.l@student.example,Arts\n");
  expect(await people([accounts, "accounts", "--apply"])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/1 done, 1 left/),
  });
  expect((await stage.api("GET", "/users/bo@student.example", { as: exec })).body).toMatchObject({
    faculty: "Arts",
    isMember: false,
  });
});

test.each([
  ["no table", "people.xlsx", Buffer.from("PK\x03\x04rest"), ["accounts"], /no CSV\. In the spreadsheet/],
  ["no such event", "one.csv", "email\na@x.example\n", ["registrations", "nothing", "2030"], /GET \/events\/nothing/],
  [
    "an event that is none",
    "one.csv",
    "email\na@x.example\n",
    ["members", "x", "2030"],
    /Members and accounts have none/,
  ],
  ["no purpose", "one.csv", "email\na@x.example\n", ["friends"], /friends is none of/],
] as const)("%s is a usage error", async (_, name, bytes, words, says) => {
  expect(await people([await file(name, bytes), ...words])).toMatchObject({
    code: 2,
    said: expect.stringMatching(says),
  });
});

test("who is no executive changes nothing", async () => {
  const mine = token;
  token = await stage.tokenFor("somebody@student.example");
  const table = await file("own.csv", "email\nother@x.example\n");
  expect(await people([table, "accounts", "--apply"])).toMatchObject({
    code: 2,
    said: expect.stringMatching(/Unauthorized/),
  });
  token = mine;
  expect((await stage.api("GET", "/users/other@x.example", { as: exec })).status).toBe(404);
});
