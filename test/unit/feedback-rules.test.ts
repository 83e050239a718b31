/**
 * The questions of feedback forms, the answers that they take, and the author of a submission (`docs/contract.md`,
 * "Feedback").
 */
import { describe, expect, test } from "@jest/globals";
import { base32nopad } from "@scure/base";
import fc from "fast-check";
import { checkResponses, type RawAnswer } from "#domain/feedback/answers.ts";
import {
  eventSummary,
  type FeedbackQuestion,
  formAt,
  formOf,
  formTypes,
  overallRating,
} from "#domain/feedback/form.ts";
import {
  earlierIn,
  formKey,
  newSubmission,
  ratingsOf,
  type SubmissionRecord,
  submissionId,
} from "#domain/feedback/submission.ts";
import { ticketIn } from "#domain/registrations/links/ticket-code.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { eventRecord } from "./given.ts";

type Type = FeedbackQuestion["type"];
const types: Type[] = ["SHORT_TEXT", "LONG_TEXT", "MULTIPLE_CHOICE", "CHECKBOXES", "LINEAR_SCALE"];
const offered = ["a", "b", "c, d"];

const ask = (type: Type, more: Partial<FeedbackQuestion> = {}): FeedbackQuestion => ({
  questionId: "q",
  label: "Q?",
  type,
  required: false,
  ...((type === "MULTIPLE_CHOICE" || type === "CHECKBOXES") && { choices: offered }),
  ...more,
});

/** The result of a function, or the issues with which it refuses. */
function outcomeOf<T>(attempt: () => T) {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    return error.details.issues;
  }
}
const outcome = (questions: FeedbackQuestion | FeedbackQuestion[], raw: object) =>
  outcomeOf(() => checkResponses([questions].flat(), raw as Record<string, RawAnswer>));
const refused = (message: string, id = "q") => [{ path: `/responses/${id}`, message }];

describe("a feedback form", () => {
  test("takes no answers by default; it has the switch of its own kind", () => {
    expect(formOf(eventRecord(), "attendee").enabled).toBe(false);
    const event = eventRecord({ attendeeFeedbackEnabled: true });
    expect(formTypes.map((type) => formOf(event, type).enabled)).toEqual([true, false]);
  });

  test.each([
    ["before the event begins", "2030-05-01T18:00:00.000Z", -1, false],
    ["from its beginning on", "2030-05-01T18:00:00.000Z", 0, true],
    ["of an event without a start", undefined, 0, true],
  ])("%s", (_name, startDate, after, enabled) => {
    const event = eventRecord({ attendeeFeedbackEnabled: true, startDate: startDate as string });
    expect(formAt(event, "attendee", Date.parse("2030-05-01T18:00Z") + after).enabled).toBe(enabled);
    expect(formAt(eventRecord({ startDate: startDate as string }), "attendee", Number.MAX_VALUE).enabled).toBe(false);
  });

  test("asks for the overall rating once and first, and then the questions of its own kind", () => {
    const own = ask("SHORT_TEXT", { questionId: "overall-rating" });
    const partnerFeedbackQuestions = [ask("SHORT_TEXT")];
    const event = eventRecord({ attendeeFeedbackQuestions: [ask("LONG_TEXT"), own], partnerFeedbackQuestions });
    expect(formOf(event, "attendee").feedbackQuestions).toEqual([overallRating, ask("LONG_TEXT")]);
    expect(formOf(event, "partner").feedbackQuestions).toEqual([overallRating, ask("SHORT_TEXT")]);
  });

  test("shows only public fields of its event", () => {
    const known = {
      id: "gala",
      year: 2030,
      ename: "Gala",
      description: "For all",
      elocation: "Hall",
      isCompleted: true,
    };
    expect(eventSummary(eventRecord({ ...known, capac: 3, pricing: { member: 1 } as never }))).toEqual(known);
  });
});

