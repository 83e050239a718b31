/** Checks the answers to an event's questions (`docs/contract.md`, "Registrations"). Pure. */

import type { RegistrationQuestion } from "#domain/events/event.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/formats.ts";
import { assertFits } from "#kit/item-size.ts";
import { quoted } from "#kit/text.ts";
import type { Choices } from "./seats/seats.ts";

type RawAnswer = string | readonly string[] | null;
type Answer = string | string[];

const maxCharacters = 4_000;
const maxSkills = 50;
/** Most bytes of all answers together: half of the 400 KB that DynamoDB allows for an item. */
const mostBytes = 200 * 1_024;

export interface Answers {
  /** Answers by question id. Answers to questions that the event does not ask are dropped. */
  readonly responses: Readonly<Record<string, Answer>>;
  /** The chosen workshops among the answers. */
  readonly choices: Choices;
}

const toList = (raw: string | readonly string[]): string[] => [
  ...new Set((typeof raw === "string" ? raw.split(",") : raw).map((entry) => entry.trim()).filter(Boolean)),
];

type Checked = { readonly answer: Answer } | { readonly problem: string };

function text(raw: string | readonly string[], { charLimit = maxCharacters }: RegistrationQuestion): Checked {
  if (typeof raw !== "string") return { problem: "must be text" };
  const limit = Math.min(charLimit, maxCharacters);
  if ([...raw].length > limit) return { problem: `must have at most ${limit} characters` };
  return formats.text.check(raw) ? { answer: raw } : { problem: formats.text.message };
}

function oneChoice(raw: string | readonly string[], { choices = [] }: RegistrationQuestion): Checked {
  const answer = typeof raw === "string" ? raw.trim() : raw.length === 1 ? (raw[0] as string).trim() : undefined;
  return answer !== undefined && choices.includes(answer)
    ? { answer }
    : { problem: "must be one of the choices on offer" };
}

function severalChoices(raw: string | readonly string[], { choices = [] }: RegistrationQuestion): Checked {
  // A choice may contain a comma. A text that equals a choice is that one choice.
  const answer = typeof raw === "string" && choices.includes(raw.trim()) ? [raw.trim()] : toList(raw);
  return answer.every((entry) => choices.includes(entry))
    ? { answer }
    : { problem: "must only have choices that are on offer" };
}

function skills(raw: string | readonly string[]): Checked {
  const answer = toList(raw);
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
  if (lists.has(type)) return toList(raw).length === 0;
  return typeof raw === "string" ? raw.trim() === "" : raw.length === 0;
};

/**
 * Checks answers against the questions.
 * @throws ValidationFailed when answers are missing or not allowed, or when all together are too large
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
  assertFits(responses, "/dynamicResponses", { mostBytes, what: "all answers together" });
  return { responses, choices };
}
