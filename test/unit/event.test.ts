/** How an event is made from a request, and how it is answered (`docs/contract.md`, "Events"). */
import { describe, expect, test } from "@jest/globals";
import { eventAnswer } from "#api/events/event-answer.ts";
import { type EventRecord, isHidden, newEvent } from "#domain/events/event.ts";
import type { NewEvent } from "#domain/events/event-input.ts";

const timeZone = "America/Vancouver";
const question = { questionId: "q", label: "Why?", type: "TEXT", required: true } as const;
const dateIssue = { path: "/endDate", message: "must not be before startDate" };

const givenEvent = (more: Partial<NewEvent> = {}): EventRecord =>
  newEvent({ id: "gala", year: 2030, ename: "Gala", ...more }, { now: 1_000, incarnation: "i", timeZone });

/** The issues that a caller reads. */
function issuesIn(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return (error as { details: { issues: unknown } }).details.issues;
  }
  return [];
}

describe("a new event", () => {
  test("has version 1, is not completed, and has only the fields that were sent", () => {
    expect(givenEvent({ capac: null, elocation: undefined })).toStrictEqual({
      id: "gala",
      year: 2030,
      ename: "Gala",
      isCompleted: false,
      incarnation: "i",
      version: 1,
      scheduleVersion: 0,
      cfg: 1,
      createdAt: 1_000,
      updatedAt: 1_000,
    });
    expect(givenEvent({ isCompleted: true, latitude: 0 })).toMatchObject({ isCompleted: true, latitude: 0 });
  });

  test.each([
    [49.260_604_96, 49.260_605],
    [-180, -180],
    [5e-324, 0],
  ])("keeps its place to seven decimals: %d is stored as %d", (longitude, stored) =>
    expect(givenEvent({ longitude, latitude: longitude / 2 })).toMatchObject({ longitude: stored }),
  );

  test("has its dates in UTC, and prices and questions in the stored form", () => {
    const dates = { startDate: "2030-01-15", endDate: "2030-01-15T12:00", deadline: "2030-01-14T00:00:00Z" };
    const choices = { ...question, type: "SELECT", choices: "a, b" } as const;
    const partnerChoices = { ...choices, questionId: "p" } as const;
    const feedback = { questionId: "f", label: "How?", type: "CHECKBOXES", required: false, choices: "c" } as const;
    expect(
      givenEvent({
        ...dates,
        pricing: { members: 5, nonMembers: 9 },
        registrationQuestions: [choices],
        partnerRegistrationQuestions: [partnerChoices],
        attendeeFeedbackQuestions: [feedback],
        partnerFeedbackQuestions: [feedback],
      }),
    ).toMatchObject({
      startDate: "2030-01-15T08:00:00.000Z",
      endDate: "2030-01-15T20:00:00.000Z",
      deadline: "2030-01-14T00:00:00.000Z",
      pricing: { member: 5, nonMember: 9 },
      registrationQuestions: [{ choices: ["a", "b"] }],
      partnerRegistrationQuestions: [{ choices: ["a", "b"] }],
      attendeeFeedbackQuestions: [{ choices: ["c"] }],
      partnerFeedbackQuestions: [{ choices: ["c"] }],
    });
  });

  test.each([
    ["2030-05-01T20:00Z", "2030-05-01T19:59Z", [dateIssue]],
    ["2030-05-01T20:00Z", "2030-05-01T20:00Z", []],
    ["2030-05-01T23:00-02:00", "2030-05-02T00:30Z", [dateIssue]],
    ["2030-05-01T20:00", "2030-05-02T02:59Z", [dateIssue]],
    ["2030-05-01T20:00", "2030-05-02T03:00Z", []],
  ])("from %s to %s has the issues %j", (startDate, endDate, issues) => {
    expect(issuesIn(() => givenEvent({ startDate, endDate }))).toEqual(issues);
  });

  test("is refused with all issues of questions and prices, each with its place", () => {
    const choiceless = { label: "Which?", required: true, choices: [] };
    const issues = issuesIn(() =>
      givenEvent({
        registrationQuestions: [question, { ...choiceless, type: "SELECT" }],
        partnerRegistrationQuestions: [question, question],
        attendeeFeedbackQuestions: [{ ...choiceless, type: "CHECKBOXES" }],
        partnerFeedbackQuestions: [{ ...choiceless, type: "MULTIPLE_CHOICE" }],
        pricing: { member: 0.001 },
      }),
    ) as { path: string }[];
    expect(issues.map(({ path }) => path)).toEqual([
      "/registrationQuestions/1/choices",
      "/partnerRegistrationQuestions/1/questionId",
      "/attendeeFeedbackQuestions/0/choices",
      "/partnerFeedbackQuestions/0/choices",
      "/pricing/member",
    ]);
  });
});

test("an answer leaves out fields that only the service needs, and does not change the record", () => {
  const event = givenEvent({ pricing: { member: 5 }, description: "d" });
  const { incarnation, version, cfg, scheduleVersion, ...rest } = event;
  expect(eventAnswer(event)).toStrictEqual({ ...rest, pricing: { member: 5, members: 5 } });
  expect(event).toMatchObject({ incarnation, version, cfg, pricing: { member: 5 } });
});

test.each([
  [false, true],
  [true, false],
  [undefined, false],
])("an event with isPublished %p is hidden: %s", (isPublished, hidden) => {
  expect(isHidden(givenEvent({ isPublished }))).toBe(hidden);
});
