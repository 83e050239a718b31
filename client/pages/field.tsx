/** The questions of a form as fields. */
import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useState } from "preact/hooks";
import { type Entry, kindOf, otherOf } from "./answers.ts";
import { texts } from "./texts.ts";
import type { Question } from "./types.ts";

const words = texts.form;

/** How many a choice has left; undefined: as many as want. */
export type Left = (questionId: string, choice: string) => number | undefined;

interface FieldProps {
  readonly question: Question;
  readonly entry: Entry;
  readonly problem: string | undefined;
  readonly left?: Left | undefined;
  set(entry: Entry): void;
}

interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly required: boolean;
  readonly problem: string | undefined;
  readonly hint?: ComponentChildren;
  readonly isGroup?: boolean;
  readonly children: ComponentChildren;
}

/** The ids of what describes a field. */
const describing = (id: string): string => `${id}-hint ${id}-problem`;

/** A label, what is filled in below it, and what is wrong with that. */
function Frame({ id, label, required, problem, hint, isGroup = false, children }: FrameProps) {
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
    <fieldset class="field" aria-describedby={describing(id)} data-field={id}>
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

/** What a line of text is. */
export type TextType = "text" | "email" | "password";

interface LineProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly required?: boolean;
  readonly problem?: string | undefined;
  readonly type?: TextType;
  readonly autocomplete?: string;
  readonly inputMode?: "numeric" | "email" | "url" | "text";
  readonly hint?: ComponentChildren;
  readonly maxLength?: number;
  set(value: string): void;
}

