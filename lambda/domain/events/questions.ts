/** Rules for registration and feedback questions (`docs/contract.md`, "Events"). */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Issue } from "#kit/errors.ts";
import { distinctEntriesIn, entriesIn, forbiddenKeys } from "#kit/text/text.ts";

export interface QuestionInput {
  readonly questionId?: string | null;
  readonly label?: string;
  readonly type: string;
  readonly choices?: readonly string[] | string | null;
  readonly scaleMin?: number | null;
  readonly scaleMax?: number | null;
}

const defaultScale = { min: 1, max: 10 };

/** Whether the scale has fewer than two points. */
const hasNoScale = ({ type, scaleMin, scaleMax }: QuestionInput): boolean =>
  type === "LINEAR_SCALE" && (scaleMin ?? defaultScale.min) >= (scaleMax ?? defaultScale.max);

/** These limits are checked here because the request's schema cannot check choices in one comma-separated string. */
const maxChoices = 100;
/** In characters. */
const longestChoice = 200;

/** A registration updates one counter per workshop of its list, and DynamoDB limits the size of an expression. */
const maxWorkshops = 20;

const takesChoices = new Set(["SELECT", "CHECKBOX", "WORKSHOP_SELECTION", "MULTIPLE_CHOICE", "CHECKBOXES"]);

/** Names that every JavaScript object inherits; as keys of counters they would seem to exist. */
export const isInherited = (name: string): boolean => name in Object.prototype;
/** Answers have the id as a key. */
export const isReserved = (questionId: string): boolean => isInherited(questionId) || forbiddenKeys.has(questionId);

/** A question as stored: with an id, its choices as an array, and without empty fields. */
export function normalizeQuestion<Q extends QuestionInput>(question: Q, newId: () => string = randomUUID) {
  const { choices, ...given } = Object.fromEntries(Object.entries(question).filter(([, value]) => value !== null)) as Q;
  const offered = distinctEntriesIn(choices ?? []);
  return { ...given, questionId: question.questionId || newId(), ...(offered.length > 0 && { choices: offered }) };
}

/** A question of a stored list. */
type StoredQuestion = QuestionInput & { readonly questionId: string };

const isSimilar = (a: QuestionInput, b: QuestionInput): boolean => a.label === b.label && a.type === b.type;

/** Whether two questions are equal apart from their ids. */
function isSameQuestion(a: QuestionInput, b: QuestionInput): boolean {
  const [one, other] = [a, b].map((question) => normalizeQuestion({ ...question, questionId: "any" }));
  return isDeepStrictEqual(one, other);
}

/**
 * Assigns an id to each question without one. Because answers are stored by question id, it reuses the id of a stored
 * question with the same label and type: of an equal question if there is one, else of the first. No id is used twice.
 * @param newId the id for a new question, by its index in the list
 */
export function withIds<Q extends QuestionInput>(
  questions: readonly Q[],
  stored: readonly StoredQuestion[],
  newId: (place: number) => string,
): (Q & { readonly questionId: string })[] {
  const ids = questions.map(({ questionId }) => questionId || undefined);
  const free = stored.filter(({ questionId }) => !ids.includes(questionId));
  for (const isMeant of [isSameQuestion, isSimilar]) {
    for (const [place, question] of questions.entries()) {
      if (ids[place] !== undefined) continue;
      const found = free.findIndex((known) => isSimilar(question, known) && isMeant(question, known));
      if (found >= 0) ids[place] = free.splice(found, 1)[0]?.questionId;
    }
  }
  return questions.map((question, place) => ({ ...question, questionId: ids[place] ?? newId(place) }));
}

