import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type ParsedMail, simpleParser } from "mailparser";
import type { Mail } from "#domain/mail/mime.ts";
import { inviteOf } from "#domain/notices/invite.ts";
import { renderMail } from "#domain/notices/mail.ts";
import type { MailNotice } from "#domain/notices/notice.ts";
import { qrPng } from "#domain/notices/qr.ts";
import { oneLine } from "#kit/text/text.ts";
import { givenNotice, hostileTexts, settings } from "./golden/notices.ts";

// A real QR code takes a second to draw under Jest.

async function rendered(notice: MailNotice): Promise<Mail> {
  const mail = await renderMail(notice, settings);
  if (!mail) throw new Error(`No mail for ${notice.kind}`);
  return mail;
}

/** A parser that shares no code with the writer. */
const read = ({ raw }: Mail): Promise<ParsedMail> =>
  simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true });

const htmlOf = ({ html }: ParsedMail): string => html || "";
const recipientsOf = ({ to }: ParsedMail) => [to ?? []].flat().flatMap(({ value }) => value);
/** All markup of the mail: tags with their attributes. */
const markupOf = (mail: ParsedMail): string[] => htmlOf(mail).match(/<[^>]*>/g) ?? [];

describe("a mail with all parts", () => {
  const notice = givenNotice("registered");

  const rendering = rendered(notice);
  const reading = rendering.then(read);

  test("has the right address and subject", async () => {
    const mail = await rendering;
    const parsed = await reading;
    expect(mail.to).toBe("ada+club@student.example");
    expect(mail.subject).toBe("You're registered: Kickstart: Build, Pitch & Win");
    expect(parsed.subject).toBe(mail.subject);
    expect(parsed.from?.value).toEqual([{ name: "Club Events", address: "events@club.example" }]);
    expect(recipientsOf(parsed)).toEqual([{ name: "Ada", address: mail.to }]);
    expect(parsed.headers.get("auto-submitted")).toBe("auto-generated");
  });

  test("carries the invite twice and the QR once, shown by the HTML", async () => {
    const parsed = await reading;
    const [alternative, file] = ["text/calendar", "application/ics"].map((type) =>
      parsed.attachments.find(({ contentType }) => contentType === type),
    );
    const invite = inviteOf(notice, settings);
    expect(alternative?.content.toString()).toBe(invite?.content);
    expect(file?.content.toString()).toBe(invite?.content);
    expect(file?.filename).toBe("invite.ics");
    const picture = parsed.attachments.find(({ contentType }) => contentType === "image/png");
    expect(picture?.content).toEqual(await qrPng(notice.ticketCode ?? ""));
    expect(picture?.content.subarray(1, 4).toString()).toBe("PNG");
    expect(picture?.contentDisposition).toBe("inline");
    expect(htmlOf(parsed)).toContain(`src="cid:${picture?.cid}"`);
  });
});

test.each([
  ["registered", { movedUp: true }, "A seat for you", "you moved up from the waitlist"],
  ["waitlist", {}, "You're on the waitlist", "You are number 3 in line."],
  ["waitlist", { waitlistAhead: 100 }, "You're on the waitlist", "More than 100 people are ahead of you."],
  ["incomplete", {}, "Payment needed", "Please pay by Saturday, January 10, 2026 at 12:30 PM PST."],
  ["incomplete", { movedUp: true }, "Payment needed", "A seat came free, and you are next in line."],
  ["acceptedPending", {}, "You're accepted, payment needed", "at 12:30 PM PST"],
  ["applicant", {}, "We have your application", "You do not have a seat yet"],
  ["accepted", {}, "You're accepted, please confirm", "Please confirm with the link below that you are coming."],
  ["acceptedComplete", {}, "Your seat is confirmed", "everything is complete"],
  ["rejected", {}, "About your registration", "we cannot offer you a seat this time"],
  ["cancelled", {}, "Your registration is cancelled", "You are no longer registered"],
  ["moved", {}, "New date or place", "Your seat is still yours"],
  ["moved", { isBack: true }, "Back on the program", "Your seat is still yours"],
  ["reminder", {}, "Reminder", "Please tell us whether you come"],
  ["reminder", { standing: "accepted" }, "Reminder", "Please confirm with the link below"],
  ["feedback", {}, "How was it?", "Please tell us how it was"],
  ["moved", { standing: "accepted" }, "New date or place", "Please confirm with the link below"],
  ["registered", { hasBegun: true }, "You're registered", "Your seat is confirmed. See you there!"],
  ["registered", { isOver: true }, "About your registration", "You had a seat, and there is nothing left to do."],
  ["incomplete", { isOver: true }, "About your registration", "You had no confirmed seat."],
  ["cancelled", { isOver: true }, "About your registration", "You are no longer registered for it."],
  ["rejected", { isOver: true }, "About your registration", "we cannot offer you a seat this time"],
] as const)("%s %j: %s", async (kind, changes, subject, sentence) => {
  const { ticketCode: _, ...notice } = givenNotice(kind, changes);
  const mail = await rendered(notice);
  const parsed = await read(mail);
  expect(mail.subject).toBe(`${subject}${subject.endsWith("?") ? "" : ":"} Kickstart: Build, Pitch & Win`);
  expect(parsed.text).toContain(sentence);
  expect(htmlOf(parsed).replaceAll("&#39;", "'")).toContain(sentence);
});

