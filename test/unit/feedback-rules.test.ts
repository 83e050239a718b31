/**
 * The questions of feedback forms, the answers that they take, and the author of a submission (`docs/contract.md`,
 * "Feedback").
 */
import { describe, expect, test } from "@jest/globals";
import { base32nopad } from "@scure/base";
import fc from "fast-check";
import { submissionAnswer } from "#api/feedback/submission-answer.ts";
import { checkResponses, type RawAnswer } from "#domain/feedback/answers.ts";
import { eventSummary, type FeedbackQuestion, formOf, formTypes, overallRating } from "#domain/feedback/form.ts";
import { formKey, newSubmission, submissionId } from "#domain/feedback/submission.ts";
import { ticketIn } from "#domain/registrations/tickets/code.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { anyText } from "../any-text.ts";
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
  test.each(formTypes)("for an %s takes no answers and asks only for the overall rating by default", (formType) => {
    expect(formOf(eventRecord(), formType)).toEqual({ formType, enabled: false, feedbackQuestions: [overallRating] });
    expect(overallRating).toMatchObject({
      questionId: "overall-rating",
      type: "LINEAR_SCALE",
      required: true,
      scaleMin: 1,
      scaleMax: 10,
    });
    expect(overallRating.label).not.toBe("");
  });

  test("has the questions and the switch of its own kind", () => {
    const both = eventRecord({
      attendeeFeedbackEnabled: true,
      attendeeFeedbackQuestions: [ask("SHORT_TEXT", { questionId: "of attendees" })],
      partnerFeedbackEnabled: false,
      partnerFeedbackQuestions: [ask("SHORT_TEXT", { questionId: "of partners" })],
    });
    const [attendee, partner] = formTypes.map((type) => formOf(both, type));
    expect(attendee?.enabled).toBe(true);
    expect(partner?.enabled).toBe(false);
    expect(attendee?.feedbackQuestions.map(({ questionId }) => questionId)).toEqual(["overall-rating", "of attendees"]);
    expect(partner?.feedbackQuestions.map(({ questionId }) => questionId)).toEqual(["overall-rating", "of partners"]);
  });

  test("asks for the overall rating once and first, whatever questions the event has", () => {
    const own = ask("SHORT_TEXT", { questionId: "overall-rating" });
    const questions = [ask("LONG_TEXT"), own];
    const { feedbackQuestions } = formOf(eventRecord({ attendeeFeedbackQuestions: questions }), "attendee");
    expect(feedbackQuestions).toEqual([overallRating, ask("LONG_TEXT")]);
  });

  test("shows only public fields of its event", () => {
    const known = {
      id: "gala",
      year: 2030,
      ename: "Gala",
      description: "For all",
      partnerDescription: "For partners",
      imageUrl: "https://images.example/e.png",
      elocation: "Hall",
      startDate: "2030-01-01T00:00:00.000Z",
      endDate: "2030-01-01T00:00:00.000Z",
      isCompleted: true,
    };
    expect(eventSummary(eventRecord({ ...known, capac: 3, pricing: { member: 1 } as never }))).toEqual(known);
  });
});

describe.each(types)("%s", (type) => {
  const blank: [string, object][] = [
    ["no answer", {}],
    ["null", { q: null }],
    ["nothing", { q: "" }],
    ["blanks", { q: " \n\t " }],
    ["an empty list", { q: [] }],
    ["a list of blanks", { q: [" ", ""] }],
  ];

  test.each(blank)("%s is accepted where no answer is required, and is not kept", (_, raw) => {
    expect(outcome(ask(type), raw)).toEqual({});
  });

  test.each(blank)("%s is refused where one is required", (_, raw) => {
    expect(outcome(ask(type, { required: true }), raw)).toEqual(refused("is required"));
  });
});

test("a text of commas checks no box", () => {
  expect(outcome(ask("CHECKBOXES", { required: true }), { q: ", ," })).toEqual(refused("is required"));
});

