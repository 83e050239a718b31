/** Which people may register for which event (`docs/contract.md`, "Registrations"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { type AdmissionFacts, entryFor, isClosed, mayEnter } from "#domain/registrations/form/eligibility.ts";
import type { NewRegistration } from "#domain/registrations/record/new-registration.ts";
import { NotFound } from "#kit/errors.ts";
import { eventRecord } from "./given.ts";

const now = 1_800_000_000_000;
const request: NewRegistration = { eventID: "e", year: 2030, email: "a@unit.example" };

interface Given {
  readonly event?: Partial<EventRecord>;
  readonly seats?: Partial<Seats>;
  readonly isMember?: boolean;
  readonly byAdmin?: boolean;
  readonly request?: Partial<NewRegistration>;
}

/** The facts of a free and open event in a year, with seats that fit it. */
function given({ event: eventChanges, seats: seatChanges, isMember = false, byAdmin = false }: Given): AdmissionFacts {
  const event = eventRecord({ id: "e", deadline: new Date(now + 1).toISOString(), generation: "i1", ...eventChanges });
  const origin = byAdmin ? "admin/desk" : "self/account";
  return { event, seats: { ...newSeats(event, false), ...seatChanges }, isMember, origin, now };
}
const decide = (situation: Given = {}) => entryFor({ ...request, ...situation.request }, given(situation));

/** The name of the refusal, or `welcome`. */
function outcome(situation: Given): string {
  try {
    decide(situation);
    return "welcome";
  } catch (error) {
    return (error as Error).constructor.name;
  }
}

test("an entry has the event, its seats, the terms and the answers", () => {
  const facts = given({});
  const { event, seats } = facts;
  expect(entryFor(request, facts)).toEqual({
    event,
    seats,
    terms: { application: false, priced: false },
    entryPrice: 0,
    answers: { responses: {}, choices: {} },
  });
});

describe.each([false, true])("asked by an admin: %s", (byAdmin) => {
  test.each<[string, Partial<AdmissionFacts>]>([
    ["no event", { event: undefined }],
    ["no seats", { seats: undefined }],
  ])("with %s the event is not found", (_, missing) => {
    expect(() => entryFor(request, { ...given({ byAdmin }), ...missing })).toThrow(NotFound);
  });

  test.each<[string, Partial<Seats>]>([
    ["an event that is deleted", { state: "DELETED" }],
    ["seats of an earlier generation", { generation: "i0" }],
  ])("%s is not found", (_, seats) => {
    expect(() => decide({ seats, byAdmin })).toThrow(NotFound);
  });
});

test.each<[string, Partial<EventRecord>, boolean, { application: boolean; priced: boolean }]>([
  ["a member", { pricing: { member: 0, nonMember: 10 } }, true, { application: false, priced: false }],
  ["a non-member", { pricing: { member: 0, nonMember: 10 } }, false, { application: false, priced: true }],
  ["an applicant", { isApplicationBased: true }, false, { application: true, priced: false }],
])("the terms of %s are right", (_, event, isMember, terms) => {
  expect(decide({ event, isMember, byAdmin: true }).terms).toEqual(terms);
});

describe("opening", () => {
  test.each([
    [1, false, "NotOpenYet"],
    [0, false, "welcome"],
    [1, true, "welcome"],
  ])("%i ms before it, by an admin: %s", (left, byAdmin, expected) => {
    expect(outcome({ seats: { opensAt: now + left }, byAdmin })).toBe(expected);
  });

  test("the refusal says when to come back, never too early", () => {
    const opensAt = now + 1_001;
    expect(() => decide({ seats: { opensAt } })).toThrow(
      expect.objectContaining({
        details: { opensAt: new Date(opensAt).toISOString() },
        headers: { "retry-after": "2" },
      }),
    );
  });

  test("a person with a registration is not refused, and seats of earlier times are open", () => {
    const facts = given({ seats: { opensAt: now + 1 } });
    expect(entryFor(request, { ...facts, existing: { isPartner: false } }).event.id).toBe("e");
    expect(outcome({ seats: { opensAt: undefined } })).toBe("welcome");
  });
});

describe("deadline", () => {
  test.each<[number, Seats["state"], boolean]>([
    [1, "OPEN", false],
    [0, "OPEN", true],
    [-1, "OPEN", true],
    [1, "CLOSED", true],
    [-1, "CLOSED", true],
  ])("%i ms before it, %s: closed %s", (left, state, closed) => {
    const seats = { deadline: now + left, state };
    expect(isClosed(seats, now)).toBe(closed);
    expect(outcome({ seats })).toBe(closed ? "EventClosed" : "welcome");
    expect(outcome({ seats, byAdmin: true })).toBe("welcome");
  });

  const date = (after: number) => new Date(now + after).toISOString();
  test.each<[string, Partial<EventRecord>, string]>([
    ["that has passed", { deadline: date(0), endDate: date(9), startDate: date(8) }, "EventClosed"],
    ["missing: the end that has passed", { deadline: undefined, endDate: date(0), startDate: date(-1) }, "EventClosed"],
    ["and end missing: the start that has passed", { deadline: undefined, startDate: date(0) }, "EventClosed"],
    ["does not matter once completed", { isCompleted: true }, "EventClosed"],
  ])("%s", (_, event, expected) => {
    expect(outcome({ event })).toBe(expected);
    expect(outcome({ event, byAdmin: true })).toBe("welcome");
  });
});

