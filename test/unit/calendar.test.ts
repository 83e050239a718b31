/** Calendar feeds (`docs/contract.md`, "Calendar"), read by two parsers that share no code with the writer. */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import ICAL from "ical.js";
import { convertIcsCalendar } from "ts-ics";
import { type CalendarEntry, calendarOf } from "#domain/mail/calendar.ts";
import { entryStatusOf } from "#domain/registrations/record/calendar-entry.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { manyLines, oneLine } from "#kit/text/text.ts";
import { anyText } from "../any-text.ts";
import { hostileTexts } from "./golden/notices.ts";

const entry: CalendarEntry = {
  uid: "01JH8Z6QK3X4Y5Z6A7B8C9D0E1@club.example",
  sequence: 2,
  status: "CONFIRMED",
  ename: "Kickstart",
  startDate: "2026-01-16T02:00:00.000Z",
  endDate: "2026-01-16T04:30:00.000Z",
  elocation: "Hall 2",
  description: "Bring a laptop.",
  url: "https://club.example/event/kickstart/2026",
  updatedAt: Date.parse("2026-01-09T12:00:05Z"),
};

/** What a parser has read of an entry. */
interface Read {
  readonly uid: string | undefined;
  readonly sequence: number | undefined;
  readonly status: string | undefined;
  readonly summary: string | undefined;
  readonly location: string | undefined;
  readonly description: string | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
}

const parsers: Readonly<Record<string, (text: string) => Read[]>> = {
  "ical.js": (text) =>
    new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((component) => {
      const value = (name: string) => component.getFirstPropertyValue(name);
      const time = (name: string) => (value(name) as ICAL.Time).toJSDate().getTime();
      const text = (name: string) => value(name)?.toString();
      return {
        ...{ uid: text("uid"), sequence: Number(value("sequence")), status: text("status") },
        ...{ summary: text("summary"), location: text("location"), description: text("description") },
        ...{ start: time("dtstart"), end: time("dtend") },
      };
    }),
  "ts-ics": (text) =>
    (convertIcsCalendar(undefined, text).events ?? []).map((event) => ({
      ...{ uid: event.uid, sequence: event.sequence, status: event.status },
      ...{ summary: event.summary, location: event.location, description: event.description },
      ...{ start: event.start.date.getTime(), end: event.end?.date.getTime() },
    })),
};

test.each(Object.entries(parsers))("%s reads what was written", (_name, read) => {
  const untimed = { ...entry, uid: "b", startDate: undefined };
  const waiting = { ...entry, uid: "c", status: "TENTATIVE", elocation: undefined, description: undefined } as const;
  const span = { start: Date.parse("2026-01-16T02:00:00Z"), end: Date.parse("2026-01-16T04:30:00Z") };
  expect(read(calendarOf([entry, untimed, waiting], "Club"))).toEqual([
    {
      ...{ uid: entry.uid, sequence: 2, status: "CONFIRMED", summary: "Kickstart", location: "Hall 2", ...span },
      description: `${entry.url}\n\nBring a laptop.`,
    },
    {
      ...{ uid: "c", sequence: 2, status: "TENTATIVE", summary: "Kickstart", location: undefined, ...span },
      description: entry.url,
    },
  ]);
  for (const none of [[], [untimed]]) expect(read(calendarOf(none, "Club"))).toEqual([]);
});

test("a calendar without entries has the component that RFC 5545 (3.6) demands; one with entries has nothing else", () => {
  const componentsOf = (entries: readonly CalendarEntry[]) =>
    new ICAL.Component(ICAL.parse(calendarOf(entries, "Club"))).getAllSubcomponents().map(({ name }) => name);
  expect(componentsOf([])).toEqual(["vtimezone"]);
  expect(componentsOf([entry])).toEqual(["vevent"]);
});

test.each([
  [{ startDate: "2030-03-01T08:00:00.000Z", wholeDays: { startDate: "2030-03-01" } }, ["2030-03-01", "2030-03-02"]],
  [
    {
      ...{ startDate: "2030-02-28T08:00:00.000Z", endDate: "2030-03-02T07:59:59.999Z" },
      wholeDays: { startDate: "2030-02-28", endDate: "2030-03-01" },
    },
    ["2030-02-28", "2030-03-02"],
  ],
  [
    {
      ...{ startDate: "2030-03-01T08:00:00.000Z", endDate: "2030-03-01T22:00:00.000Z" },
      wholeDays: { startDate: "2030-03-01" },
    },
    ["2030-03-01T08:00:00Z", "2030-03-01T22:00:00Z"],
  ],
])("an event of %j lasts whole days only if it has dates alone", (dates, [start, end]) => {
  const content = calendarOf([{ ...entry, endDate: undefined, ...dates }], "Club");
  const event = new ICAL.Component(ICAL.parse(content)).getFirstSubcomponent("vevent");
  expect(["dtstart", "dtend"].map((name) => String(event?.getFirstPropertyValue(name)))).toEqual([start, end]);
});

test.each([...hostileTexts, fc.sample(anyText({ maxLength: 200 }), 40).join("\n")])("%j stays plain text", (text) => {
  const content = calendarOf([{ ...entry, ename: text, elocation: text, description: text }, entry], text);
  expect(content.replaceAll("\r\n", "")).not.toMatch(/[^\P{Cc}\t]/u);
  for (const line of content.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const [first, second, ...others] = parsers["ical.js"]?.(content) ?? [];
  expect(others).toEqual([]);
  expect(second).toMatchObject({ summary: "Kickstart", description: `${entry.url}\n\nBring a laptop.` });
  const characters = (whole: string) => [...whole].slice(0, 250).join("");
  expect(characters(first?.summary ?? "")).toBe(characters(oneLine(text)));
  expect(characters(first?.location ?? "")).toBe(characters(manyLines(text)));
});

test("500 entries of the longest texts fit into an answer of 6 MB", () => {
  const long = '🎉"\n'.repeat(4_000);
  const url = `https://club.example/event/${"x".repeat(400)}`;
  const content = calendarOf([{ ...entry, ename: long, elocation: long, description: long, url }], "Club");
  expect(parsers["ical.js"]?.(content)).toHaveLength(1);
  expect(500 * Buffer.byteLength(JSON.stringify(content))).toBeLessThan(5_500_000);
});

test("a seat is CONFIRMED, a place in line or an unsure seat TENTATIVE, and what has ended is no entry", () => {
  const all = registrationStatuses.map((status) => [status, entryStatusOf({ status })] as const);
  expect(Object.fromEntries(all)).toEqual({
    ...{ registered: "CONFIRMED", acceptedComplete: "CONFIRMED", checkedIn: "CONFIRMED" },
    ...{ waitlist: "TENTATIVE", incomplete: "TENTATIVE", accepted: "TENTATIVE", acceptedPending: "TENTATIVE" },
    ...{ cancelled: undefined, rejected: undefined },
  });
  expect(entryStatusOf({ status: "registered", applicant: true })).toBe("TENTATIVE");
  expect(entryStatusOf({ status: "deleted" })).toBeUndefined();
});
