/** Questions as admins send them, and as they are stored. */
import { describe, expect, test } from "@jest/globals";
import { normalizeQuestion, questionIssues, withIds } from "#domain/events/questions.ts";
import { forbiddenKeys } from "#kit/text/text.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const newId = () => "new";
const noChoice = "must list at least one choice";
const usedTwice = "is used by another question";

describe("a question's id", () => {
  test("is a new UUID for each question without one", () => {
    const ids = [1, 2].map(() => normalizeQuestion({ type: "TEXT" }).questionId);
    for (const id of ids) expect(id).toMatch(uuid);
    expect(new Set(ids).size).toBe(2);
  });
});

describe("questions without ids", () => {
  const asked = (label: string, questionId?: string | null, more: object = {}) => ({
    ...{ label, questionId, type: "TEXT", required: false },
    ...more,
  });
  const stored = (label: string, questionId: string, more: object = {}) => ({ ...asked(label, "", more), questionId });
  const idsOf = (questions: readonly ReturnType<typeof asked>[], known: readonly ReturnType<typeof stored>[]) =>
    withIds(questions, known, (place) => `new${place}`).map(({ questionId }) => questionId);
  const [xs, ys] = [{ choices: "x" }, { choices: ["y"] }];

  test.each<[string, ReturnType<typeof asked>[], ReturnType<typeof stored>[], string[]]>([
    ["a new event", [asked("A"), asked("A")], [], ["new0", "new1"]],
    ["the same label", [asked("A", ""), asked("B", null)], [stored("A", "a")], ["a", "new1"]],
    ["another order", [asked("B"), asked("A")], [stored("A", "a"), stored("B", "b")], ["b", "a"]],
    ["another type", [asked("A", "", { type: "SKILLS" })], [stored("A", "a")], ["new0"]],
    ["equal labels", [asked("A"), asked("A"), asked("A")], [stored("A", "a"), stored("A", "b")], ["a", "b", "new2"]],
    ["a new label under an old id", [asked("Z", "a"), asked("A")], [stored("A", "a")], ["a", "new1"]],
    [
      "equal labels in another order",
      [asked("A", "", ys), asked("A", "", xs)],
      [stored("A", "a", xs), stored("A", "b", ys)],
      ["b", "a"],
    ],
    ["one of them changed", [asked("A", "", ys), asked("A")], [stored("A", "a", xs), stored("A", "b", ys)], ["b", "a"]],
  ])("get the ids of the stored ones: %s", (_, questions, known, ids) => {
    expect(idsOf(questions, known)).toEqual(ids);
  });
});

test.each<[string | string[], string[]]>([
  [" b , a ,, b", ["b", "a"]],
  [
    ["a, with a comma", " b "],
    ["a, with a comma", "b"],
  ],
])("the choices %j are stored as %j", (choices, stored) => {
  expect(normalizeQuestion({ type: "SELECT", choices }, newId).choices).toEqual(stored);
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

  test("name an id that no body with an answer could have", () => {
    const issuesOf = (questionId: string) => questionIssues([{ questionId, type: "TEXT" }], "/here");
    const issue = { path: "/here/0/questionId", message: "is a reserved word" };
    for (const name of [...forbiddenKeys, "toString"]) expect(issuesOf(name)).toEqual([issue]);
    expect(issuesOf("Prototype")).toEqual([]);
    expect(questionIssues([{ type: "SELECT", choices: ["prototype"] }], "/here")).toEqual([]);
  });

  test("name the second question with a repeated id; questions without an id do not clash", () => {
    const ids = ["a", undefined, "b", "a", "", undefined, "", "a"];
    const questions = ids.map((questionId) => ({ questionId, type: "TEXT" }));
    expect(questionIssues(questions, "/here")).toEqual(
      [3, 7].map((index) => ({ path: `/here/${index}/questionId`, message: usedTwice })),
    );
  });
});

test.each([
  [{ scaleMin: 1, scaleMax: 5 }, true],
  [{}, true],
  [{ scaleMin: 5, scaleMax: 5 }, false],
  [{ scaleMax: 1 }, false],
])("a scale of %j can be answered: %p", (ends, fine) => {
  const issues = questionIssues([{ type: "LINEAR_SCALE", ...ends }], "/q");
  expect(issues).toEqual(fine ? [] : [{ path: "/q/0/scaleMax", message: "must be greater than scaleMin" }]);
});