test.each(types)("a blank answer to %s is not kept, and is refused where one is required", (type) => {
  for (const raw of [{}, { q: null }, { q: "" }, { q: " \n\t " }, { q: [] }, { q: [" ", ""] }]) {
    expect(outcome(ask(type), raw)).toEqual({});
    expect(outcome(ask(type, { required: true }), raw)).toEqual(refused("is required"));
  }
});

const one = "must be one of the choices on offer";
const all = "must only have choices that are on offer";

describe("an answer", () => {
  test.each<[Type, unknown, unknown]>([
    ["SHORT_TEXT", "\u{1f600}".repeat(280), "\u{1f600}".repeat(280)],
    ["LONG_TEXT", "two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["MULTIPLE_CHOICE", " a ", "a"],
    ["MULTIPLE_CHOICE", ["b"], "b"],
    ["CHECKBOXES", "a", ["a"]],
    ["CHECKBOXES", "b, a,,b ", ["b", "a"]],
    ["CHECKBOXES", [" a", "c, d", "a"], ["a", "c, d"]],
    ["CHECKBOXES", " c, d ", ["c, d"]],
    ["LINEAR_SCALE", 10, 10],
  ])("to %s is kept: %j", (type, q, kept) => {
    expect(outcome(ask(type), { q })).toEqual({ q: kept });
  });

  test.each<[Type, unknown, string]>([
    ["SHORT_TEXT", "x".repeat(281), "must have at most 280 characters"],
    ["LONG_TEXT", "x".repeat(4_001), "must have at most 4000 characters"],
    ["SHORT_TEXT", 7, "must be text"],
    ["LONG_TEXT", ["text"], "must be text"],
    ["LONG_TEXT", "bell\u0007", "must not contain control characters"],
    ["MULTIPLE_CHOICE", "e", one],
    ["MULTIPLE_CHOICE", ["a", "b"], one],
    ["MULTIPLE_CHOICE", "toString", one],
    ["CHECKBOXES", "a, e", all],
    ["CHECKBOXES", 1, "must be a list of choices"],
    ["LINEAR_SCALE", 5.5, "must be a whole number from 1 to 10"],
    ["LINEAR_SCALE", ["5"], "must be a whole number from 1 to 10"],
  ])("to %s is refused: %j", (type, q, message) => {
    expect(outcome(ask(type), { q })).toEqual(refused(message));
  });

  test.each([
    [{ scaleMin: 0, scaleMax: 5 }, 0, 5],
    [{ scaleMax: 5 }, 1, 5],
    [{ scaleMin: 3 }, 3, 10],
  ])("on the scale %j may be each end of the scale", (scale, first, last) => {
    const message = `must be a whole number from ${first} to ${last}`;
    const answered = (q: number) => outcome(ask("LINEAR_SCALE", scale), { q });
    expect([first, last].map(answered)).toEqual([{ q: first }, { q: last }]);
    expect([first - 1, last + 1].map(answered)).toEqual([refused(message), refused(message)]);
  });
});

describe("the issues of a submission", () => {
  test("are all named at once, the form's questions first", () => {
    const [choice, text] = [ask("MULTIPLE_CHOICE", { questionId: "m" }), ask("SHORT_TEXT", { questionId: "fine" })];
    const questions = [overallRating, choice, text];
    expect(outcome(questions, { surprise: 1, m: "e", fine: "text" })).toEqual([
      ...refused("is required", "overall-rating"),
      ...refused(one, "m"),
      ...refused("is no question of this form", "surprise"),
    ]);
  });

  test("are at most twenty, and no inherited property is an answer", () => {
    const raw = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`q${n}`, "x"]));
    expect(outcome([overallRating], raw)).toHaveLength(20);
    const inherited = ask("LONG_TEXT", { questionId: "constructor", required: true });
    expect(outcome(inherited, {})).toEqual(refused("is required", "constructor"));
  });
});

