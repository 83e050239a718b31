import { describe, expect, test } from "@jest/globals";
import { datesAfter, endOf, momentOf, toUtc } from "#domain/events/dates.ts";
import { whenText } from "#domain/mail/when.ts";
import { inviteOf } from "#domain/notices/invite.ts";
import { zoneAt } from "#kit/text/time-zone.ts";
import { givenEvent, settings } from "./golden/notices.ts";

test.each([
  ["2026-01-15T18:00", "2026-01-16T02:00:00.000Z"],
  ["2026-07-15 18:00:30", "2026-07-16T01:00:30.000Z"],
  // British Columbia stays at UTC-7 from 8 March 2026 on, in winter too, whatever Node's own data say.
  ["2026-12-15T18:00", "2026-12-16T01:00:00.000Z"],
  ["2026-11-01T01:30", "2026-11-01T08:30:00.000Z"],
  ["2026-11-01T02:00", "2026-11-01T09:00:00.000Z"],
  ["2026-03-08T02:30", "2026-03-08T10:30:00.000Z"],
  ["2026-01-15T18:00:00+02:00", "2026-01-15T16:00:00.000Z"],
])("the time %s in Vancouver is %s", (text, utc) => {
  expect(toUtc(text, "America/Vancouver")).toBe(utc);
});

test.each([
  ["America/Edmonton", "2026-12-15T18:00", "2026-12-16T00:00:00.000Z"],
  ["America/Los_Angeles", "2026-12-15T18:00", "2026-12-16T02:00:00.000Z"],
])("a time of %s: %s is %s", (timeZone, text, utc) => {
  expect(toUtc(text, timeZone)).toBe(utc);
});

describe("a zone whose rule is newer than Node's data", () => {
  const changed = Date.parse("2026-11-01T09:00:00Z");

  test("is replaced by one of its offset, from the change on and for older data only", () => {
    const zones = (release: string) => [changed - 1, changed].map((at) => zoneAt(at, "America/Vancouver", release));
    expect(zones("2025c")).toEqual(["America/Vancouver", "Etc/GMT+7"]);
    expect(zones("2026a")).toEqual(zones("2025c"));
    // Control: Node with newer data decides by itself.
    expect(zones("2026b")).toEqual(["America/Vancouver", "America/Vancouver"]);
    expect(zoneAt(changed, "America/Toronto", "2025c")).toBe("America/Toronto");
  });
});

test("an evening in winter is at the same moment in the mail and in the calendar entry", () => {
  const startDate = toUtc("2026-12-15T18:00", settings.timeZone);
  const endDate = toUtc("2026-12-15T20:00", settings.timeZone);
  const invite = inviteOf(givenEvent("registered", { startDate, endDate }), settings);
  expect(invite?.content).toContain("DTSTART:20261216T010000Z\r\n");
  expect(invite?.content).toContain("DTEND:20261216T030000Z\r\n");
  expect(whenText({ startDate, endDate }, settings.timeZone)).toContain("6:00 – 8:00 PM");
});

describe("a date alone", () => {
  test.each([
    ["startDate", "2026-05-01", "2026-05-01T07:00:00.000Z"],
    ["opensAt", "2026-05-01", "2026-05-01T07:00:00.000Z"],
    ["publishAt", "2026-05-01", "2026-05-01T07:00:00.000Z"],
    ["endDate", "2026-05-01", "2026-05-02T06:59:59.999Z"],
    ["deadline", "2026-03-07", "2026-03-08T07:59:59.999Z"],
    // This day has 23 hours.
    ["refundUntil", "2026-03-08", "2026-03-09T06:59:59.999Z"],
    ["deadline", "2026-05-01T00:00", "2026-05-01T07:00:00.000Z"],
  ] as const)("as %s: %s is %s", (field, text, utc) => {
    expect(momentOf(field, text, "America/Vancouver")).toBe(utc);
  });

  test.each([
    [{ startDate: "2026-05-01" }, "Friday, May 1, 2026"],
    [{ startDate: "2026-05-01", endDate: "2026-05-03" }, "Friday, May 1 – Sunday, May 3, 2026"],
  ])("%j is in mails %s", (wholeDays, text) => {
    const dates = Object.entries(wholeDays).map(([name, day]) => [name, momentOf(name as "endDate", day, "UTC")]);
    expect(whenText({ ...Object.fromEntries(dates), wholeDays }, settings.timeZone)).toBe(text);
  });

  test("of an event is read in its own time zone", () => {
    const event = { startDate: "2026-05-01T22:00:00.000Z", timeZone: "America/Toronto" };
    expect(whenText(event, settings.timeZone)).toBe("Friday, May 1, 2026 at 6:00 PM EDT");
  });
});

const evening = { startDate: "2026-05-01T18:00:00.000Z", endDate: "2026-05-01T22:00:00.000Z" };
test.each<[string, object, number | undefined]>([
  ["with an end", evening, Date.parse("2026-05-01T22:00Z")],
  ["without an end", { startDate: evening.startDate }, Date.parse("2026-05-02T06:00Z")],
  [
    "of a whole day",
    { startDate: "2026-05-01T07:00Z", wholeDays: { startDate: "2026-05-01" } },
    Date.parse("2026-05-02T07:00Z") - 1,
  ],
  ["without dates", {}, undefined],
])("an event %s is over then", (_name, event, end) => {
  expect(endOf(event)).toBe(end);
});

test.each<[object, string[]]>([
  [{ publishAt: "2026-05-01T22:00:00.000Z", deadline: "2026-05-01T22:00:00.000Z" }, []],
  [{ publishAt: "2026-05-01T22:00:00.001Z", deadline: "2026-05-01T22:00:00.001Z" }, ["publishAt", "deadline"]],
  [{ refundUntil: "2026-05-02T06:59:59.999Z", wholeDays: { refundUntil: "2026-05-01" } }, []],
  [{ refundUntil: "2026-05-03T06:59:59.999Z", wholeDays: { refundUntil: "2026-05-02" } }, ["refundUntil"]],
  [{ startDate: undefined, endDate: undefined, deadline: "2099-01-01T00:00:00.000Z" }, []],
])("after the evening, %j has the dates %j", (dates, after) => {
  expect(datesAfter({ ...evening, ...dates })).toEqual(after);
});