test("inherited properties of an object are no answers", () => {
  const question = ask("LONG_TEXT", { questionId: "constructor", required: true });
  expect(outcome(question, {})).toEqual(refused("is required", "constructor"));
});

const one = "must be one of the choices on offer";
const all = "must only have choices that are on offer";

describe("an answer", () => {
  test.each<[Type, unknown, unknown]>([
    ["SHORT_TEXT", "x".repeat(280), "x".repeat(280)],
    ["SHORT_TEXT", "\u{1f600}".repeat(280), "\u{1f600}".repeat(280)],
    ["LONG_TEXT", "x".repeat(4_000), "x".repeat(4_000)],
    ["LONG_TEXT", "two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["MULTIPLE_CHOICE", " a ", "a"],
    ["MULTIPLE_CHOICE", "c, d", "c, d"],
    ["MULTIPLE_CHOICE", ["b"], "b"],
    ["CHECKBOXES", "a", ["a"]],
    ["CHECKBOXES", "b, a,,b ", ["b", "a"]],
    ["CHECKBOXES", [" a", "c, d", "a"], ["a", "c, d"]],
    ["CHECKBOXES", " c, d ", ["c, d"]],
    ["LINEAR_SCALE", 1, 1],
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
    ["LONG_TEXT", "half \ud800", "must not contain control characters"],
    ["MULTIPLE_CHOICE", "e", one],
    ["MULTIPLE_CHOICE", "A", one],
    ["MULTIPLE_CHOICE", ["a", "b"], one],
    ["MULTIPLE_CHOICE", 1, one],
    ["MULTIPLE_CHOICE", "toString", one],
    ["CHECKBOXES", "a, e", all],
    ["CHECKBOXES", ["a,b"], all],
    ["CHECKBOXES", 1, "must be a list of choices"],
    ["LINEAR_SCALE", 0, "must be a whole number from 1 to 10"],
    ["LINEAR_SCALE", 11, "must be a whole number from 1 to 10"],
    ["LINEAR_SCALE", 5.5, "must be a whole number from 1 to 10"],
    ["LINEAR_SCALE", "5", "must be a whole number from 1 to 10"],
    ["LINEAR_SCALE", ["5"], "must be a whole number from 1 to 10"],
    ["LINEAR_SCALE", Number.POSITIVE_INFINITY, "must be a whole number from 1 to 10"],
  ])("to %s is refused: %j", (type, q, message) => {
    expect(outcome(ask(type), { q })).toEqual(refused(message));
  });

  test.each([
    [{ scaleMin: 0, scaleMax: 5 }, [0, 5], [-1, 6]],
    [{ scaleMax: 5 }, [1, 5], [0, 6]],
    [{ scaleMin: 3 }, [3, 10], [2, 11]],
  ])("on the scale %j may be each end of the scale", (scale, within, beyond) => {
    for (const q of within) expect(outcome(ask("LINEAR_SCALE", scale), { q })).toEqual({ q });
    for (const q of beyond) {
      const { scaleMin = 1, scaleMax = 10 } = scale as FeedbackQuestion;
      const message = `must be a whole number from ${scaleMin} to ${scaleMax}`;
      expect(outcome(ask("LINEAR_SCALE", scale), { q })).toEqual(refused(message));
    }
  });

  test.each(["MULTIPLE_CHOICE", "CHECKBOXES"] as const)("to %s is refused when the question has no choices", (type) => {
    expect(outcome(ask(type, { choices: undefined }), { q: "a" })).toHaveLength(1);
  });
});

describe("the issues of a submission", () => {
  test("are all named at once, the form's questions first", () => {
    const questions = [
      overallRating,
      ask("MULTIPLE_CHOICE", { questionId: "m" }),
      ask("SHORT_TEXT", { questionId: "fine" }),
    ];
    expect(outcome(questions, { surprise: 1, m: "e", fine: "text" })).toEqual([
      ...refused("is required", "overall-rating"),
      ...refused(one, "m"),
      ...refused("is no question of this form", "surprise"),
    ]);
  });

  test("name an answer by a JSON pointer", () => {
    expect(outcome([], { "a/b~c": "x" })).toEqual(refused("is no question of this form", "a~1b~0c"));
  });

  test("are at most twenty", () => {
    const raw = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`q${n}`, "x"]));
    expect(outcome([overallRating], raw)).toHaveLength(20);
  });
});

