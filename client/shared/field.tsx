/** The questions of a form as fields. */
import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { type Entry, kindOf, otherOf } from "./answers.ts";
import { Picture } from "./parts.tsx";
import { texts } from "./texts.ts";
import type { Question } from "./types.ts";

const words = texts.form;

export interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly required?: boolean;
  readonly problem?: string | undefined;
  readonly hint?: ComponentChildren;
}

/** What ties a field to the words around it. */
export const tied = ({ id, required = true, problem }: FrameProps) => ({
  ...{ id, "aria-required": required, "aria-invalid": problem !== undefined },
  "aria-describedby": `${id}-hint ${id}-problem`,
});

interface ShownFrame extends FrameProps {
  readonly isGroup?: boolean;
  readonly children: ComponentChildren;
}

/** A label, what is filled in below it, and what is wrong with that. */
export function Frame({ children, isGroup = false, ...frame }: ShownFrame) {
  const { id, label, required = true, problem, hint } = frame;
  const title = (
    <>
      {label} {!required && <span class="minor">({words.optional})</span>}
    </>
  );
  const below = (
    <>
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
      {children}
      <span class="problem" id={`${id}-problem`} role="alert">
        {problem}
      </span>
    </>
  );
  return isGroup ? (
    <fieldset class="field" aria-describedby={tied(frame)["aria-describedby"]} data-field={id}>
      <legend>{title}</legend>
      {below}
    </fieldset>
  ) : (
    <div class="field" data-field={id}>
      <label for={id}>{title}</label>
      {below}
    </div>
  );
}

/** A line that is no question. */
export interface LineProps extends FrameProps {
  readonly value: string;
  readonly type?: "text" | "email" | "password";
  readonly autocomplete?: string;
  readonly inputMode?: "numeric";
  set(value: string): void;
}