test("a person who registers again pays as what they are registered as, whatever the request says", () => {
  const facts = given({ event: { pricing: { member: 5, nonMember: 10 } }, isMember: true });
  const asPartner = { ...request, isPartner: true };
  expect(entryFor(asPartner, { ...facts, existing: { isPartner: false } }).entryPrice).toBe(500);
  expect(entryFor(asPartner, facts).entryPrice).toBe(1_000);
});

test("partners answer their own questions, or those of everybody if they have none", () => {
  const question = { questionId: "q", label: "Q", type: "TEXT", required: true } as const;
  const event = { registrationQuestions: [question], partnerRegistrationQuestions: [{ ...question, questionId: "p" }] };
  const dynamicResponses = { q: "asked of everybody", p: "asked of partners" };
  const answersOf = (isPartner?: boolean) =>
    decide({ event, request: { isPartner, dynamicResponses } }).answers.responses;
  expect(answersOf()).toEqual({ q: "asked of everybody" });
  expect(answersOf(false)).toEqual({ q: "asked of everybody" });
  expect(answersOf(true)).toEqual({ p: "asked of partners" });
  const without = { event: { registrationQuestions: [question] }, request: { isPartner: true } };
  expect(outcome(without)).toBe("ValidationFailed");
  expect(decide({ ...without, request: { isPartner: true, dynamicResponses } }).answers.responses).toEqual({
    q: "asked of everybody",
  });
});

test("an admin skips deadline, hidden, completed and members-only in every combination, and no other caller skips one", () => {
  const situation = fc.record({
    isPublished: fc.constantFrom(undefined, true, false),
    isCompleted: fc.boolean(),
    late: fc.boolean(),
    nonBizTechAllowed: fc.constantFrom(undefined, true, false),
    isMember: fc.boolean(),
  });
  fc.assert(
    fc.property(situation, ({ isPublished, isCompleted, late, nonBizTechAllowed, isMember }) => {
      const deadline = new Date(now + (late ? -1 : 1)).toISOString();
      const about = { event: { isPublished, isCompleted, nonBizTechAllowed, deadline }, isMember };
      const refusals = [
        ...(isPublished ? [] : ["NotFound"]),
        ...(isCompleted || late ? ["EventClosed"] : []),
        ...(nonBizTechAllowed === false && !isMember ? ["MembersOnly"] : []),
      ];
      // A hidden event shows no other reason.
      expect(outcome(about)).toBe(refusals[0] ?? "welcome");
      expect(outcome({ ...about, byAdmin: true })).toBe("welcome");
    }),
  );
});

describe("whether a person may register again by the link of a mail", () => {
  const byLink = (situation: Given, more: Partial<AdmissionFacts> = {}): AdmissionFacts => ({
    ...given(situation),
    ...{ origin: "self/link", guests: "everyone", ...more },
  });

  const rows: readonly (readonly [string, boolean, Given, Partial<AdmissionFacts>])[] = [
    ["an open event", true, {}, {}],
    [
      "an event that asks what they have not answered",
      true,
      { event: { registrationQuestions: [{ questionId: "q", label: "Q", type: "TEXT", required: true }] } },
      {},
    ],
    ["a full event, which has a line", true, { seats: { capacity: 1, seats: 1 } }, {}],
    ["an event that opens later", false, { seats: { opensAt: now + 1 } }, {}],
    ["an event whose deadline is now", false, { seats: { deadline: now } }, {}],
    ["a hidden event", false, { event: { isPublished: false } }, {}],
    ["a deleted event", false, { seats: { state: "DELETED" } }, {}],
    ["an event for members", false, { event: { nonBizTechAllowed: false } }, {}],
    ["an event for members, as one", true, { event: { nonBizTechAllowed: false }, isMember: true }, {}],
    ["an event without guests", false, { event: { guests: "nobody" } }, {}],
    ["an event without guests, with an account", true, { event: { guests: "nobody" } }, { hasAccount: true }],
    ["a stage without guests", false, {}, { guests: "nobody" }],
    ["an event with guests on such a stage", true, { event: { guests: "everyone" } }, { guests: "nobody" }],
  ];

  test.each(rows)("to %s: %s", (_, expected, situation, more) => {
    expect(mayEnter(request, byLink(situation, more))).toBe(expected);
  });

  test("an event with guests who are partners takes partners, where it wants any", () => {
    const partner = { isPartner: true };
    const facts = byLink({ event: { guests: "partners", partnerCapac: 1 } });
    expect([mayEnter(partner, facts), mayEnter({}, facts)]).toEqual([true, false]);
    expect(mayEnter(partner, byLink({ event: { guests: "partners" } }))).toBe(false);
  });

  test("a mistake is no refusal", () => {
    const broken = {
      ...given({}),
      get seats(): never {
        throw new TypeError("broken");
      },
    };
    expect(() => mayEnter(request, broken)).toThrow(TypeError);
  });
});
