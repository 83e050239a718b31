/** What a message tells of an event's change, and the counts that admins see. */
import { describe, expect, test } from "@jest/globals";
import { countsFrom } from "#api/events/counts.ts";
import type { Seats } from "#domain/capacity/seats.ts";
import type { EventRecord, RegistrationQuestion } from "#domain/events/event.ts";
import { capacityChangeOf, changeOf } from "#domain/events/facts.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { eventRecord } from "./given.ts";

const givenEvent = (more: Partial<EventRecord> = {}): EventRecord =>
  eventRecord({ version: 7, termsVersion: 3, scheduleVersion: 4, ...more });
const fact = { id: "gala", year: 2030, generation: "i", ename: "Gala", version: 7 };

describe("a message of an event", () => {
  test.each([
    [["ename"], false, "event.updated", []],
    [["description", "imageUrl", "attendeeFeedbackQuestions"], false, "event.updated", []],
    [["capac", "deadline", "latitude", "isPublished"], false, "event.updated", ["promote"]],
    [["ename", "partnerRegistrationQuestions"], false, "event.updated", ["promote"]],
    [["a field that the seats may follow one day"], false, "event.updated", ["promote"]],
    [["ename", "pricing", "elocation"], true, "event.rescheduled", ["promote"]],
    [["elocation"], true, "event.rescheduled", []],
  ])(
    "of a change of %j, rescheduled %p, is %s, with fields and follow-ups",
    (changed, rescheduled, type, followUps) => {
      const schedule = rescheduled ? { scheduleVersion: 4 } : {};
      const told = changeOf({ event: givenEvent(), changed, rescheduled, changesMode: false, changesCounting: false });
      expect(told).toStrictEqual({ type, data: { ...fact, followUps, changed, ...schedule } });
    },
  );

  test.each([
    [120, 120],
    [undefined, null],
  ])("tells the capacity %p as %p", (capac, told) => {
    const message = capacityChangeOf({
      event: givenEvent({ capac }),
      changed: ["capac"],
      rescheduled: false,
      changesMode: false,
      changesCounting: false,
    });
    expect(message).toStrictEqual({
      type: "event.capacityChanged",
      data: { ...fact, followUps: ["promote"], capac: told },
    });
  });
});

describe("counts", () => {
  const givenSeats = (event: EventRecord, more: Partial<Seats> = {}): Seats => ({ ...newSeats(event, false), ...more });

  test("come from one counter each, and the waitlist from the length of the line", () => {
    const seats = { registered: 1, checkedIn: 2, applicants: 4, incomplete: 5, accepted: 6, partners: 7, seats: 14 };
    expect(countsFrom(givenEvent(), givenSeats(givenEvent(), seats), 3)).toStrictEqual({
      registeredCount: 1,
      checkedInCount: 2,
      waitlistCount: 3,
      applicantCount: 4,
      incompleteCount: 5,
      acceptedCount: 6,
      partnerCount: 7,
      seatsTaken: 14,
      remaining: null,
      dynamicCounts: [],
    });
  });

  describe("counts of choices", () => {
    const question = (more: Partial<RegistrationQuestion>): RegistrationQuestion => ({
      questionId: "w",
      label: "Which one?",
      type: "WORKSHOP_SELECTION",
      required: true,
      ...more,
    });
    const dynamicCounts = (event: EventRecord, more: Partial<Seats> = {}) =>
      countsFrom(event, givenSeats(event, more), 0).dynamicCounts;

    test("are given for each choice of each workshop, partners' ones too, and for no other question", () => {
      const event = givenEvent({
        registrationQuestions: [
          question({ choices: ["a", "b"], participantCap: 9 }),
          question({ questionId: "s", type: "SELECT", choices: ["x"] }),
        ],
        partnerRegistrationQuestions: [question({ questionId: "p", choices: ["c"] })],
      });
      expect(dynamicCounts(event, { choiceHolders: { w: { b: 4 }, s: { x: 1 } } })).toStrictEqual([
        {
          questionId: "w",
          counts: [
            { label: "a", count: 0, cap: 9 },
            { label: "b", count: 4, cap: 9 },
          ],
        },
        { questionId: "p", counts: [{ label: "c", count: 0, cap: null }] },
      ]);
    });
  });
});
