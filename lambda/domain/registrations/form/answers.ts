/** Validates the answers to an event's questions (`docs/contract.md`, "Registrations"). Pure. */

import type { Choices } from "#domain/capacity/seats.ts";
import type { EventRecord, RegistrationQuestion } from "#domain/events/event.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/schema/formats.ts";
import { assertFits } from "#kit/table/item-size.ts";
import { distinctEntriesIn, quoted } from "#kit/text/text.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { answersSize } from "../record/stored-form.ts";

type RawAnswer = string | readonly string[] | null;
type Answer = string | string[];

const maxCharacters = 4_000;
const maxSkills = 50;
/** Maximum characters of a free-text "other" answer. */
const longestOther = 200;
/**
 * Maximum stored bytes of all answers together: half of DynamoDB's 400 KB per item. The rest of a registration has at most
 * 20 KB.
 */
export const maxAnswerBytes = 200 * 1_024;

export interface Answers {
  /** Answers by question id. Answers to unknown questions are dropped. */
  readonly responses: Readonly<Record<string, Answer>>;
  /** The chosen workshops among the answers. */
  readonly choices: Choices;
}

type Checked = { readonly answer: Answer } | { readonly problem: string };

function text(raw: string | readonly string[], { charLimit = maxCharacters }: RegistrationQuestion): Checked {
  if (typeof raw !== "string") return { problem: "must be text" };
  const limit = Math.min(charLimit, maxCharacters);
  if ([...raw].length > limit) return { problem: `must have at most ${limit} characters` };
  return formats.text.check(raw) ? { answer: raw } : { problem: formats.text.message };
}

/**
 * Whether the question accepts free text: it has the choice "other". Workshops never do, because their holders are counted
 * by choice.
 */
const takesOther = ({ type, choices = [] }: RegistrationQuestion): boolean =>
  (type === "SELECT" || type === "CHECKBOX") && choices.some((choice) => choice.toLowerCase() === "other");

/** The problem of free text; undefined when the question accepts it. */
function problemOfOther(written: string, question: RegistrationQuestion, refusal: string): string | undefined {
  if (written === "" || !takesOther(question)) return refusal;
  if ([...written].length > longestOther) return `must have at most ${longestOther} characters beside the choices`;
  return formats.text.check(written) ? undefined : formats.text.message;
}

function oneChoice(raw: string | readonly string[], question: RegistrationQuestion): Checked {
  const refusal = "must be one of the choices on offer";
  const answer = typeof raw === "string" ? raw.trim() : raw.length === 1 ? (raw[0] as string).trim() : undefined;
  if (answer === undefined) return { problem: refusal };
  const problem = question.choices?.includes(answer) ? undefined : problemOfOther(answer, question, refusal);
  return problem === undefined ? { answer } : { problem };
}

/**
 * The entries of a comma-separated string. If the question accepts free text, consecutive parts that are not choices form
 * one text, because it may contain commas.
 */
function entriesOf(text: string, question: RegistrationQuestion): string[] {
  const { choices = [] } = question;
  const parts = distinctEntriesIn(text);
  const isChoice = (part: string): boolean => choices.includes(part);
  const [from, to] = [parts.findIndex((part) => !isChoice(part)), parts.findLastIndex((part) => !isChoice(part))];
  if (from === to || !takesOther(question) || parts.slice(from, to).some(isChoice)) return parts;
  return [...parts.slice(0, from), parts.slice(from, to + 1).join(", "), ...parts.slice(to + 1)];
}

function severalChoices(raw: string | readonly string[], question: RegistrationQuestion): Checked {
  const { choices = [] } = question;
  const refusal = "must only have choices that are on offer";
  // A choice may contain a comma. A text that equals a choice is that one choice.
  const isChoice = typeof raw === "string" && choices.includes(raw.trim());
  const answer = typeof raw !== "string" ? distinctEntriesIn(raw) : isChoice ? [raw.trim()] : entriesOf(raw, question);
  const [written, ...more] = answer.filter((entry) => !choices.includes(entry));
  if (more.length > 0) return { problem: takesOther(question) ? `${refusal}, and one text beside them` : refusal };
  const problem = written === undefined ? undefined : problemOfOther(written, question, refusal);
  return problem === undefined ? { answer } : { problem };
}