const word = fc.constantFrom("a", "b", "c, d", "e", " a ", ",", "", "x".repeat(281), "\u0007");
const rawAnswer = fc.oneof(
  word,
  anyText(),
  fc.array(word, { maxLength: 4 }),
  fc.array(word).map(String),
  fc.integer({ min: -2, max: 12 }),
  fc.double(),
  fc.constant(null),
);

test("an answer that is kept is one that the question allows, whatever was sent", () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), rawAnswer, fc.boolean(), (type, given, required) => {
      const kept = outcome(ask(type, { required }), { q: given });
      if (Array.isArray(kept)) return expect(kept).toEqual([{ path: "/responses/q", message: expect.any(String) }]);
      const { q } = kept as { q?: unknown };
      if (q === undefined) return expect(required).toBe(false);
      if (type === "LINEAR_SCALE") return expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).toContain(q);
      if (type === "MULTIPLE_CHOICE") return expect(offered).toContain(q);
      if (type !== "CHECKBOXES") return expect(q).toBe(given);
      const ticked = q as string[];
      expect(ticked.length).toBeGreaterThan(0);
      expect(new Set(ticked).size).toBe(ticked.length);
      for (const choice of ticked) expect(offered).toContain(choice);
    }),
  );
});

test("a kept answer is kept unchanged when it is sent again", () => {
  const questions = types.map((type) => ask(type, { questionId: type }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...types), rawAnswer), (raw) => {
      const kept = outcome(questions, raw);
      if (!Array.isArray(kept)) expect(outcome(questions, kept as object)).toEqual(kept);
    }),
  );
});

test("an answer to an unknown question is never kept", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), rawAnswer, (questionId, given) => {
      fc.pre(questionId !== "q");
      const kept = outcome(ask("LONG_TEXT"), JSON.parse(JSON.stringify({ q: "fine", [`${questionId}`]: given })));
      expect(kept).toHaveLength(1);
    }),
  );
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
    for (const blank of ["", "  ", null]) {
      const anonymous = submit({ respondentName: blank, respondentEmail: blank });
      expect(anonymous).toEqual({ ...known, responses: { "overall-rating": 9 } });
    }
  });

  test("is refused with an invalid email", () => {
    expect(submit({ respondentEmail: "two@at@unit.example" })).toEqual([
      { path: "/respondentEmail", message: "must be an email address, without / ? # and %" },
    ]);
  });

  test("is answered without fields that only the service needs", () => {
    const record = newSubmission({ responses: { "overall-rating": 9 } }, formOf(eventRecord(), "attendee"), known);
    expect(JSON.parse(JSON.stringify(submissionAnswer(record)))).toEqual({
      id: "hash",
      eventID: "gala",
      year: 2030,
      formType: "attendee",
      submittedAt: 7,
      responses: { "overall-rating": 9 },
    });
  });
});

describe("the id of a submission", () => {
  const idOf = (more: Partial<typeof which> = {}, email = "ada@unit.example", key = "key") =>
    submissionId({ ...which, ...more }, email, key);

  test("is always the same for the same person and form", () => {
    expect(idOf()).toBe(idOf());
    expect(idOf()).toMatch(/^[\w-]{43}$/);
  });

  test.each<[string, string]>([
    ["person", idOf({}, "bob@unit.example")],
    ["kind of form", idOf({ formType: "partner" })],
    ["event", idOf({ eventID: "other" })],
    ["year", idOf({ year: 2031 })],
    ["generation of the event", idOf({ generation: "two" })],
    ["key", idOf({}, "ada@unit.example", "another")],
  ])("is another one for another %s", (_, other) => {
    expect(other).not.toBe(idOf());
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
