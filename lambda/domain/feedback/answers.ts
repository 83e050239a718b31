/** Checks the answers to a feedback form (`docs/contract.md`, "Feedback"). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/schema/formats.ts";
import { distinctEntriesIn, quoted } from "#kit/text/text.ts";
import type { FeedbackQuestion } from "./form.ts";

/** An answer as sent. `null` and blank values count as no answer. */
export type RawAnswer = string | number | readonly string[] | null;
/** An answer as stored: a text or one choice, a point on a scale, or several choices. */
export type Answer = string | number | readonly string[];
/** Checked answers by question id. */
export type Responses = Readonly<Record<string, Answer>>;

type Given = NonNullable<RawAnswer>;
type Checked = { readonly answer: Answer } | { readonly problem: string };
type Check = (given: Given, question: FeedbackQuestion) => Checked;

/** @param limit characters; a surrogate pair counts as one */
const textUpTo =
  (limit: number): Check =>
  (given) => {
    if (typeof given !== "string") return { problem: "must be text" };
    if ([...given].length > limit) return { problem: `must have at most ${limit} characters` };
    return formats.text.check(given) ? { answer: given } : { problem: formats.text.message };
  };

const oneChoice: Check = (given, { choices = [] }) => {
  const [only, ...more] = [given].flat();
  const answer = typeof only === "string" && more.length === 0 ? only.trim() : undefined;
  return answer !== undefined && choices.includes(answer)
    ? { answer }
    : { problem: "must be one of the choices on offer" };
};

const severalChoices: Check = (given, { choices = [] }) => {
  if (typeof given === "number") return { problem: "must be a list of choices" };
  // A choice may contain a comma. A text that equals a choice is that one choice.
  const answer =
    typeof given === "string" && choices.includes(given.trim()) ? [given.trim()] : distinctEntriesIn(given);
  return answer.every((entry) => choices.includes(entry))
    ? { answer }
    : { problem: "must only have choices that are on offer" };
};

const pointOnScale: Check = (given, { scaleMin = 1, scaleMax = 10 }) =>
  typeof given === "number" && Number.isInteger(given) && given >= scaleMin && given <= scaleMax
    ? { answer: given }
    : { problem: `must be a whole number from ${scaleMin} to ${scaleMax}` };

const checks: Record<FeedbackQuestion["type"], Check> = {
  SHORT_TEXT: textUpTo(280),
  LONG_TEXT: textUpTo(4_000),
  MULTIPLE_CHOICE: oneChoice,
  CHECKBOXES: severalChoices,
  LINEAR_SCALE: pointOnScale,
};

/** Whether a value counts as no answer. A list of blanks and commas is blank too. */
function isBlank(raw: RawAnswer | undefined, type: FeedbackQuestion["type"]): raw is null | undefined {
  if (raw === null || raw === undefined) return true;
  if (typeof raw === "number") return false;
  return typeof raw === "string" && type !== "CHECKBOXES" ? raw.trim() === "" : distinctEntriesIn(raw).length === 0;
}

/** The JSON pointer of an answer, in which `~` and `/` are escaped (RFC 6901). */
const pathOf = (questionId: string): string => `/responses/${questionId.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/**
 * Validates answers against the questions of a form. Blank answers are omitted.
 * @throws ValidationFailed an answer is missing or invalid, or its question is not in the form
 */
export function checkResponses(
  questions: readonly FeedbackQuestion[],
  raw: Readonly<Record<string, RawAnswer>>,
): Responses {
  const responses: [string, Answer][] = [];
  const issues: Issue[] = [];
  for (const question of questions) {
    const { questionId, label, type, required } = question;
    const place = { path: pathOf(questionId), name: quoted(label) };
    const given = Object.hasOwn(raw, questionId) ? raw[questionId] : undefined;
    if (isBlank(given, type)) {
      if (required) issues.push({ ...place, message: "is required" });
      continue;
    }
    const checked = checks[type](given as Given, question);
    if ("answer" in checked) responses.push([questionId, checked.answer]);
    else issues.push({ ...place, message: checked.problem });
  }
  const asked = new Set(questions.map(({ questionId }) => questionId));
  const unasked = Object.keys(raw).filter((questionId) => !asked.has(questionId));
  issues.push(...unasked.map((questionId) => ({ path: pathOf(questionId), message: "is no question of this form" })));
  if (issues.length > 0) throw new ValidationFailed(issues);
  return Object.fromEntries(responses);
}