function skills(raw: string | readonly string[]): Checked {
  const answer = distinctEntriesIn(raw);
  if (answer.length > maxSkills) return { problem: `must have at most ${maxSkills} entries` };
  const fine = answer.every((entry) => formats.line.check(entry) && entry.length <= 200);
  return fine ? { answer } : { problem: "must be short single lines" };
}

const upload = (raw: string | readonly string[]): Checked =>
  typeof raw === "string" && formats["file-link"].check(raw)
    ? { answer: formats["file-link"].canonical(raw) }
    : { problem: formats["file-link"].message };

const checks: Record<
  RegistrationQuestion["type"],
  (raw: string | readonly string[], q: RegistrationQuestion) => Checked
> = {
  TEXT: text,
  SELECT: oneChoice,
  WORKSHOP_SELECTION: oneChoice,
  CHECKBOX: severalChoices,
  SKILLS: skills,
  UPLOAD: upload,
};

const lists = new Set<RegistrationQuestion["type"]>(["CHECKBOX", "SKILLS"]);

/** Whether a value counts as no answer. A list of blanks and commas is blank too. */
const isBlank = (raw: RawAnswer | undefined, type: RegistrationQuestion["type"]): raw is null | undefined => {
  if (raw === null || raw === undefined) return true;
  if (lists.has(type)) return distinctEntriesIn(raw).length === 0;
  return typeof raw === "string" ? raw.trim() === "" : raw.length === 0;
};

/** The questions that a person answers: partners their own, if there are any. */
export const questionsFor = (
  { isPartner = false }: { readonly isPartner?: boolean | undefined },
  { registrationQuestions = [], partnerRegistrationQuestions = [] }: Partial<EventRecord>,
): readonly RegistrationQuestion[] =>
  isPartner && partnerRegistrationQuestions.length > 0 ? partnerRegistrationQuestions : registrationQuestions;

/**
 * The chosen workshops among stored answers, according to the event's current questions. Choices of removed questions are
 * unchanged.
 */
export function chosenIn(
  questions: readonly RegistrationQuestion[],
  { dynamicResponses, choices }: Pick<RegistrationRecord, "dynamicResponses" | "choices">,
): Choices {
  const chosen: Record<string, string> = { ...choices };
  for (const { questionId, type } of questions) {
    delete chosen[questionId];
    const answer = dynamicResponses[questionId];
    if (type === "WORKSHOP_SELECTION" && typeof answer === "string") chosen[questionId] = answer;
  }
  return chosen;
}

/**
 * Validates answers against the questions.
 * @throws ValidationFailed answers are missing or invalid, or too large together
 */
export function checkAnswers(
  questions: readonly RegistrationQuestion[],
  raw: Readonly<Record<string, RawAnswer>> = {},
): Answers {
  const issues: Issue[] = [];
  const responses: Record<string, Answer> = {};
  const choices: Record<string, string> = {};
  for (const question of questions) {
    const { questionId, label, type, required } = question;
    const name = quoted(label);
    const path = `/dynamicResponses/${questionId}`;
    const given = Object.hasOwn(raw, questionId) ? raw[questionId] : undefined;
    if (isBlank(given, type)) {
      if (required) issues.push({ path, name, message: "is required" });
      continue;
    }
    const checked = checks[type](given as string | readonly string[], question);
    if ("problem" in checked) {
      issues.push({ path, name, message: checked.problem });
      continue;
    }
    responses[questionId] = checked.answer;
    if (type === "WORKSHOP_SELECTION") choices[questionId] = checked.answer as string;
  }
  if (issues.length > 0) throw new ValidationFailed(issues);
  assertFits(answersSize(responses), "/dynamicResponses", { maxBytes: maxAnswerBytes, what: "all answers together" });
  return { responses, choices };
}
