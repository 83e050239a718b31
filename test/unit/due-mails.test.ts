/** Which mails of an event are due by the clock (`docs/contract.md`, "Notices"). */
import { expect, test } from "@jest/globals";
import { dueMails } from "#domain/events/due-mails.ts";
import type { EventRecord } from "#domain/events/event.ts";

const times = { reminders: [24], timeZone: "America/Vancouver" };
const hour = 3_600_000;
/** Saturday, 19:00 to 23:00 in Vancouver. */
const gala = { startDate: "2026-05-03T02:00:00Z", endDate: "2026-05-03T06:00:00Z" } as EventRecord;
const start = Date.parse(gala.startDate as string);
const withForm = { ...gala, attendeeFeedbackEnabled: true } as EventRecord;
const onSaturday = {
  ...{ attendeeFeedbackEnabled: true, startDate: "2026-05-02T07:00:00Z", wholeDays: { startDate: "2026-05-02" } },
} as unknown as EventRecord;
const reminder = (hours: number, day = "2026-05-02") => ({ mail: "reminder", hours, day });
const late = { mail: "feedback", form: "attendee", isLate: true };
const feedback = (form = "attendee") => ({ mail: "feedback", form });

test.each<[string, Partial<EventRecord>, number, object[]]>([
  ["a millisecond early", {}, start - 24 * hour - 1, []],
  ["at the stage's time", {}, start - 24 * hour, [reminder(24)]],
  ["a millisecond before the start", {}, start - 1, [reminder(24)]],
  ["at the start", {}, start, []],
  ["with times of its own, of which all are due", { reminders: [168, 2, 48] }, start - hour, [reminder(2)]],
  ["with times of its own, of which one is due", { reminders: [72, 2] }, start - 3 * hour, [reminder(72)]],
  ["that wants none", { reminders: [] }, start - hour, []],
  ["that is completed", { isCompleted: true }, start - hour, [reminder(24)]],
  ["a week later", { startDate: "2026-05-10T02:00:00Z" }, start + 6 * 24 * hour, [reminder(24, "2026-05-09")]],
  ["without a date", { startDate: undefined as never }, start, []],
])("of an event %s", (_name, changes, now, expected) => {
  expect(dueMails({ ...gala, ...changes }, now, times)).toEqual(expected);
});

test.each<[string, EventRecord, string, object[]]>([
  ["in the night after", withForm, "2026-05-03T15:59:59Z", []],
  ["at nine in the morning after", withForm, "2026-05-03T16:00:00Z", [feedback()]],
  ["a week later", withForm, "2026-05-10T15:59:59Z", [feedback()]],
  ["then again, to those who were checked in since", withForm, "2026-05-10T16:00:00Z", [feedback(), late]],
  ["within two weeks after the end", withForm, "2026-05-17T05:59:59Z", [feedback(), late]],
  ["after that", withForm, "2026-05-17T06:00:00Z", []],
  [
    "of an event of ten weeks",
    { ...withForm, startDate: "2026-03-01T02:00:00Z" } as EventRecord,
    "2026-05-03T16:00:00Z",
    [feedback()],
  ],
  [
    "of two forms",
    { ...withForm, partnerFeedbackEnabled: true },
    "2026-05-03T16:00:00Z",
    [feedback(), feedback("partner")],
  ],
  ["without a form", gala, "2026-05-03T16:00:00Z", []],
  ["of an event without an end", { ...withForm, endDate: undefined as never }, "2026-05-03T16:00:00Z", [feedback()]],
  [
    "of an evening that ends at 01:30",
    { ...withForm, endDate: "2026-05-03T08:30:00Z" },
    "2026-05-03T16:00:00Z",
    [feedback()],
  ],
  ["of a night that ends at 06:00", { ...withForm, endDate: "2026-05-03T13:00:00Z" }, "2026-05-03T16:00:00Z", []],
  ["on a whole day", onSaturday, "2026-05-02T16:00:00Z", []],
  ["after a whole day", onSaturday, "2026-05-03T16:00:00Z", [feedback()]],
])("an invitation to give feedback %s", (_name, event, now, expected) => {
  expect(dueMails(event, Date.parse(now), times)).toEqual(expected);
});
