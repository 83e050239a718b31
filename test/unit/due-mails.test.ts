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
const reminder = (hours: number) => ({ mail: "reminder", hours });
const feedback = { mail: "feedback" };

test.each<[string, Partial<EventRecord>, number, object[]]>([
  ["a millisecond early", {}, start - 24 * hour - 1, []],
  ["at the stage's time", {}, start - 24 * hour, [reminder(24)]],
  ["a millisecond before the start", {}, start - 1, [reminder(24)]],
  ["at the start", {}, start, []],
  ["with times of its own", { reminders: [72, 2] }, start - hour, [reminder(72), reminder(2)]],
  ["with times of its own, of which one is due", { reminders: [72, 2] }, start - 3 * hour, [reminder(72)]],
  ["that wants none", { reminders: [] }, start - hour, []],
  ["that is completed", { isCompleted: true }, start - hour, []],
  ["without a date", { startDate: undefined as never }, start, []],
])("of an event %s", (_name, changes, now, expected) => {
  expect(dueMails({ ...gala, ...changes }, now, times)).toEqual(expected);
});

test.each<[string, EventRecord, string, object[]]>([
  ["in the night after", withForm, "2026-05-03T15:59:59Z", []],
  ["at nine in the morning after", withForm, "2026-05-03T16:00:00Z", [feedback]],
  ["three days later", withForm, "2026-05-06T15:59:59Z", [feedback]],
  ["after that", withForm, "2026-05-06T16:00:00Z", []],
  ["without a form", gala, "2026-05-03T16:00:00Z", []],
  ["of an event without an end", { ...withForm, endDate: undefined as never }, "2026-05-03T16:00:00Z", [feedback]],
  [
    "of an event that ends in the morning",
    { ...withForm, endDate: "2026-05-03T08:00:00Z" },
    "2026-05-03T16:00:00Z",
    [],
  ],
])("an invitation to give feedback %s", (_name, event, now, expected) => {
  expect(dueMails(event, Date.parse(now), times)).toEqual(expected);
});
