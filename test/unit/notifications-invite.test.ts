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

  test("has the same contents for an independent parser", () => {
    const { calendar, entry, value } = read(content);
    const [method, status, partstat] = {
      registered: ["REQUEST", "CONFIRMED", "ACCEPTED"],
      waitlist: ["REQUEST", "TENTATIVE", "TENTATIVE"],
      cancelled: ["CANCEL", "CANCELLED", "DECLINED"],
    }[kind] as [string, string, string];
    const { event, person } = givenNotice(kind);
    expect(calendar.getFirstPropertyValue("method")).toBe(method);
    expect(value("status")).toBe(status);
    expect(value("uid")).toBe("01JH8Z6QK3X4Y5Z6A7B8C9D0E1@club.example");
    expect(value("sequence")).toBe("1");
    expect(value("dtstamp")).toBe("2026-01-09T12:00:05Z");
    expect(value("dtstart")).toBe("2026-01-16T02:00:00Z");
    expect(value("dtend")).toBe("2026-01-16T04:30:00Z");
    expect(value("summary")).toBe(event.ename);
    expect(value("location")).toBe(event.elocation);
    expect(value("description")).toContain(event.description);
    expect(value("organizer")).toBe("MAILTO:events@club.example");
    const attendees = entry.getAllProperties("attendee");
    expect(attendees.map((attendee) => attendee.getFirstValue())).toEqual([`mailto:${person.email}`]);
    expect(attendees[0]?.getFirstParameter("partstat")).toBe(partstat);
    expect(attendees[0]?.getFirstParameter("rsvp")).toBe("FALSE");
    expectContentLines(content);
  });
});

test("the invites of waitlist, registered, moved and cancelled are versions of one entry", () => {
  const uid = "01JH8Z6QK3X4Y5Z6A7B8C9D0E1@club.example";
  const moves = (["waitlist", "registered", "moved", "cancelled"] as const).map((kind, index) =>
    givenNotice(kind, { invite: { uid, sequence: index + 1, wasSent: index > 0 } }),
  );

  const entries = moves.map((notice) => read(contentOf(notice)));

  expect(new Set(entries.map(({ value }) => value("uid")))).toEqual(new Set([uid]));
  expect(entries.map(({ value }) => value("sequence"))).toEqual(["1", "2", "3", "4"]);
  expect(entries.map(({ value }) => value("status"))).toEqual(["TENTATIVE", "CONFIRMED", "CONFIRMED", "CANCELLED"]);
});

test.each([
  ["no end", ""],
  ["an end that is the start", "2026-01-16T02:00:00.000Z"],
])("an event with %s lasts an hour in the invite", (_, endDate) => {
  expect(read(contentOf(givenEvent("registered", { endDate }))).value("dtend")).toBe("2026-01-16T03:00:00Z");
});

test("a tentative entry says in words that it is no seat", () => {
  expect(read(contentOf(givenNotice("waitlist"))).value("description")).toMatch(/^You're on the waitlist\./);
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

  test.each(["🎉", "é", "a", "\\", ";,\n"])("of %j alone is folded into lines of at most 75 octets", (character) => {
    const content = contentOf(givenEvent("registered", { description: `x${character.repeat(10_000)}` }));
    expectContentLines(content);
    expect(Buffer.from(content).toString()).not.toContain("\uFFFD");
    expect(read(content).value("description").length).toBeGreaterThan(1_000);
  });

  test("of white space alone adds nothing", () => {
    expect(read(contentOf(givenEvent("registered", { description: " \n\t " }))).value("description")).toMatch(
      /2026\/register$/,
    );
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
  const piece = fc.oneof(
    unit,
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      ...hostileTexts,
      "\r\n",
      "\n",
      "\t",
      " ",
      ";",
      ",",
      "\\",
      "\\n",
      '"',
      "^",
      "^n",
      ":",
      "BEGIN:VEVENT",
    ),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join("")),
      expectHarmless,
    ),
    {
      numRuns: 300,
    },
  );
});
