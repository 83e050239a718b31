/** A form whose entries stay on the device until they are sent. */
import { useState } from "preact/hooks";
import { Refused } from "../page/call.ts";
import { answersOf, type Entries, type Entry, entriesOf, problemsIn, problemsOf } from "./answers.ts";
import { Field, fieldId, focusFirst, type Left, Line, type TextType } from "./field.tsx";
import { keep, readKept } from "./store.ts";
import { texts } from "./texts.ts";
import type { Answers, Question } from "./types.ts";

/** The page has looked at the entries: some fields show a problem. */
class Incomplete extends Error {}

export interface Form {
  readonly questions: readonly Question[];
  readonly entries: Entries;
  readonly problems: Readonly<Record<string, string>>;
  set(name: string, entry: Entry): void;
  /** The text of a line. */
  text(name: string): string;
  /** The answers to the questions. @throws Incomplete */
  collect(lines?: readonly string[]): Answers;
  /** Shows beside each field what the server says about it. @throws Incomplete, or the problem if it says nothing */
  complain(problem: unknown): never;
  /** Keeps nothing any more. */
  sent(): void;
}

/**
 * @param draft the key of what this device keeps
 * @param given what was answered before
 */
export function useForm(draft: string, questions: readonly Question[], given: Answers = {}, lines: Entries = {}): Form {
  const key = `draft/${draft}`;
  const [entries, setEntries] = useState<Entries>(() => ({
    ...entriesOf(questions, given),
    ...lines,
    ...readKept<Entries>(key),
  }));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const show = (found: Readonly<Record<string, string>>): never => {
    setProblems(found);
    const ids = Object.keys(found).map((name) => (name.startsWith("/") ? name : fieldId(name)));
    // The fields describe their problems only once they are drawn.
    setTimeout(() => focusFirst(ids));
    throw new Incomplete();
  };
  return {
    questions,
    entries,
    problems,
    set: (name, entry) => {
      // A browser may fill several fields in before anything is drawn.
      setEntries((kept) => {
        const next = { ...kept, [name]: entry };
        keep(key, next);
        return next;
      });
      setProblems(({ [name]: _, ...others }) => others);
    },
    text: (name) => entries[name]?.text?.trim() ?? "",
    collect: (needed = []) => {
      const answers = answersOf(questions, entries);
      const missing = needed.filter((name) => !entries[name]?.text?.trim());
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
      const known = Object.keys(found).filter(
        (name) => name in entries || questions.some((one) => one.questionId === name),
      );
      if (known.length === 0) throw problem;
      return show(found);
    },
    sent: () => keep(key, undefined),
  };
}

/** The sentence for a form that shows problems. */
export const explainForm = (problem: unknown): string | undefined =>
  problem instanceof Incomplete ? texts.form.look : undefined;

/** The fields of all questions. */
export function Questions({ form, left }: { readonly form: Form; readonly left?: Left | undefined }) {
  return (
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
}

interface FormLineProps {
  readonly form: Form;
  /** The pointer to it in the body. */
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
  readonly type?: TextType;
  readonly autocomplete?: string;
}

/** A line of a form that is no question. */
export function FormLine({ form, name, ...line }: FormLineProps) {
  return (
    <Line
      {...line}
      id={name}
      value={form.entries[name]?.text ?? ""}
      problem={form.problems[name]}
      set={(text) => form.set(name, { text })}
    />
  );
}

/** The idempotency key of a body: a request that is sent again, also after the page was loaded again, has the same. */
export function keyOf(draft: string, body: object): string {
  const [name, text] = [`key/${draft}`, JSON.stringify(body)];
  const kept = readKept<{ readonly key: string; readonly text: string }>(name);
  if (kept?.text === text) return kept.key;
  const key = crypto.randomUUID();
  keep(name, { key, text });
  return key;
}

/** The request has its answer: the next one is another one. */
export const answered = (draft: string): void => keep(`key/${draft}`, undefined);
