/** The sender of a mail: its name may have any character, and adds no header and no recipient. */
import { SESClient, SendRawEmailCommand } from "@aws-sdk/client-ses";
import { afterEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { headerText, inHeader, mimeOf } from "#domain/mail/mime.ts";
import { startMailbox } from "../../tools/laptop/mailbox/index.ts";
import type { SentMail } from "../../tools/laptop/mailbox/sending.ts";
import { hostileTexts, usualNames } from "./golden/notices.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const address = "events@club.example";
const mailFrom = (name: string): Promise<Buffer> =>
  mimeOf({ from: inHeader({ name, address }), to: "ada@student.example", subject: "Hi", text: "Hi" });

const names = [...usualNames, ...hostileTexts];

/** The header "From" as it is sent, with its line breaks. */
const fromHeader = (raw: Buffer): string => /^From:[^\n]*(?:\n[ \t][^\n]*)*/m.exec(raw.toString("latin1"))?.[0] ?? "";

async function expectName(name: string): Promise<void> {
  const raw = await mailFrom(name);
  const { headerLines, from } = await simpleParser(raw);
  expect(from?.value).toEqual([{ name: headerText(name), address }]);
  expect(headerLines.map(({ key }) => key)).toEqual([
    "auto-submitted",
    "from",
    "to",
    "subject",
    "message-id",
    "content-transfer-encoding",
    "date",
    "mime-version",
    "content-type",
  ]);
  const header = fromHeader(raw);
  expect(header).toMatch(/^[ -~\r\n]*$/);
  for (const word of header.match(/=\?[^?]*\?[^?]*\?[^?]*\?=/g) ?? []) expect(word.length).toBeLessThanOrEqual(75);
}

describe("the name of the sender", () => {
  test.each(names)("%j stays a name", expectName);

  test("stays a name, whatever it is", async () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const piece = fc.oneof(
      unit,
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(...names, "\r\n", '"', "\\", ",", "@"),
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    await fc.assert(fc.asyncProperty(text, expectName), { numRuns: 100 });
  });

  test("put into the header as it is, would add a recipient", async () => {
    const naive = `From: Club\r\nBcc: victim@club.example <${address}>\r\nTo: ada@student.example\r\n\r\nHi`;
    expect((await simpleParser(naive)).headerLines.map(({ key }) => key)).toContain("bcc");
  });
});

describe("the laptop's SES", () => {
  async function givenSes() {
    const seen: SentMail[] = [];
    const mailbox = await startMailbox({ judge: (mail) => void seen.push(mail) });
    const client = new SESClient({
      region: "us-west-2",
      endpoint: mailbox.url,
      credentials: { accessKeyId: "K", secretAccessKey: "S" },
      maxAttempts: 1,
    });
    open.push(
      () => mailbox.close(),
      () => client.destroy(),
    );
    const send = (Data: Buffer) =>
      client.send(
        new SendRawEmailCommand({ Source: address, Destinations: ["ada@student.example"], RawMessage: { Data } }),
      );
    return { seen, send };
  }

  test("takes every name, and judges the bare address", async () => {
    const { seen, send } = await givenSes();
    for (const name of names) await send(await mailFrom(name));
    expect(seen.map(({ from }) => from)).toEqual(names.map(() => address));
    expect(seen.slice(0, 2).map(({ fromName }) => fromName)).toEqual(["Club Events", 'The "Club", Inc.']);
    // Nothing documents what a condition on an encoded name compares.
    expect(seen[4]).not.toHaveProperty("fromName");
  });

  test.each([
    ["a comma without quotes", `From: Club, Inc. <${address}>`],
    ["a name that is not encoded", `From: Étudiants <${address}>`],
    ["no address", "From: Club"],
    ["two senders", `From: ${address}, other@club.example`],
    ["two headers", `From: ${address}\r\nFrom: other@club.example`],
    ["no sender", "Reply-To: events@club.example"],
  ])("refuses %s", async (_, header) => {
    const { seen, send } = await givenSes();
    const mail = Buffer.from(`${header}\r\nTo: ada@student.example\r\nSubject: Hi\r\n\r\nHi`);
    await expect(send(mail)).rejects.toMatchObject({ name: "InvalidParameterValue" });
    expect(seen).toEqual([]);
  });
});
