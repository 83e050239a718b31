/** Rules of a repeated import, and of the seats that it takes over (`docs/moving-in.md`). */
import "../../../../test/unit/environment.ts";

import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Seats } from "#domain/capacity/seats.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { holderOf, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { Counts, countDifferences, differenceText, otherTerms } from "../../../ops/invariants/seats.ts";
import { mapEvent } from "../map/event.ts";
import { countsAfter } from "../write/taken-over.ts";
import { verdictOn } from "../write/verdict.ts";

describe("a repeated import", () => {
  test.each([
    ["a first row", undefined, undefined, "new"],
    ["a record that the service made itself", undefined, {}, "made here"],
    ["an imported record", {}, {}, "imported before"],
    ["an imported record that was deleted here", {}, undefined, "deleted here"],
  ])("%s", (_name, note, stored, verdict) => {
    expect(verdictOn(note, stored)).toBe(verdict);
  });
});

const event = (() => {
  const mapped = mapEvent(
    {
      id: "gala",
      year: 2026,
      ename: "Gala",
      capac: 2,
      registrationQuestions: [
        { questionId: "shop", label: "S", type: "WORKSHOP_SELECTION", choices: "A,B", participantCap: 1 },
      ],
    },
    { timeZone: "America/Vancouver", currency: "CAD" },
  );
  if ("refused" in mapped) throw new Error(mapped.refused);
  return { ...mapped.record.event, generation: "g" };
})();

const registrations = fc
  .array(
    fc.record({
      status: fc.constantFrom(...registrationStatuses),
      applicant: fc.boolean(),
      isPartner: fc.boolean(),
      choices: fc.constantFrom<Record<string, string>>({}, { shop: "A" }, { shop: "B" }),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(
      ({ applicant, ...one }, n): RegistrationRecord => ({
        ...one,
        ...(applicant && one.status === "registered" && { applicant }),
        email: `p${n}@x.example`,
        eventID: "gala",
        year: 2026,
        fname: "",
        basicInformation: {},
        dynamicResponses: {},
        points: 0,
        queueKey: `${1e12 + n}#a`,
        generation: "g",
        version: 1,
        noticeVersion: 1,
        ticketId: "t",
        calendarUid: "c",
        createdAt: 1,
        updatedAt: 1,
      }),
    ),
  );

/** What the seats say otherwise than the registrations and the event. */
function contradictions(seats: Seats, all: readonly RegistrationRecord[]): string[] {
  const counts = new Counts();
  for (const one of all) counts.add(one);
  return [...countDifferences(counts, seats).map(differenceText), ...otherTerms(event, seats)];
}

const takeOver = (seats: Seats, all: readonly RegistrationRecord[]): Seats => ({
  ...seats,
  ...countsAfter(
    seats,
    all.map((after) => ({ after: holderOf(after), waits: after.status === "waitlist" })),
  ),
});

describe("seats of people who are taken over", () => {
  test("are what the registrations say, also above the capacity", () => {
    fc.assert(
      fc.property(registrations, fc.nat(12), (all, cut) => {
        const parts = takeOver(takeOver(newSeats(event, false), all.slice(0, cut)), all.slice(cut));
        expect(contradictions(parts, all)).toEqual([]);
      }),
    );
  });

  test("let no newcomer pass a person who waits", () => {
    fc.assert(
      fc.property(registrations, (all) => {
        const seats = takeOver(newSeats(event, false), all);
        expect(seats.gate === "queued").toBe(all.some(({ status }) => status === "waitlist"));
      }),
    );
  });
});
