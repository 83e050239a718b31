/** What a message tells of an event's change, and the counts that admins see. */
import { describe, expect, test } from "@jest/globals";
import { countsFrom } from "#api/events/counts.ts";
import type { Seats } from "#domain/capacity/seats.ts";
import type { ChangedEvent, EventRecord } from "#domain/events/event.ts";
import { capacityChangeOf, changeOf } from "#domain/events/facts.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { eventRecord } from "./given.ts";

const givenEvent = (more: Partial<EventRecord> = {}): EventRecord =>
  eventRecord({ version: 7, termsVersion: 3, scheduleVersion: 4, ...more });
const fact = { id: "gala", year: 2030, generation: "i", ename: "Gala", version: 7 };

describe("a message of an event", () => {
  test.each([
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
      const same = {
        isBack: false,
        isCalledOff: false,
        changesMode: false,
        changesCounting: false,
        changesPools: false,
      };
      const told = changeOf({ event: givenEvent(), changed, rescheduled, ...same });
      expect(told).toStrictEqual({ type, data: { ...fact, followUps, changed, ...schedule } });
    },
  );

  test("says that an event is called off, whatever else the change is", () => {
    const change = { event: givenEvent(), changed: ["calledOff", "startDate"], rescheduled: true, isCalledOff: true };
    expect(changeOf(change as unknown as ChangedEvent)).toStrictEqual({ type: "event.calledOff", data: fact });
  });

  test.each([
    [120, 120],
    [undefined, null],
  ])("tells the capacity %p as %p", (capac, told) => {
    const { type, data } = capacityChangeOf({ event: givenEvent({ capac }) } as ChangedEvent);
    expect([type, data]).toStrictEqual(["event.capacityChanged", { ...fact, followUps: ["promote"], capac: told }]);
  });
});

describe("counts", () => {
  const givenSeats = (event: EventRecord, more: Partial<Seats> = {}): Seats => ({ ...newSeats(event, false), ...more });

  test("come from one counter each, and the waitlist from the length of the line", () => {
    const seats = {
      ...{ registered: 1, checkedIn: 2, applicants: 4, incomplete: 5, accepted: 6, partners: 7, seats: 14 },
      ...{ partnerSeats: 9, partnersCheckedIn: 10, partnerCapacity: 20 },
    };
    expect(countsFrom({ ...givenEvent(), partnerCapac: 20 }, givenSeats(givenEvent(), seats), [3, 8])).toStrictEqual({
      ...{ registeredCount: 1, checkedInCount: 2, waitlistCount: 3, applicantCount: 4, incompleteCount: 5 },
      ...{ acceptedCount: 6, partnerCount: 7, seatsTaken: 14, remaining: null, dynamicCounts: [] },
      ...{ partnerCheckedInCount: 10, partnerWaitlistCount: 8, partnerRemaining: 11 },
    });
    const overfull = givenSeats(givenEvent(), { capacity: 13, seats: 14 });
    expect(countsFrom(givenEvent(), overfull, [0, 0])).toMatchObject({ remaining: 0, partnerRemaining: null });
  });

  test("of choices are given for each workshop, partners' ones too, and for no other question", () => {
    const workshop = { label: "Which one?", type: "WORKSHOP_SELECTION", required: true } as const;
    const event = givenEvent({
      registrationQuestions: [
        { ...workshop, questionId: "w", choices: ["a", "b"], participantCap: 9 },
        { ...workshop, questionId: "s", choices: ["x"], type: "SELECT" },
      ],
      partnerRegistrationQuestions: [{ ...workshop, questionId: "p", choices: ["c"] }],
    });
    const holders = { choiceHolders: { w: { b: 4, gone: 5 }, s: { x: 1 } } };
    expect(countsFrom(event, givenSeats(event, holders), [0, 0]).dynamicCounts).toStrictEqual([
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
