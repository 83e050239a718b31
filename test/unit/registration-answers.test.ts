/** Answers to an event's questions (`docs/contract.md`, "Registrations"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { RegistrationQuestion } from "#domain/events/event.ts";
import { checkAnswers } from "#domain/registrations/form/answers.ts";
import { refuseUnknownAnswers } from "#domain/registrations/form/unknown-answers.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { eventRecord } from "./given.ts";

type Type = RegistrationQuestion["type"];
type Raw = string | string[] | null | undefined;

const ask = (type: Type, more: Partial<RegistrationQuestion> = {}): RegistrationQuestion => ({
  questionId: "q",
  label: "Q?",
  type,
  required: false,
  ...(type !== "TEXT" && { choices: ["a", "b", "c, d"] }),
  ...more,
});

/** The kept answers, or the issues with which they are refused. */
function outcome(question: RegistrationQuestion | RegistrationQuestion[], raw: Record<string, Raw>) {
  try {
    return checkAnswers([question].flat(), raw as Record<string, string>).responses;
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    return error.details.issues;
  }
}
const refused = (message: string, id = "q") => [{ path: `/dynamicResponses/${id}`, message }];

const types: Type[] = ["TEXT", "SELECT", "WORKSHOP_SELECTION", "CHECKBOX", "SKILLS", "UPLOAD"];

describe.each(types)("%s", (type) => {
  test.each([[{}], [{ q: null }], [{ q: " \n\t " }], [{ q: [] }]])("%j is no answer", (raw) => {
    expect(outcome(ask(type), raw)).toEqual({});
    expect(outcome(ask(type, { required: true }), raw)).toEqual(refused("is required"));
  });
});

test.each(["CHECKBOX", "SKILLS"] as const)("for %s a list of blanks and commas is no answer", (type) => {
  for (const q of [",", " , ,", [""], [" ", ""]]) {
    expect(outcome(ask(type, { required: true }), { q })).toEqual(refused("is required"));
    expect(outcome(ask(type), { q })).toEqual({});
  }
});

const offered = "must be one of the choices on offer";
const allOffered = "must only have choices that are on offer";
const https = "must be an https address such as https://example.com/file";
const control = "must not contain control characters";
const lines = "must be short single lines";

describe("an answer is kept in one form", () => {
  test.each<[Type, Raw, string | string[]]>([
    ["TEXT", "  as it\n\tcame, ", "  as it\n\tcame, "],
    ["SELECT", " a ", "a"],
    ["SELECT", "c, d", "c, d"],
    ["WORKSHOP_SELECTION", [" a "], "a"],
    ["CHECKBOX", "b, a,,b ", ["b", "a"]],
    ["CHECKBOX", [" a", "c, d", "a"], ["a", "c, d"]],
    ["SKILLS", "TypeScript, Go,Go, ", ["TypeScript", "Go"]],
    ["SKILLS", [" not on offer ", "x,y"], ["not on offer", "x,y"]],
    ["UPLOAD", "files.example/cv.pdf", "https://files.example/cv.pdf"],
  ])("to a question %s: %j", (type, raw, kept) => {
    expect(outcome(ask(type), { q: raw })).toEqual({ q: kept });
  });
});

describe("an answer is refused", () => {
  test.each<[Type, Raw, string]>([
    ["TEXT", ["a list"], "must be text"],
    ["TEXT", "a\u0000b", control],
    ["SELECT", "A", offered],
    ["SELECT", ["a", "b"], offered],
    ["SELECT", "constructor", offered],
    ["WORKSHOP_SELECTION", "e", offered],
    ["CHECKBOX", "a, e", allOffered],
    ["CHECKBOX", ["a,b"], allOffered],
    ["SKILLS", ["two\nlines"], lines],
    ["UPLOAD", "http://files.example/cv.pdf", https],
    ["UPLOAD", ["https://files.example/cv.pdf"], https],
  ])("to a question %s: %j", (type, raw, message) => {
    expect(outcome(ask(type), { q: raw })).toEqual(refused(message));
  });
});

