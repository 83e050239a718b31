/** What a PATCH does to an event (`docs/contract.md`, "Conventions" and "Events"). */
import { expect, test } from "@jest/globals";
import { updateEvent } from "#api/events/routes.ts";
import { changeEvent, newEvent } from "#domain/events/event.ts";
import type { EventChanges } from "#domain/events/event-input.ts";
import { issuesOf } from "#kit/schema/validation.ts";

const settings = { timeZone: "America/Vancouver", currency: "CAD" };
const question = { questionId: "q", label: "Why?", type: "TEXT", required: true } as const;
const stored = newEvent(
  {
    id: "gala",
    year: 2030,
    ename: "Gala",
    capac: 5,
    startDate: "2030-05-01T20:00:00Z",
    endDate: "2030-05-01T22:00:00Z",
    pricing: { member: 5 },
    elocation: "Hall",
    registrationQuestions: [question],
  },
  { now: 1_000, generation: "i", ...settings },
);
const change = (changes: EventChanges) => changeEvent(stored, changes, { now: 2_000, ...settings });
/** The body of a PATCH as the handler gets it. */
const read = (body: unknown) => {
  const request = { pathParameters: { eventId: "gala", year: "2030" }, queryStringParameters: {}, body };
  return { issues: issuesOf(updateEvent.validate, request), body: request.body };
};

test("a change counts the write and sets its time; fields that it does not name stay", () => {
  const { event, changed } = change({ ename: "Ball" });
  expect(event).toStrictEqual({ ...stored, ename: "Ball", version: 2, updatedAt: 2_000 });
  expect(changed).toEqual(["ename"]);
});

test("null removes a field", () => {
  const { event, changed } = change({ capac: null, pricing: null, registrationQuestions: null, endDate: null });
  for (const name of ["capac", "pricing", "registrationQuestions", "endDate"]) expect(event).not.toHaveProperty(name);
  expect(changed).toEqual(["capac", "pricing", "registrationQuestions", "endDate"]);
});

test.each<[string, EventChanges]>([
  ["a removal of absent fields", { deadline: null, description: null }],
  ["the same moment, written differently", { startDate: "2030-05-01 13:00" }],
  ["the same questions", { registrationQuestions: [{ ...question, choices: null }] }],
  ["a list without questions where there is none", { partnerRegistrationQuestions: [], attendeeFeedbackQuestions: [] }],
  ["nothing", {}],
])("%s is no change", (_, changes) => {
  expect(change(changes).changed).toEqual([]);
});

test.each<[keyof EventChanges, EventChanges, number]>([
  ["pricing", { pricing: { member: 5, nonMember: 5 } }, 2],
  ["nonBizTechAllowed", { nonBizTechAllowed: false }, 2],
  ["isApplicationBased", { isApplicationBased: true }, 2],
  ["isPublished", { isPublished: true }, 2],
  ["registrationQuestions", { registrationQuestions: [{ ...question, required: false }] }, 2],
  ["partnerRegistrationQuestions", { partnerRegistrationQuestions: [{ ...question, questionId: "p" }] }, 2],
  ["capac", { capac: 6 }, 1],
  ["deadline", { deadline: "2030-04-01" }, 1],
  ["isCompleted", { isCompleted: true }, 1],
  [
    "attendeeFeedbackQuestions",
    { attendeeFeedbackQuestions: [{ ...question, questionId: "f", type: "SHORT_TEXT" }] },
    1,
  ],
])("a change of %s to %j leaves the terms version at %d", (name, changes, termsVersion) => {
  const { event, changed } = change(changes);
  expect(changed).toEqual([name]);
  expect(event).toMatchObject({ termsVersion, version: 2, generation: "i", createdAt: 1_000 });
});

test("the same key and counters in the body are dropped before the rules see it; another key is refused", () => {
  const immutable = {
    id: "gala",
    year: 2030,
    generation: "x",
    version: 9,
    termsVersion: 9,
    createdAt: 9,
    updatedAt: 9,
  };
  const counters = { counts: {}, registeredCount: 9, seats: 9 };
  expect(read({ ...immutable, ...counters, ename: "Ball" })).toEqual({ issues: [], body: { ename: "Ball" } });
  const { issues } = read({ ...immutable, id: "Gala", year: 2031, ename: "Ball" });
  expect(issues.map(({ path }) => path)).toEqual(["/id", "/year"]);
});
