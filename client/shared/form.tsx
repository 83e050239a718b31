/** A form whose entries stay on the device until they are sent. */
import { useState } from "preact/hooks";
import { answersOf, type Entries, type Entry, entriesOf, problemsIn, problemsOf } from "./answers.ts";
import { Refused } from "./call.ts";
import { Field, fieldId, focusFirst, type Left, Line, type LineProps } from "./field.tsx";
import { keep, readKept } from "./store.ts";
import { texts } from "./texts.ts";
import type { Answers, Question } from "./types.ts";

/** The page has looked at the entries: some fields show a problem. */
class Incomplete extends Error {}

type Problems = Readonly<Record<string, string>>;

export interface Form {
  readonly questions: readonly Question[];
  readonly entries: Entries;
  readonly problems: Problems;
  set(name: string, entry: Entry): void;
  /** The text of a line. */
  text(name: string): string;
  /** The answers to the questions. @throws Incomplete */
  collect(lines?: readonly string[]): Answers;
  /** Shows beside each field what the server says about it. @throws Incomplete, or the problem if it says nothing */
  complain(problem: unknown): never;
  /** Keeps no longer what this form has sent. */
  sent(): void;
}

/**
 * @param draft the key of what this device keeps
 * @param given what was answered before
 */
export function useForm(draft: string, questions: readonly Question[], given: Answers = {}): Form {
  const key = `draft/${draft}`;
  /** What the person has changed. A browser may fill several fields in before anything is drawn. */
  const [changed, setChanged] = useState<Entries>(() => readKept<Entries>(key) ?? {});
  const [problems, setProblems] = useState<Problems>({});
  const entries = { ...entriesOf(questions, given), ...changed };
  const show = (found: Problems): never => {
    setProblems(found);
    const ids = Object.keys(found).map((name) => (name.startsWith("/") ? name : fieldId(name)));
    // The fields describe their problems only once they are drawn.
    setTimeout(() => focusFirst(ids));
    throw new Incomplete();
  };
  const change = (next: (kept: Entries) => Entries) =>
    setChanged((kept) => {
      const all = next(kept);
      keep(key, Object.keys(all).length > 0 ? all : undefined);
      return all;
    });
  return {
    questions,
    entries,
    problems,
    set: (name, entry) => {
      change((kept) => ({ ...kept, [name]: entry }));
      setProblems(({ [name]: _, ...others }) => others);
    },
    text: (name) => entries[name]?.text?.trim() ?? "",
    collect: (lines = []) => {
      const answers = answersOf(questions, entries);
      const missing = lines.filter((name) => !entries[name]?.text?.trim());
      const found = {
        ...Object.fromEntries(missing.map((name) => [name, texts.form.required])),
        ...problemsIn(questions, answers),
      };
      if (Object.keys(found).length > 0) show(found);
      setProblems({});
      return answers;
    },
    complain: (problem) => {
      const found = problemsOf(problem instanceof Refused ? problem.issues : []);
      if (!Object.keys(found).some((name) => name in entries)) throw problem;
      return show(found);
    },
    sent: () =>
      change((kept) => Object.fromEntries(Object.entries(kept).filter(([name, one]) => one !== changed[name]))),
  };
}

/** The sentence for a form that shows problems. */
export const explainForm = (problem: unknown): string | undefined =>
  problem instanceof Incomplete ? texts.form.look : undefined;

/** The fields of all questions. */
export const Questions = ({ form, left }: { readonly form: Form; readonly left?: Left }) => (
  <>
    {form.questions.map((question) => (
      <Field
        key={question.questionId}
        question={question}
        entry={form.entries[question.questionId] ?? {}}
        problem={form.problems[question.questionId]}
        left={left}
        set={(entry) => form.set(question.questionId, entry)}
      />
    ))}
  </>
);

interface FormLineProps extends Pick<LineProps, "label" | "required" | "type" | "autocomplete"> {
  readonly form: Form;
  /** The pointer to it in the body. */
  readonly name: string;
}

/** A line of a form that is no question. */
export const FormLine = ({ form, name, ...line }: FormLineProps) => (
  <Line
    {...line}
    id={name}
    value={form.entries[name]?.text ?? ""}
    problem={form.problems[name]}
    set={(text) => form.set(name, { text })}
  />
);
