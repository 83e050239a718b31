/** What is in the fields of a form, and the answers that it makes. Pure. */
import { texts } from "./texts.ts";
import type { Answer, Answers, Question } from "./types.ts";

/** The state of a field. A draft keeps it. */
export interface Entry {
  readonly text?: string;
  readonly chosen?: readonly string[];
  /** The text that replaces the choice "other". */
  readonly other?: string;
}
export type Entries = Readonly<Record<string, Entry>>;

type Kind = "line" | "text" | "address" | "lines" | "one" | "several" | "scale";

const kinds: Readonly<Record<Question["type"], Kind>> = {
  TEXT: "text",
  SHORT_TEXT: "line",
  LONG_TEXT: "text",
  SELECT: "one",
  WORKSHOP_SELECTION: "one",
  MULTIPLE_CHOICE: "one",
  CHECKBOX: "several",
  CHECKBOXES: "several",
  SKILLS: "lines",
  UPLOAD: "address",
  LINEAR_SCALE: "scale",
};
export const kindOf = ({ type }: Question): Kind => kinds[type];

const isOther = (choice: string): boolean => choice.toLowerCase() === "other";

/** The choice that a text may replace; undefined if there is none. Workshops never have one. */
export const otherOf = ({ type, choices = [] }: Question): string | undefined =>
  type === "SELECT" || type === "CHECKBOX" ? choices.find(isOther) : undefined;

/** The entry of an earlier answer. */
function entryOf(question: Question, answer: Answer | undefined): Entry {
  const given = [answer ?? []].flat().map(String);
  const kind = kindOf(question);
  if (kind === "lines") return { text: given.join("\n") };
  if (kind !== "one" && kind !== "several" && kind !== "scale") return { text: given.join(", ") };
  const { choices = given } = question;
  const [written, other] = [given.find((one) => !choices.includes(one)), otherOf(question)];
  const chosen = given.filter((one) => choices.includes(one));
  return written !== undefined && other !== undefined
    ? { chosen: [...new Set([...chosen, other])], other: written }
    : { chosen };
}

export const entriesOf = (questions: readonly Question[], answers: Answers): Entries =>
  Object.fromEntries(questions.map((one) => [one.questionId, entryOf(one, answers[one.questionId])]));

/** The answer of a field, as the API takes it. */
function answerOf(question: Question, { text = "", chosen = [], other = "" }: Entry): Answer {
  const kind = kindOf(question);
  if (kind === "lines") {
    const lines = text.split(/[\n,]/).filter((line) => line.trim() !== "");
    return lines.length > 0 ? lines : null;
  }
  if (kind === "scale") return chosen[0] === undefined ? null : Number(chosen[0]);
  if (kind !== "one" && kind !== "several") return text.trim() === "" ? null : text;
  const replaced = chosen.map((choice) => (choice === otherOf(question) && other.trim()) || choice);
  if (kind === "one") return replaced[0] ?? null;
  return replaced.length > 0 ? replaced : null;
}

export const answersOf = (questions: readonly Question[], entries: Entries): Answers =>
  Object.fromEntries(questions.map((one) => [one.questionId, answerOf(one, entries[one.questionId] ?? {})]));

/** What the page itself sees to be wrong, by question, so that no request is lost on a bad network. */
export function problemsIn(questions: readonly Question[], answers: Answers): Record<string, string> {
  const problems = questions.flatMap(({ questionId, required, charLimit }) => {
    const answer = answers[questionId];
    if (answer === null || answer === undefined) return required ? [[questionId, texts.form.required]] : [];
    if (charLimit !== undefined && typeof answer === "string" && [...answer].length > charLimit)
      return [[questionId, texts.form.tooLong(charLimit)]];
    return [];
  });
  return Object.fromEntries(problems);
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

const ofQuestion = /^\/(?:dynamicResponses|responses)\/([^/]*)/;

/** What the server says, by question, or by the pointer to another part of the form, such as `/email`. */
export const problemsOf = (issues: readonly Issue[]): Record<string, string> =>
  Object.fromEntries(
    issues.map(({ path, message }) => [
      ofQuestion.exec(path)?.[1]?.replaceAll("~1", "/").replaceAll("~0", "~") ?? path,
      texts.form.issue(message),
    ]),
  );