/** One line of text. */
export function Line({ id, label, value, required = true, problem, hint, set, autocomplete, ...input }: LineProps) {
  return (
    <Frame id={id} label={label} required={required} problem={problem} hint={hint}>
      <input
        {...(input as InputHTMLAttributes<HTMLInputElement>)}
        id={id}
        name={id}
        value={value}
        autocomplete={autocomplete ?? "off"}
        aria-required={required}
        aria-invalid={problem !== undefined}
        aria-describedby={describing(id)}
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

export function Choice({ children, choose, ...input }: ChoiceProps) {
  return (
    <label class="choice">
      <input {...input} onChange={({ currentTarget }) => choose(currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}

/** More choices than these are a list to open. */
const mostShown = 6;

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

function Choices(props: FieldProps & { readonly id: string }) {
  const { question, entry, problem, left, set, id } = props;
  const { choices = [], required, questionId } = question;
  const chosen = entry.chosen ?? [];
  const isSingle = kindOf(question) === "one";
  const remaining = (choice: string): number | undefined => left?.(questionId, choice);
  const shown = (choice: string): string => {
    const count = remaining(choice);
    return count === undefined ? choice : `${choice} (${words.left(count)})`;
  };
  const isFull = (choice: string): boolean => remaining(choice) === 0 && !chosen.includes(choice);
  if (isSingle && choices.length > mostShown) {
    return (
      <Frame
        id={id}
        label={question.label}
        required={required}
        problem={problem}
        hint={<Picture question={question} />}
      >
        <select
          id={id}
          aria-required={required}
          aria-invalid={problem !== undefined}
          aria-describedby={describing(id)}
          onChange={({ currentTarget: { value } }) => set({ ...entry, chosen: value === "" ? [] : [value] })}
        >
          <option value="" selected={chosen.length === 0}>
            {required ? words.choose : words.none}
          </option>
          {choices.map((choice) => (
            <option key={choice} value={choice} selected={chosen.includes(choice)} disabled={isFull(choice)}>
              {shown(choice)}
            </option>
          ))}
        </select>
        <Other {...props} />
      </Frame>
    );
  }
  const choose = (choice: string) => (isChosen: boolean) => {
    const others = isSingle ? [] : chosen.filter((one) => one !== choice);
    set({ ...entry, chosen: isChosen ? [...others, choice] : others });
  };
  const type = isSingle ? "radio" : "checkbox";
  return (
    <Frame
      id={id}
      label={question.label}
      required={required}
      problem={problem}
      isGroup
      hint={<Picture question={question} />}
    >
      {choices.map((choice) => (
        <Choice
          key={choice}
          {...{ name: id, value: choice, type, checked: chosen.includes(choice), disabled: isFull(choice) }}
          choose={choose(choice)}
        >
          {shown(choice)}
        </Choice>
      ))}
      {isSingle && !required && (
        <Choice
          {...{ name: id, value: "", type, checked: chosen.length === 0 }}
          choose={() => set({ ...entry, chosen: [] })}
        >
          {words.none}
        </Choice>
      )}
      <Other {...props} />
    </Frame>
  );
}

/** Points of a scale. An answer that is not required can be taken back. */
function Scale({ question, entry, problem, set, id }: FieldProps & { readonly id: string }) {
  const { scaleMin = 1, scaleMax = 10, scaleMinLabel, scaleMaxLabel, required, label } = question;
  const points = Array.from({ length: scaleMax - scaleMin + 1 }, (_, index) => String(scaleMin + index));
  const ends = [scaleMinLabel && `${scaleMin}: ${scaleMinLabel}`, scaleMaxLabel && `${scaleMax}: ${scaleMaxLabel}`];
  return (
    <Frame id={id} label={label} required={required} problem={problem} isGroup hint={ends.filter(Boolean).join(" · ")}>
      <div class="scale">
        {[...points, ...(required ? [] : [""])].map((value) => (
          <Choice
            key={value}
            {...{ name: id, value, type: "radio", checked: (entry.chosen?.[0] ?? "") === value }}
            choose={() => set({ chosen: value === "" ? [] : [value] })}
          >
            {value || words.none}
          </Choice>
        ))}
      </div>
    </Frame>
  );
}

function Picture({ question: { questionImageUrl, label } }: { readonly question: Question }) {
  const [isBroken, setBroken] = useState(false);
  if (!questionImageUrl || isBroken) return null;
  return (
    <img
      class="asked"
      src={questionImageUrl}
      alt={words.picture(label)}
      loading="lazy"
      onError={() => setBroken(true)}
    />
  );
}

function Text({ question, entry, problem, set, id }: FieldProps & { readonly id: string }) {
  const { label, required, charLimit } = question;
  const [kind, value] = [kindOf(question), entry.text ?? ""];
  const count = charLimit === undefined ? "" : words.count([...value].length, charLimit);
  const hint = { line: "", text: count, address: words.address, lines: words.lines, one: "", several: "", scale: "" }[
    kind
  ];
  const shared = {
    ...{ id, value, "aria-required": required, "aria-invalid": problem !== undefined },
    "aria-describedby": describing(id),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      set({ text: currentTarget.value }),
  };
  return (
    <Frame
      id={id}
      label={label}
      required={required}
      problem={problem}
      hint={
        <>
          {hint}
          <Picture question={question} />
        </>
      }
    >
      {kind === "text" || kind === "lines" ? (
        <textarea rows={kind === "lines" ? 3 : 4} {...shared} />
      ) : (
        <input {...shared} inputMode={kind === "address" ? "url" : "text"} />
      )}
    </Frame>
  );
}

/** The id of the field of a question. */
export const fieldId = (questionId: string): string => `q-${questionId}`;

/** The field of a question. */
export function Field(props: FieldProps) {
  const [kind, id] = [kindOf(props.question), fieldId(props.question.questionId)];
  if (kind === "one" || kind === "several") return <Choices {...props} id={id} />;
  return kind === "scale" ? <Scale {...props} id={id} /> : <Text {...props} id={id} />;
}

/** Moves the focus to the first field that has a problem. */
export function focusFirst(ids: readonly string[]): void {
  const fields = [...document.querySelectorAll<HTMLElement>("[data-field]")];
  const first = fields.find(({ dataset: { field = "" } }) => ids.includes(field));
  first?.querySelector<HTMLElement>("input:not(:disabled), select, textarea")?.focus();
}