describe("a question that offers other", () => {
  const more = { choices: ["a", "b", "c, d", "OTHER"] };
  const long = "x".repeat(200);
  const tooMany = `${allOffered}, and one text beside them`;

  test.each<[Type, Raw, string | string[]]>([
    ["SELECT", " my own ", "my own"],
    ["SELECT", "😀".repeat(200), "😀".repeat(200)],
    ["CHECKBOX", ["a", "my own, text", "OTHER"], ["a", "my own, text", "OTHER"]],
    ["CHECKBOX", "a, my own, with a comma, OTHER", ["a", "my own, with a comma", "OTHER"]],
    ["CHECKBOX", [long, "b"], [long, "b"]],
  ])("takes one text of the person's own as an answer of its own, %s: %j", (type, raw, kept) => {
    expect(outcome(ask(type, more), { q: raw })).toEqual({ q: kept });
    expect(outcome(ask(type, more), { q: kept })).toEqual({ q: kept });
  });

  test.each<[Type, Raw, string]>([
    ["SELECT", ["a", "my own"], offered],
    ["SELECT", `${long}x`, `must have at most 200 characters beside the choices`],
    ["CHECKBOX", "one, a, two", tooMany],
    ["CHECKBOX", ["a", `${long}x`], `must have at most 200 characters beside the choices`],
    ["CHECKBOX", ["bell\u0007"], control],
    ["WORKSHOP_SELECTION", "my own", offered],
  ])("refuses, %s: %j", (type, raw, message) => {
    expect(outcome(ask(type, more), { q: raw })).toEqual(refused(message));
  });

  test.each<[string[], boolean]>([
    [["a", "other"], true],
    [["a", "others"], false],
    [["a"], false],
  ])("is one of the choices %j: %s", (choices, takes) => {
    for (const type of ["SELECT", "CHECKBOX"] as const) {
      const kept = outcome(ask(type, { choices }), { q: "my own" });
      expect("q" in kept).toBe(takes);
    }
  });

  test("keeps choices once each and at most one other text, without other none, whatever was sent", () => {
    const word = fc.constantFrom("a", "b", "c, d", "OTHER", "e", " f ", ",", "g, a", "");
    const raw = fc.oneof(word, fc.array(word, { maxLength: 5 }), fc.array(word).map(String), fc.constant(null));
    const type = fc.constantFrom<Type>("SELECT", "WORKSHOP_SELECTION", "CHECKBOX");
    fc.assert(
      fc.property(type, raw, fc.boolean(), (kind, given, takesOther) => {
        const question = ask(kind, takesOther ? more : {});
        const kept = outcome(question, { q: given });
        if (!("q" in kept)) return;
        const answers = [kept.q ?? []].flat();
        const others = answers.filter((answer) => !question.choices?.includes(answer));
        expect(others.length).toBeLessThanOrEqual(takesOther && kind !== "WORKSHOP_SELECTION" ? 1 : 0);
        expect(new Set(answers).size).toBe(answers.length);
        expect(outcome(question, { q: kept.q })).toEqual(kept);
      }),
    );
  });
});

