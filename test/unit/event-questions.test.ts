/** Questions as admins send them, and as they are stored. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { normalizeQuestion, questionIssues } from "#domain/events/questions.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const newId = () => "new";
const noChoice = "must list at least one choice";
const usedTwice = "is used by another question";

describe("a question's id", () => {
  test("stays when it was sent", () => {
    expect(normalizeQuestion({ questionId: "diet", type: "TEXT" }, newId).questionId).toBe("diet");
  });

  test.each([[{}], [{ questionId: "" }]])("is made for %j", (question) => {
    expect(normalizeQuestion({ type: "TEXT", ...question }, newId).questionId).toBe("new");
  });

  test("is a new UUID for each question without one", () => {
    const ids = [1, 2].map(() => normalizeQuestion({ type: "TEXT" }).questionId);
    for (const id of ids) expect(id).toMatch(uuid);
    expect(new Set(ids).size).toBe(2);
  });
});

test.each([
  ["a,b", ["a", "b"]],
  [" a , b ,, ", ["a", "b"]],
  [
    ["a, with a comma", " b "],
    ["a, with a comma", "b"],
  ],
  [
    ["a", "", "a ", "b"],
    ["a", "b"],
  ],
  ["b,a,b", ["b", "a"]],
])("the choices %j are stored as %j", (choices, stored) => {
  expect(normalizeQuestion({ type: "SELECT", choices }, newId).choices).toEqual(stored);
});

test("a field that is null is left out, and all others stay", () => {
  const question = { questionId: "q", type: "TEXT", label: "Why?", required: false, charLimit: 0 };
  const sent = { ...question, choices: null, participantCap: null };
  expect(normalizeQuestion(sent, newId)).toStrictEqual(question);
  expect(sent.choices).toBeNull();
});

test("a stored question that is sent again is stored unchanged", () => {
  const word = fc.string({ unit: "grapheme" });
  const sent = fc.record({
    questionId: fc.option(word, { nil: undefined }),
    type: fc.constantFrom("TEXT", "SELECT", "WORKSHOP_SELECTION"),
    choices: fc.oneof(fc.array(word), fc.string({ minLength: 1 }), fc.constant(null)),
  });
  fc.assert(
    fc.property(sent, (question) => {
      const stored = normalizeQuestion(question, newId);
      expect(normalizeQuestion(stored, () => "another")).toStrictEqual(stored);
    }),
  );
});

describe("the issues of questions", () => {
  test.each(["SELECT", "CHECKBOX", "WORKSHOP_SELECTION", "MULTIPLE_CHOICE", "CHECKBOXES"])(
    "name a %s without choices",
    (type) => {
      for (const choices of [undefined, null, "", " , ", [], [" "]])
        expect(questionIssues([{ type, choices }], "/here")).toEqual([{ path: "/here/0/choices", message: noChoice }]);
      for (const choices of ["a", ["a"]]) expect(questionIssues([{ type, choices }], "/here")).toEqual([]);
    },
  );

  test.each(["TEXT", "UPLOAD", "SKILLS", "SHORT_TEXT", "LONG_TEXT", "LINEAR_SCALE"])(
    "are none for a %s without choices",
    (type) => {
      expect(questionIssues([{ type }], "/here")).toEqual([]);
    },
  );

  test("name the second question with a repeated id; questions without an id do not clash", () => {
    const ids = ["a", undefined, "b", "a", "", undefined, "", "a"];
    const questions = ids.map((questionId) => ({ questionId, type: "TEXT" }));
    expect(questionIssues(questions, "/here")).toEqual(
      [3, 7].map((index) => ({ path: `/here/${index}/questionId`, message: usedTwice })),
    );
  });

  test("cover every question", () => {
    const workshop = { questionId: "w", type: "WORKSHOP_SELECTION" };
    expect(questionIssues([workshop, workshop], "/registrationQuestions")).toEqual([
      { path: "/registrationQuestions/0/choices", message: noChoice },
      { path: "/registrationQuestions/1/questionId", message: usedTwice },
      { path: "/registrationQuestions/1/choices", message: noChoice },
    ]);
  });
});

test.each([
  [{ scaleMin: 1, scaleMax: 5 }, true],
  [{}, true],
  [{ scaleMin: 0 }, true],
  [{ scaleMin: 5, scaleMax: 5 }, false],
  [{ scaleMin: 20 }, false],
  [{ scaleMax: 1 }, false],
  [{ scaleMin: null, scaleMax: null }, true],
])("a scale of %j can be answered: %p", (ends, fine) => {
  const issues = questionIssues([{ type: "LINEAR_SCALE", ...ends }], "/q");
  expect(issues).toEqual(fine ? [] : [{ path: "/q/0/scaleMax", message: "must be greater than scaleMin" }]);
});
