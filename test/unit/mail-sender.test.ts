import { afterEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { headerText, inHeader, mimeOf } from "#domain/mail/mime.ts";
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
});