const which = formKey(eventRecord(), "attendee");
const known = { ...which, id: "hash", submittedAt: 7, arrival: "7#A" };
const submit = (body: object) =>
  outcomeOf(() =>
    newSubmission({ responses: { "overall-rating": 9 }, ...body }, formOf(eventRecord(), "attendee"), known),
  );

describe("a submission", () => {
  test("keeps form, time and answers, and a name only if the author gives it", () => {
    expect(submit({})).toEqual({ ...known, responses: { "overall-rating": 9 } });
    expect(submit({ respondentName: " Ada ", respondentEmail: " ADA@Unit.Example " })).toMatchObject({
      respondentName: "Ada",
      respondentEmail: "ada@unit.example",
    });
    const anonymous = submit({ respondentName: "  ", respondentEmail: null });
    expect(anonymous).toEqual({ ...known, responses: { "overall-rating": 9 } });
  });

  test("is refused with an invalid email", () => {
    expect(submit({ respondentEmail: "two@at@unit.example" })).toEqual([
      { path: "/respondentEmail", message: "must be an email address, without accents and / ? # %" },
    ]);
  });
});

test("the next submission begins with the answers to what the form still asks", () => {
  const form = formOf(eventRecord({ attendeeFeedbackQuestions: [ask("SHORT_TEXT")] }), "attendee");
  const stored = { ...known, responses: { "overall-rating": 9, q: "a", gone: "b" }, respondentName: "Ada", came: true };
  expect(earlierIn(stored, form)).toEqual({
    ...{ submittedAt: 7, responses: { "overall-rating": 9, q: "a" }, respondentName: "Ada" },
  });
  expect(earlierIn(undefined, form)).toBeUndefined();
});

test("ratings are counted for all, for those who came, and for those who did not", () => {
  const rated = (rating: number, came?: boolean): SubmissionRecord => ({
    ...known,
    responses: { "overall-rating": rating },
    ...(came !== undefined && { came }),
  });
  expect(ratingsOf([rated(9, true), rated(8, true), rated(1, false), rated(2)])).toEqual({
    ...{ count: 4, mean: 5, came: { count: 2, mean: 8.5 }, absent: { count: 1, mean: 1 } },
  });
  expect(ratingsOf([])).toEqual({ count: 0, came: { count: 0 }, absent: { count: 0 } });
});

describe("the id of a submission", () => {
  const idOf = (more: Partial<typeof which> = {}, email = "ada@unit.example", key = "key") =>
    submissionId({ ...which, ...more }, email, key);

  test("is another one for another person, form, event, generation or key", () => {
    const parts = [{}, { formType: "partner" }, { eventID: "other" }, { year: 2031 }, { generation: "two" }] as const;
    const ids = [...parts.map((part) => idOf(part)), idOf({}, "bob@unit.example"), idOf({}, "ada@unit.example", "b")];
    expect(new Set(ids).size).toBe(7);
  });

  test("does not reveal the person without the key, and is no code of a ticket", () => {
    expect(idOf()).not.toContain("ada");
    const letters = base32nopad.encode(Buffer.from(idOf(), "base64url"));
    expect(ticketIn(`V2.${letters}`, "key")).toBeUndefined();
    expect(ticketIn(`V2.${letters}${letters}`, "key")).toBeUndefined();
  });

  test("never is the same for two people or two forms, also when their parts join to the same text", () => {
    const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,3}$/);
    const form = fc.record({
      eventID: part,
      year: fc.constantFrom(2030, 2031),
      generation: part,
      formType: fc.constantFrom(...formTypes),
      email: part.map((name) => `${name}@x.example`),
    });
    fc.assert(
      fc.property(form, form, ({ email: a, ...one }, { email: b, ...other }) => {
        const isSame = JSON.stringify([one, a]) === JSON.stringify([other, b]);
        expect(submissionId(one, a, "key") === submissionId(other, b, "key")).toBe(isSame);
      }),
    );
  });
});
