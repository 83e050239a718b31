/** Rules for registration and feedback questions (`docs/contract.md`, "Events"). */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Issue } from "#kit/errors.ts";
import { distinctEntriesIn, entriesIn } from "#kit/text.ts";

export interface QuestionInput {
  readonly questionId?: string | null;
  readonly label?: string;
  readonly type: string;
  readonly choices?: readonly string[] | string | null;
  readonly scaleMin?: number | null;
  readonly scaleMax?: number | null;
}

/** The ends of a LINEAR_SCALE that names no ends. */
const scaleEnds = { min: 1, max: 10 };

/** Whether the scale has fewer than two points. */
const hasNoScale = ({ type, scaleMin, scaleMax }: QuestionInput): boolean =>
  type === "LINEAR_SCALE" && (scaleMin ?? scaleEnds.min) >= (scaleMax ?? scaleEnds.max);

/**
 * The schema of the request cannot check choices that come as one text with commas, so these limits are checked here.
 */
const mostChoices = 100;
/** In characters. */
const longestChoice = 200;

/** A registration moves one counter for each workshop of its list, and DynamoDB limits the size of an expression. */
const mostWorkshops = 20;

const takesChoices = new Set(["SELECT", "CHECKBOX", "WORKSHOP_SELECTION", "MULTIPLE_CHOICE", "CHECKBOXES"]);

/** Names that every JavaScript object has. As keys of counters they would be found although no counter exists. */
const isReserved = (name: string): boolean => name in Object.prototype;

/** A question as stored: it has an id, its choices are an array, and fields that say nothing are left out. */
export function normalizeQuestion<Q extends QuestionInput>(question: Q, newId: () => string = randomUUID) {
  const { choices, ...given } = Object.fromEntries(Object.entries(question).filter(([, value]) => value !== null)) as Q;
  const offered = distinctEntriesIn(choices ?? []);
  return { ...given, questionId: question.questionId || newId(), ...(offered.length > 0 && { choices: offered }) };
}

/** A question of a stored list. */
type StoredQuestion = QuestionInput & { readonly questionId: string };

const isSameAsked = (a: QuestionInput, b: QuestionInput): boolean => a.label === b.label && a.type === b.type;

/** Whether two questions differ in nothing but their ids. */
function isSameQuestion(a: QuestionInput, b: QuestionInput): boolean {
  const [one, other] = [a, b].map((question) => normalizeQuestion({ ...question, questionId: "any" }));
  return isDeepStrictEqual(one, other);
}

/**
 * The questions with an id each. A question without one takes that of the stored question with the same label and type,
 * because answers are stored under the id: an equal question first, else the first one in the list. No id is taken
 * twice, and none that another question of the list names.
 * @param newId the id for a question that is new, by its place in the list
 */
export function withIds<Q extends QuestionInput>(
  questions: readonly Q[],
  stored: readonly StoredQuestion[],
  newId: (place: number) => string,
): (Q & { readonly questionId: string })[] {
  const ids = questions.map(({ questionId }) => questionId || undefined);
  const free = stored.filter(({ questionId }) => !ids.includes(questionId));
  for (const isMeant of [isSameQuestion, isSameAsked]) {
    for (const [place, question] of questions.entries()) {
      if (ids[place] !== undefined) continue;
      const found = free.findIndex((known) => isSameAsked(question, known) && isMeant(question, known));
      if (found >= 0) ids[place] = free.splice(found, 1)[0]?.questionId;
    }
  }
  return questions.map((question, place) => ({ ...question, questionId: ids[place] ?? newId(place) }));
}

/** The errors of a list of questions. `path` is the JSON pointer of the list. */
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
      [choices.some(isReserved), "choices", "must not have a reserved word among them"],
      [choices.length > mostChoices, "choices", `must have at most ${mostChoices} entries`],
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

/** Whether the places of a question's choices are counted. */
const isCounted = ({ type }: QuestionInput): boolean => type === "WORKSHOP_SELECTION";

/** The former questions of an event: whether the places of each one were counted, by its id. */
export type FormerQuestions = Readonly<Record<string, boolean>>;

/** An event's two lists of registration questions, with the former ones. */
type AskedQuestions = {
  readonly [list in (typeof registrationLists)[number]]?: readonly StoredQuestion[];
} & { readonly formerQuestions?: FormerQuestions };

const allOf = (event: AskedQuestions): readonly StoredQuestion[] =>
  registrationLists.flatMap((list) => event[list] ?? []);

/**
 * What becomes of an event's questions by a change. Answers stay under the id of a question that is removed, so it is
 * remembered whether they were counted.
 * @returns the former questions after the change, and whether a question becomes a workshop selection or stops being
 * one, also one that was removed and comes back. Places are then counted for no one, or for people who have none.
 */
export function questionChange(
  before: AskedQuestions,
  after: AskedQuestions,
): { readonly former: FormerQuestions; readonly changesCounting: boolean } {
  const known = new Map(Object.entries(before.formerQuestions ?? {}));
  for (const question of allOf(before)) known.set(question.questionId, isCounted(question));
  const asked = allOf(after);
  const changesCounting = asked.some(
    (question) => (known.get(question.questionId) ?? isCounted(question)) !== isCounted(question),
  );
  for (const { questionId } of asked) known.delete(questionId);
  return { former: Object.fromEntries(known), changesCounting };
}

type RegistrationLists = { readonly [list in (typeof registrationLists)[number]]?: readonly QuestionInput[] };

/**
 * The errors of an event's two lists of registration questions after a change. Only the lists that change are checked,
 * so that an old list with an error does not block other changes. Seats are counted by question id alone, so an id must
 * not be in both lists.
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
      if (workshops <= mostWorkshops) return issues;
      return [...issues, { path: `/${list}`, message: `must have at most ${mostWorkshops} workshop selections` }];
    });
}