test.each([
  ["accepted", {}, true],
  ["reminder", { standing: "accepted" }, true],
  ["registered", {}, true],
  ["waitlist", {}, false],
  ["acceptedPending", {}, false],
] as const)("the ticket of %s %j says whether it lets in", async (kind, changes, letsIn) => {
  const { text } = await read(await rendered(givenNotice(kind, changes)));
  expect([text?.includes("Show this code at the door."), text?.includes("It does not let you in by itself")]).toEqual([
    letsIn,
    !letsIn,
  ]);
});

/** Text that looks encoded must not be decoded by a mail program. */
const inHeader = (text: string): string => oneLine(text).replaceAll("=?", "=\u2060?");

/** Without the QR code, which is slow to draw and shows no text that a person typed. */
const { ticketCode: _, ...withoutTicket } = givenNotice("registered");
const plainMail = rendered(withoutTicket).then(read);

/** Expects the mail that Ada would get, with this text in place of the names, and no other change. */
async function expectHarmless(text: string): Promise<void> {
  const notice = withoutTicket;
  const plain = await plainMail;

  const mail = await rendered({
    ...notice,
    person: { ...notice.person, fname: text },
    event: { ...notice.event, ename: text, elocation: `${text}.`, description: text },
  });
  const parsed = await read(mail);

  expect(mail.to).toBe(notice.person.email);
  expect(mail.subject).not.toMatch(/\p{Cc}/u);
  expect([...parsed.headers.keys()].sort()).toEqual([...plain.headers.keys()].sort());
  expect(parsed.headerLines.map(({ key }) => key)).toEqual(plain.headerLines.map(({ key }) => key));
  expect(recipientsOf(parsed)).toEqual([{ name: inHeader(text), address: notice.person.email }]);
  expect(parsed.subject).toBe(`You're registered: ${inHeader(text)}`.trim());
  expect(parsed.text?.split("\n")[0]).toBe(oneLine(text) ? `Hi ${oneLine(text)},` : "Hi,");
  expect(parsed.text).toContain(`\nWhere: ${oneLine(`${text}.`)}\n`);
  expect(markupOf(parsed)).toEqual(markupOf(plain));
  expect(parsed.attachments.map(({ contentType }) => contentType)).toEqual(
    plain.attachments.map(({ contentType }) => contentType),
  );
}

test.each(hostileTexts)("%j stays plain text", expectHarmless);

test("every text stays plain text", async () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const piece = fc.oneof(
    unit,
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(...hostileTexts, "\r\n", '"', "\\", ",", "@"),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  await fc.assert(fc.asyncProperty(text, expectHarmless), { numRuns: 40 });
});

test("an event's id cannot change the address of the link", async () => {
  // This notice leads to the event's page.
  const notice = givenNotice("cancelled");
  const event = { ...notice.event, id: '../"><b>?x#y' };
  const parsed = await read(await rendered({ ...notice, event }));
  expect(htmlOf(parsed)).toContain('href="https://club.example/event/..%2F%22%3E%3Cb%3E%3Fx%23y/2026/register"');
});
