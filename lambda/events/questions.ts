/** Registration and feedback questions, as sent and as stored. */
import { randomUUID } from "node:crypto";
import type { Issue } from "#kit/errors.ts";

export interface QuestionInput {
  readonly questionId?: string | null;
  readonly type: string;
  readonly choices?: readonly string[] | string | null;
  readonly scaleMin?: number | null;
  readonly scaleMax?: number | null;
}

/** The ends of a LINEAR_SCALE where a question names none. */
const scaleEnds = { min: 1, max: 10 };

/** Whether there is no point on the scale to choose, or only one. */
const hasNoScale = ({ type, scaleMin, scaleMax }: QuestionInput): boolean =>
  type === "LINEAR_SCALE" && (scaleMin ?? scaleEnds.min) >= (scaleMax ?? scaleEnds.max);

const takesChoices = new Set(["SELECT", "CHECKBOX", "WORKSHOP_SELECTION", "MULTIPLE_CHOICE", "CHECKBOXES"]);

const toList = (choices: readonly string[] | string): string[] =>
  (typeof choices === "string" ? choices.split(",") : choices).map((choice) => choice.trim()).filter(Boolean);

/** Names that every object has: as keys of counters they would be found without having been counted. */
const isReserved = (name: string): boolean => name in Object.prototype;

/** A question as it is stored: with an id, and its choices as an array; what is `null` is left out. */
export function normalizeQuestion<Q extends QuestionInput>(question: Q, newId: () => string = randomUUID) {
  const given = Object.fromEntries(Object.entries(question).filter(([, value]) => value !== null)) as Q;
  return {
    ...given,
    questionId: question.questionId || newId(),
    ...(typeof given.choices !== "undefined" && { choices: [...new Set(toList(given.choices ?? []))] }),
  };
}

/** What is wrong with a list of questions, as issues below `path`. */
export function questionIssues(questions: readonly QuestionInput[], path: string): Issue[] {
  const ids = questions.map(({ questionId }) => questionId);
  return questions.flatMap((question, index) => {
    const issues: Issue[] = [];
    const { questionId } = question;
    if (questionId && ids.indexOf(questionId) < index) {
      issues.push({ path: `${path}/${index}/questionId`, message: "is used by another question" });
    }
    if (questionId && isReserved(questionId)) {
      issues.push({ path: `${path}/${index}/questionId`, message: "is a reserved word" });
    }
    if (toList(question.choices ?? []).some(isReserved)) {
      issues.push({ path: `${path}/${index}/choices`, message: "must not have a reserved word among them" });
    }
    if (hasNoScale(question)) {
      issues.push({ path: `${path}/${index}/scaleMax`, message: "must be greater than scaleMin" });
    }
    if (takesChoices.has(question.type) && toList(question.choices ?? []).length === 0) {
      issues.push({ path: `${path}/${index}/choices`, message: "must list at least one choice" });
    }
    return issues;
  });
}
