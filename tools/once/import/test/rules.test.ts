/** Rules of a repeated import, and of the seats that it takes over (`docs/moving-in.md`). */
import "../../../../test/unit/environment.ts";

import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Seats } from "#domain/capacity/seats.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { holderOf, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { Counts, countDifferences, differenceText, otherTerms } from "../../../ops/invariants/seats.ts";
import { fingerprint, fingerprintOfStored } from "../fingerprint.ts";
import { mapEvent } from "../map/event.ts";
import { verdictOn } from "../verdict.ts";
import { countsAfter } from "../write/taken-over.ts";

describe("a repeated import", () => {
  const remembered = { source: "row", updatedAt: 100, written: "record" };
  test.each<[string, string, number, typeof remembered | undefined, string | undefined, string]>([
    ["a first row", "row", 100, undefined, undefined, "new"],
    ["a record that the service made itself", "row", 100, undefined, "own", "made here"],
    ["the same row", "row", 100, remembered, "record", "unchanged"],
    ["the same row of a record that changed here", "row", 100, remembered, "edited", "unchanged"],
    ["a newer row", "row2", 101, remembered, "record", "update"],
    ["a newer row of a record that changed here", "row2", 101, remembered, "edited", "changed here"],
    ["the same row of a record that was deleted here", "row", 100, remembered, undefined, "deleted here"],
  ])("%s", (_name, source, updatedAt, known, stored, verdict) => {
    expect(verdictOn({ source, updatedAt }, known, stored)).toBe(verdict);
  });

  test("never writes over a record that is not as an import left it", () => {
    const text = fc.constantFrom("a", "b", "c");
    const note = fc.option(fc.record({ source: text, updatedAt: fc.nat(3), written: text }), { nil: undefined });
    const table = fc.option(text, { nil: undefined });
    fc.assert(
      fc.property(text, fc.nat(3), note, table, (source, updatedAt, known, stored) => {
        const verdict = verdictOn({ source, updatedAt }, known, stored);
        if (verdict === "new") expect([known, stored]).toEqual([undefined, undefined]);
        if (verdict === "update") expect(stored).toBe(known?.written);
      }),
    );
  });

  test("compares content, in whatever order DynamoDB returns it, without keys", () => {
    expect(fingerprint({ a: 1, b: { d: [1], c: 2 }, e: undefined })).toBe(fingerprint({ b: { c: 2, d: [1] }, a: 1 }));
    expect(fingerprint({ a: 1 })).not.toBe(fingerprint({ a: "1" }));
    expect(fingerprintOfStored({ PK: "x", SK: "y", GSI1PK: "z", GSI1SK: "z", leaderboard: "l", a: 1 })).toBe(
      fingerprint({ a: 1 }),
    );
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

const takeOver = (
  seats: Seats,
  all: readonly RegistrationRecord[],
  before: readonly RegistrationRecord[] = [],
): Seats => ({
  ...seats,
  ...countsAfter(
    seats,
    all.map((after) => {
      const known = before.find(({ email }) => email === after.email);
      return { ...(known && { before: holderOf(known) }), after: holderOf(after), waits: after.status === "waitlist" };
    }),
  ),
});

describe("seats of people who are taken over", () => {
  test("are what the registrations say, also above the capacity, and after any change of them", () => {
    fc.assert(
      fc.property(registrations, registrations, fc.nat(12), (first, second, cut) => {
        const empty = newSeats(event, false);
        const parts = takeOver(takeOver(empty, first.slice(0, cut)), first.slice(cut));
        expect(contradictions(parts, first)).toEqual([]);
        const changed = second.slice(0, first.length);
        const rest = first.slice(changed.length);
        const seats = takeOver(parts, changed, first);
        const all = [...changed, ...rest];
        expect(contradictions(seats, all)).toEqual([]);
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