/** Validates a list of questions. @param path JSON pointer of the list */
export function questionIssues(questions: readonly QuestionInput[], path: string): Issue[] {
  const ids = questions.map(({ questionId }) => questionId);
  return questions.flatMap((question, index) => {
    const { questionId, label, type } = question;
    const choices = entriesIn(question.choices ?? []);
    const tooLong = choices.some((choice) => choice.length > longestChoice);
    const rules: [isBroken: boolean, field: string, message: string][] = [
      [label?.trim() === "", "label", "must not be blank"],
      [!!questionId && ids.indexOf(questionId) < index, "questionId", "is used by another question"],
      [!!questionId && isReserved(questionId), "questionId", "is a reserved word"],
      [choices.some(isInherited), "choices", "must not have a reserved word among them"],
      [choices.length > maxChoices, "choices", `must have at most ${maxChoices} entries`],
      [tooLong, "choices", `must not have an entry of more than ${longestChoice} characters`],
      [hasNoScale(question), "scaleMax", "must be greater than scaleMin"],
      [takesChoices.has(type) && choices.length === 0, "choices", "must list at least one choice"],
    ];
    return rules.flatMap(([isBroken, field, message]) =>
      isBroken ? [{ path: `${path}/${index}/${field}`, message }] : [],
    );
  });
}

const registrationLists = ["registrationQuestions", "partnerRegistrationQuestions"] as const;

/** Whether the holders of a question's choices are counted. */
const isCounted = ({ type }: QuestionInput): boolean => type === "WORKSHOP_SELECTION";

/** A removed question: its last label, and whether its choices were counted. */
interface FormerQuestion {
  readonly label?: string | undefined;
  readonly isCounted: boolean;
}

/** The removed questions of an event, by question id. */
export type FormerQuestions = Readonly<Record<string, FormerQuestion>>;

/** An event's two lists of registration questions, and its removed questions. */
type AskedQuestions = {
  readonly [list in (typeof registrationLists)[number]]?: readonly StoredQuestion[];
} & { readonly formerQuestions?: FormerQuestions };

const allOf = (event: AskedQuestions): readonly StoredQuestion[] =>
  registrationLists.flatMap((list) => event[list] ?? []);

/**
 * The effect of a change on an event's questions. Answers to removed questions are kept, so the service remembers
 * their labels and whether they were counted.
 * @returns the removed questions after the change, and whether a question, also one that is added again, becomes a
 * workshop selection or stops being one. The counters would then not match the stored answers.
 */
export function questionChange(
  before: AskedQuestions,
  after: AskedQuestions,
): { readonly former: FormerQuestions; readonly changesCounting: boolean } {
  const known = new Map(Object.entries(before.formerQuestions ?? {}));
  for (const question of allOf(before)) {
    known.set(question.questionId, { label: question.label, isCounted: isCounted(question) });
  }
  const asked = allOf(after);
  const changesCounting = asked.some(
    (question) => (known.get(question.questionId)?.isCounted ?? isCounted(question)) !== isCounted(question),
  );
  for (const { questionId } of asked) known.delete(questionId);
  return { former: Object.fromEntries(known), changesCounting };
}

type RegistrationLists = { readonly [list in (typeof registrationLists)[number]]?: readonly QuestionInput[] };

/**
 * Validates an event's two lists of registration questions after a change. Only changed lists are checked, so that an
 * existing error does not block other changes. Choices are counted by question id, so an id must not be in both lists.
 */
export function registrationListIssues(event: RegistrationLists, changed: readonly string[]): Issue[] {
  const [attendees, partners] = registrationLists;
  return registrationLists
    .filter((list) => changed.includes(list))
    .flatMap((list) => {
      const questions = event[list] ?? [];
      const other = list === attendees ? partners : attendees;
      const placeInOther = new Map((event[other] ?? []).map(({ questionId }, index) => [questionId, index]));
      const issues = questions.flatMap(({ questionId }, index) => {
        const place = placeInOther.get(questionId);
        if (place === undefined) return [];
        const message = `must not be the id of another question: entry ${place + 1} of ${other} has it too`;
        return [{ path: `/${list}/${index}/questionId`, message }];
      });
      const workshops = questions.filter(isCounted).length;
      if (workshops <= maxWorkshops) return issues;
      return [...issues, { path: `/${list}`, message: `must have at most ${maxWorkshops} workshop selections` }];
    });
}
