/** What a copy of an event has (`docs/contract.md`, "Events"). */
import { expect, test } from "@jest/globals";
import { copyOf } from "#domain/events/copy.ts";
import { toUtc } from "#domain/events/dates.ts";
import { changeEvent, type EventRecord, newEvent } from "#domain/events/event.ts";
import type { NewEvent } from "#domain/events/event-input.ts";

const settings = { timeZone: "Europe/Berlin", currency: "EUR" };
const made = (fields: NewEvent) => newEvent(fields, { now: 1, generation: "i", ...settings });

const entered: NewEvent = {
  id: "gala",
  year: 2030,
  ename: "Gala",
  capac: 40,
  elocation: "Great Hall",
  nonBizTechAllowed: false,
  pricing: { member: 5, nonMember: 9 },
  registrationQuestions: [{ questionId: "q", label: "Why?", type: "TEXT", required: true }],
  attendeeFeedbackEnabled: true,
  eventPage: { b: 1, a: [2] },
};
const dates = {
  startDate: "2030-03-08T18:00",
  endDate: "2030-03-08T22:00",
  deadline: "2030-03-07",
  opensAt: "2030-02-20T12:00",
  refundUntil: "2030-03-01T12:00",
};
const copied = (source: EventRecord, startDate?: string) =>
  made(copyOf(source, { id: "ball", year: 2031, ...(startDate !== undefined && { startDate }) }, settings.timeZone));

test("a copy is a new draft with everything an admin has entered", () => {
  const { event } = changeEvent(
    made({ ...entered, ...dates, isPublished: true, isCompleted: true, publishAt: "2030-01-01" }),
    { description: "Dance." },
    { now: 2, ...settings },
  );
  expect(copied(event)).toEqual(made({ ...entered, description: "Dance.", id: "ball", year: 2031 }));
  const renamed = copyOf(event, { id: "ball", year: 2031, ename: "Ball" }, settings.timeZone);
  expect(renamed.ename).toBe("Ball");
});

test("its dates keep their distance to the start by the clock on the wall, over a clock change too", () => {
  // Summer time begins on 31 March 2030, between the two starts.
  expect(copied(made({ ...entered, ...dates }), "2030-04-12T18:00")).toMatchObject({
    startDate: "2030-04-12T16:00:00.000Z",
    endDate: "2030-04-12T20:00:00.000Z",
    deadline: "2030-04-11T21:59:59.999Z",
    opensAt: "2030-03-27T11:00:00.000Z",
    refundUntil: "2030-04-05T10:00:00.000Z",
  });
});

test("an event of whole days has a copy of whole days", () => {
  const source = made({ ...entered, startDate: "2030-03-30", endDate: "2030-03-31", deadline: "2030-03-28" });
  expect(copied(source, "2030-04-12").wholeDays).toEqual({
    ...{ startDate: "2030-04-12", endDate: "2030-04-13", deadline: "2030-04-10" },
  });
});

test("of an event without a start it has only the new one", () => {
  const event = made({ ...entered, deadline: "2030-03-07" });
  expect(copied(event, "2031-01-01T18:00")).toEqual(
    made({ ...entered, id: "ball", year: 2031, startDate: "2031-01-01T18:00" }),
  );
});

test("in a zone whose clocks do not change any more, as in British Columbia, the start is the one that was asked for", () => {
  const zone = "America/Vancouver";
  const source = newEvent(
    { ...entered, startDate: "2030-03-01T18:00", opensAt: "2029-12-01T12:00" },
    { now: 1, generation: "i", ...settings, timeZone: zone },
  );
  expect(copyOf(source, { id: "ball", year: 2031, startDate: "2031-03-01T18:00" }, zone)).toMatchObject({
    startDate: toUtc("2031-03-01T18:00", zone),
    opensAt: toUtc("2030-12-01T12:00", zone),
  });
});