describe("limits of answers", () => {
  const skills = (count: number, length = 3) => Array.from({ length: count }, (_, n) => String(n).padEnd(length, "x"));
  test.each<[string, RegistrationQuestion, Raw]>([
    ["4,000 characters", ask("TEXT"), "x".repeat(4_000)],
    ["an emoji is one character", ask("TEXT", { charLimit: 2 }), "😀😀"],
    ["50 skills", ask("SKILLS"), skills(50)],
    ["a URL of 2,048 characters", ask("UPLOAD"), "https://files.example/".padEnd(2_048, "x")],
  ])("%s: accepted", (_, question, raw) => {
    expect(outcome(question, { q: raw })).toEqual({ q: raw });
  });

  const most = "must have at most";
  test.each<[string, RegistrationQuestion, Raw, string]>([
    ["4,001 characters", ask("TEXT"), "x".repeat(4_001), `${most} 4000 characters`],
    ["more than the question allows", ask("TEXT", { charLimit: 5 }), "123456", `${most} 5 characters`],
    [
      "a question that allows too much",
      ask("TEXT", { charLimit: 9_000 }),
      "x".repeat(4_001),
      `${most} 4000 characters`,
    ],
    ["51 skills", ask("SKILLS"), skills(51), `${most} 50 entries`],
    ["a skill of 201 characters", ask("SKILLS"), skills(1, 201), lines],
  ])("%s: refused", (_, question, raw, problem) => {
    expect(outcome(question, { q: raw })).toEqual(refused(problem));
  });
});

test("all issues are named at once, each under the id of its question", () => {
  const questions = [ask("TEXT", { questionId: "t", required: true }), ask("SELECT", { questionId: "s" })];
  const issues = [...refused("is required", "t"), ...refused(offered, "s")];
  expect(outcome([...questions, ask("UPLOAD", { questionId: "fine" })], { s: "z" })).toEqual(issues);
});

test("answers to questions that the event does not ask are dropped", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string()))), (raw) => {
      const { responses, choices } = checkAnswers([ask("WORKSHOP_SELECTION")], { ...raw, q: "a" });
      expect({ ...responses, ...choices }).toEqual({ q: "a" });
    }),
  );
});

test("only answers to workshop questions are counted as choices", () => {
  const questions = types.map((type) => ask(type, { questionId: type }));
  const raw = { ...Object.fromEntries(types.map((type) => [type, "a"])), UPLOAD: "https://files.example" };
  expect(checkAnswers(questions, raw).choices).toEqual({ WORKSHOP_SELECTION: "a" });
});

describe("answers of a guest", () => {
  const event = eventRecord({
    registrationQuestions: [ask("TEXT")],
    partnerRegistrationQuestions: [ask("TEXT", { questionId: "p" })],
  });
  const issuesOf = (ids: readonly string[], isPartner?: true) => {
    const form = {
      eventID: "gala",
      year: 2030,
      email: "a@unit.example",
      dynamicResponses: Object.fromEntries(ids.map((id) => [id, "x"])),
    };
    try {
      refuseUnknownAnswers({ ...form, ...(isPartner && { isPartner }) }, event);
      return [];
    } catch (error) {
      return (error as ValidationFailed).details.issues.map(({ path }) => path);
    }
  };

  test.each<[string, readonly string[], true | undefined, readonly string[]]>([
    ["none is", [], undefined, []],
    ["to a question is not", ["q"], undefined, []],
    ["to a partner's question is", ["p"], undefined, ["/dynamicResponses/p"]],
    ["of a partner to it is not", ["p"], true, []],
    ["has a JSON Pointer for a path", ["a/b~c"], undefined, ["/dynamicResponses/a~1b~0c"]],
  ])("to no question are refused: %s", (_, ids, isPartner, paths) => {
    expect(issuesOf(ids, isPartner)).toEqual(paths);
  });

  test("name the first twenty that are refused", () => {
    const ids = Array.from({ length: 21 }, (_, n) => `u${n}`);
    expect(issuesOf(ids)).toEqual(ids.slice(0, 20).map((id) => `/dynamicResponses/${id}`));
  });
});

test("answers that are too large together are refused as a whole", () => {
  const questions = Array.from({ length: 100 }, (_, n) => ask("TEXT", { questionId: `q${n}` }));
  const refusal = outcome(
    questions,
    Object.fromEntries(questions.map(({ questionId }) => [questionId, "x".repeat(4_000)])),
  );
  expect(refusal).toEqual([expect.objectContaining({ path: "/dynamicResponses" })]);
});
