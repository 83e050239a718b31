import { expect, test } from "@jest/globals";
import { whenText } from "#domain/mail/when.ts";
import { chatMessage } from "#domain/notices/chat.ts";
import { renderMail } from "#domain/notices/mail.ts";
import { hasMail, inviteStatusOf } from "#domain/notices/notice.ts";
import type { NoticeKind, SeatKind } from "#outbox/notice-kinds.ts";
import { givenEvent, givenNotice, settings } from "./golden/notices.ts";

// A real QR code takes a second to draw under Jest.

/** The expected channels of each notice (`docs/contract.md`, "Notices"), compared with the notices themselves. */
const table: [NoticeKind, mail: boolean, qr: boolean, invite: string | undefined, chat: boolean][] = [
  ["registered", true, true, "REQUEST CONFIRMED", true],
  ["acceptedComplete", true, true, "REQUEST CONFIRMED", true],
  ["waitlist", true, true, "REQUEST TENTATIVE", true],
  ["incomplete", true, true, "REQUEST TENTATIVE", true],
  ["acceptedPending", true, true, "REQUEST TENTATIVE", true],
  ["applicant", true, true, "REQUEST TENTATIVE", true],
  ["accepted", true, true, "REQUEST TENTATIVE", true],
  ["rejected", true, false, "CANCEL CANCELLED", true],
  ["cancelled", true, false, "CANCEL CANCELLED", true],
  ["checkedIn", false, false, undefined, true],
  ["moved", true, false, "REQUEST CONFIRMED", false],
];

test.each(table)("a notice %s has mail %s, QR %s, invite %s, chat %s", async (kind, mail, qr, invite, chat) => {
  const notice = givenNotice(kind);

  const rendered = await renderMail(notice, settings);
  const raw = rendered?.raw.toString();

  expect(rendered !== undefined).toBe(mail);
  expect(raw?.includes("Content-Type: image/png") ?? false).toBe(qr);
  expect(raw?.match(/text\/calendar; charset=utf-8; method=(\w+)/)?.[1]).toBe(invite?.split(" ")[0]);
  expect(hasMail(notice) ? inviteStatusOf(notice) : undefined).toBe(invite?.split(" ")[1]);
  expect(chatMessage(notice) !== undefined).toBe(chat);
});

test.each(["rejected", "cancelled"] as const)("a notice %s cancels only an invite that was sent", (kind) => {
  const invite = { uid: "x@club.example", sequence: 1, wasSent: false };
  expect(inviteStatusOf(givenNotice(kind, { invite }))).toBeUndefined();
});

test.each<[SeatKind, string]>([
  ["registered", "CONFIRMED"],
  ["acceptedComplete", "CONFIRMED"],
  ["incomplete", "TENTATIVE"],
  ["acceptedPending", "TENTATIVE"],
  ["accepted", "TENTATIVE"],
])("a notice of a moved event leaves the invite of a person who is %s at %s", (standing, status) => {
  expect(inviteStatusOf(givenNotice("moved", { standing }))).toBe(status);
});

test("an event without a start has no invite, and a registration without a ticket code has no QR", async () => {
  const { ticketCode: _, ...notice } = givenEvent("registered", { startDate: "", endDate: "" });
  const raw = (await renderMail(notice, settings))?.raw.toString();
  expect(raw).not.toContain("text/calendar");
  expect(raw).not.toContain("image/png");
  expect(raw).toContain("When: To be announced");
});

test.each([
  ["2026-01-16T02:00:00.000Z", "2026-01-16T04:00:00.000Z", "Thursday, January 15, 2026, 6:00 – 8:00 PM PST"],
  ["2026-07-16T01:00:00.000Z", "", "Wednesday, July 15, 2026 at 6:00 PM PDT"],
])("%s to %s in Vancouver reads %s", (startDate, endDate, text) => {
  expect(whenText(givenEvent("registered", { startDate, endDate }).event, settings.timeZone)).toBe(text);
});
