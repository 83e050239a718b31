import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import ICAL from "ical.js";
import { inviteOf } from "#domain/notices/invite.ts";
import type { MailNotice } from "#domain/notices/notice.ts";
import { manyLines, oneLine } from "#kit/text/text.ts";
import { givenEvent, givenNotice, hostileTexts, settings } from "./golden/notices.ts";

const contentOf = (notice: MailNotice): string => inviteOf(notice, settings)?.content ?? "";

/** A parser that shares no code with the writer. */
function read(content: string): { calendar: ICAL.Component; entry: ICAL.Component; value: (name: string) => string } {
  const calendar = new ICAL.Component(ICAL.parse(content));
  const [entry, ...others] = calendar.getAllSubcomponents();
  if (!entry || others.length > 0) throw new Error(`${others.length + 1} entries`);
  return { calendar, entry, value: (name) => String(entry.getFirstPropertyValue(name) ?? "") };
}

/** Lines of at most 75 octets, folded (RFC 5545, section 3.1). */
function expectContentLines(content: string): void {
  expect(content.endsWith("END:VCALENDAR\r\n")).toBe(true);
  expect(content.replaceAll("\r\n", "")).not.toMatch(/[^\P{Cc}\t]/u);
  for (const line of content.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
}

describe.each(["registered", "waitlist", "cancelled"] as const)("the invite for %s", (kind) => {
  const content = contentOf(givenNotice(kind));

  test("is equal to the golden file", () => {
    expect(content).toBe(readFileSync(new URL(`golden/${kind}.ics`, import.meta.url), "utf8"));
  });
});

test.each([
  ["no end", ""],
  ["an end that is the start", "2026-01-16T02:00:00.000Z"],
])("an event with %s lasts an hour in the invite", (_, endDate) => {
  expect(read(contentOf(givenEvent("registered", { endDate }))).value("dtend")).toBe("2026-01-16T03:00:00Z");
});

test("an address stays an address and adds no other property", () => {
  const person = { fname: "", email: "a+b?bcc=victim&c%41@student.example" };
  const attendee = read(contentOf(givenNotice("registered", { person }))).entry.getFirstProperty("attendee");
  expect(attendee?.getFirstValue()).toBe("mailto:a+b%3Fbcc%3Dvictim%26c%2541@student.example");
  expect(attendee?.getFirstParameter("cn")).toBe(person.email);
});

test("the organizer has the club's name, in quotes where the calendar needs them", () => {
  const organizerOf = (name: string) => {
    const sender = { name, address: "events@club.example" };
    return read(inviteOf(givenNotice("registered"), { ...settings, sender })?.content ?? "").entry.getFirstProperty(
      "organizer",
    );
  };
  for (const name of ["Club Events", "Club, Events; and: more", "Étudiants 商業 🎉"]) {
    expect(organizerOf(name)?.getFirstParameter("cn")).toBe(name);
    expect(organizerOf(name)?.getFirstValue()).toBe("MAILTO:events@club.example");
  }
  expect(organizerOf('The "Club"')?.getFirstParameter("cn")).toBe("The 'Club'");
});

describe("a description", () => {
  const describedAs = (description: string) =>
    read(contentOf(givenEvent("registered", { description })))
      .value("description")
      .split("\n\n")
      .slice(2)
      .join("\n\n");

  test("of 2,000 characters stays whole, and a longer one ends after 2,000", () => {
    const whole = "🎉é".repeat(1_000);
    expect(describedAs(whole)).toBe(whole);
    const cut = describedAs(`${whole}x`);
    expect([...cut]).toHaveLength(2_000);
    expect(cut).toBe(`${[...whole].slice(0, -1).join("")}…`);
  });
});

/** Expects everything that a person typed, and no other property. */
function expectHarmless(text: string): void {
  const notice = givenNotice("registered");
  const content = contentOf({
    ...notice,
    person: { ...notice.person, fname: text },
    event: { ...notice.event, ename: text, elocation: text, description: text },
  });
  expectContentLines(content);
  const { entry, value } = read(content);
  const names = (component: ICAL.Component) => component.getAllProperties().map(({ name }) => name);
  const optional = ["summary", "location"];
  const expected = names(read(contentOf(notice)).entry).filter((name) => !optional.includes(name));
  expect(names(entry).filter((name) => !optional.includes(name))).toEqual(expected);
  expect(value("summary")).toBe(oneLine(text));
  expect(value("location")).toBe(manyLines(text));
  const described = manyLines(text).trim();
  expect(value("description")).toMatch(
    /^You're registered\.\n\nhttps:\/\/club\.example\/event\/kickstart\/2026\/register/,
  );
  if ([...described].length <= 2_000) expect(value("description").endsWith(described)).toBe(true);
  const attendee = entry.getFirstProperty("attendee");
  expect(attendee?.getFirstValue()).toBe(`mailto:${notice.person.email}`);
  expect(attendee?.getFirstParameter("partstat")).toBe("ACCEPTED");
  expect(attendee?.getFirstParameter("cn")).toBe(
    oneLine(text).replaceAll('"', "'").replaceAll("\\", "/") || notice.person.email,
  );
}

test.each(hostileTexts)("%j stays plain text", expectHarmless);

test("every text stays plain text", () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const signs = ["\r\n", "\n", "\t", " ", "\\n", "BEGIN:VEVENT", ...';,\\"^:'];
  const piece = fc.oneof(unit, fc.string({ unit: "grapheme" }), fc.constantFrom(...hostileTexts, ...signs));
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join("")),
      expectHarmless,
    ),
    { numRuns: 100 },
  );
});