/** One line of text. */
export function Line({ id, label, required, problem, hint, set, autocomplete = "off", ...input }: LineProps) {
  const frame = { id, label, problem, hint, ...(required !== undefined && { required }) };
  return (
    <Frame {...frame}>
      <input
        {...(input as InputHTMLAttributes<HTMLInputElement>)}
        {...tied(frame)}
        name={id}
        autocomplete={autocomplete}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </Frame>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly type: "radio" | "checkbox";
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
  choose(isChosen: boolean): void;
}

export const Choice = ({ children, choose, ...input }: ChoiceProps) => (
  <label class="choice">
    <input {...input} onChange={({ currentTarget }) => choose(currentTarget.checked)} />
    <span>{children}</span>
  </label>
);

interface FieldProps {
  readonly question: Question;
  readonly entry: Entry;
  readonly problem: string | undefined;
  /** How many a choice has left; undefined: as many as want. */
  readonly left?: ((questionId: string, choice: string) => number | undefined) | undefined;
  set(entry: Entry): void;
}
export type Left = NonNullable<FieldProps["left"]>;

interface BodyProps extends FieldProps {
  readonly frame: FrameProps;
}

/** A choice with what it has left, and whether nothing is. */
function choiceOf(choice: string, { question, entry, left }: FieldProps) {
  const count = left?.(question.questionId, choice);
  return {
    text: count === undefined ? choice : `${choice} (${words.left(count)})`,
    isChosen: entry.chosen?.includes(choice) === true,
    isFull: count === 0 && !entry.chosen?.includes(choice),
  };
}

/** A list to open. */
function List(props: BodyProps) {
  const { question, entry, set, frame } = props;
  const { choices = [], required } = question;
  const choose = (value: string) => set({ ...entry, chosen: value === "" ? [] : [value] });
  return (
    <select {...tied(frame)} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      <option value="" selected={!entry.chosen?.length}>
        {required ? words.choose : words.none}
      </option>
      {choices.map((choice) => {
        const { text, isChosen, isFull } = choiceOf(choice, props);
        return (
          <option key={choice} value={choice} selected={isChosen} disabled={isFull}>
            {text}
          </option>
        );
      })}
    </select>
  );
}

/** Choices, or the points of a scale. An answer that is not required can be taken back. */
function Choices(props: BodyProps) {
  const { question, entry, set, frame } = props;
  const { choices = [], required, scaleMin = 1, scaleMax = 10 } = question;
  const [kind, chosen] = [kindOf(question), entry.chosen ?? []];
  const isSingle = kind !== "several";
  const points = Array.from({ length: scaleMax - scaleMin + 1 }, (_, index) => String(scaleMin + index));
  const choose = (choice: string) => (isChosen: boolean) => {
    const others = isSingle ? [] : chosen.filter((one) => one !== choice);
    set({ ...entry, chosen: isChosen ? [...others, choice] : others });
  };
  const shared = { name: frame.id, type: isSingle ? "radio" : "checkbox" } as const;
  return (
    <div class={kind}>
      {(kind === "scale" ? points : choices).map((choice) => {
        const { text, isChosen, isFull } = choiceOf(choice, props);
        return (
          <Choice
            key={choice}
            {...{ ...shared, value: choice, checked: isChosen, disabled: isFull, choose: choose(choice) }}
          >
            {text}
          </Choice>
        );
      })}
      {isSingle && !required && (
        <Choice {...shared} value="" checked={chosen.length === 0} choose={() => set({ ...entry, chosen: [] })}>
          {words.none}
        </Choice>
      )}
    </div>
  );
}

function Text({ question, entry, set, frame }: BodyProps) {
  const kind = kindOf(question);
  const shared = {
    ...tied(frame),
    value: entry.text ?? "",
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      set({ text: value }),
  };
  return kind === "text" || kind === "lines" ? (
    <textarea rows={kind === "lines" ? 3 : 4} {...shared} />
  ) : (
    <input {...shared} inputMode={kind === "address" ? "url" : "text"} />
  );
}

/** The text that replaces the choice "other". */
function Other({ question, entry, set }: FieldProps) {
  const other = otherOf(question);
  if (other === undefined || !entry.chosen?.includes(other)) return null;
  return (
    <input
      class="other"
      value={entry.other ?? ""}
      aria-label={words.other(question.label)}
      placeholder={words.other(other)}
      maxLength={200}
      onInput={({ currentTarget }) => set({ ...entry, other: currentTarget.value })}
    />
  );
}

function hintOf({ question, entry }: FieldProps): string {
  const { charLimit, scaleMin = 1, scaleMax = 10, scaleMinLabel, scaleMaxLabel } = question;
  const kind = kindOf(question);
  if (kind === "lines" || kind === "address") return words[kind];
  if (kind === "text") return charLimit === undefined ? "" : words.count([...(entry.text ?? "")].length, charLimit);
  const ends = [scaleMinLabel && `${scaleMin}: ${scaleMinLabel}`, scaleMaxLabel && `${scaleMax}: ${scaleMaxLabel}`];
  return kind === "scale" ? ends.filter(Boolean).join(" · ") : "";
}

/** The id of the field of a question. */
export const fieldId = (questionId: string): string => `q-${questionId}`;

/** More choices than these are a list to open. */
const mostShown = 6;

/** The field of a question. */
export function Field(props: FieldProps) {
  const { questionId, label, required, choices = [], questionImageUrl } = props.question;
  const kind = kindOf(props.question);
  const isList = kind === "one" && choices.length > mostShown;
  const isGroup = !isList && (kind === "one" || kind === "several" || kind === "scale");
  const Body = isList ? List : isGroup ? Choices : Text;
  const hint = (
    <>
      {hintOf(props)}
      <Picture class="asked" src={questionImageUrl} alt={words.picture(label)} loading="lazy" />
    </>
  );
  const frame = { id: fieldId(questionId), label, required, problem: props.problem, hint };
  return (
    <Frame {...frame} isGroup={isGroup}>
      <Body {...props} frame={frame} />
      <Other {...props} />
    </Frame>
  );
}

/** Moves the focus to the first field that has a problem. */
export function focusFirst(ids: readonly string[]): void {
  const fields = [...document.querySelectorAll<HTMLElement>("[data-field]")];
  const first = fields.find(({ dataset: { field = "" } }) => ids.includes(field));
  first?.querySelector<HTMLElement>("input:not(:disabled), select, textarea")?.focus();
}
