/** The questions of a form as fields. */
import { element } from "../page/elements.ts";
import type { Answer, Question } from "./types.ts";

/** The field of a question. */
export interface Field {
  readonly questionId: string;
  readonly node: HTMLElement;
  answer(): Answer;
  /** Says what is wrong with the answer; empty: nothing. */
  complain(problem: string): void;
  focus(): void;
}

/** What a person fills in. */
interface Control {
  /** The elements below the label. */
  readonly nodes: readonly HTMLElement[];
  /** The one that gets the focus. */
  readonly first: HTMLElement;
  readonly isGroup?: boolean;
  answer(): Answer;
}

type Given = Answer | undefined;

const textOf = (given: Given): string => [given ?? ""].flat().join(", ");
const listOf = (given: Given): readonly string[] => [given ?? []].flat().map(String);

function text(tag: "input" | "textarea", given: string, properties: Partial<HTMLInputElement> = {}): Control {
  const first: HTMLInputElement | HTMLTextAreaElement = element(tag, { value: given });
  Object.assign(first, properties);
  return { nodes: [first], first, answer: () => (first.value.trim() === "" ? null : first.value) };
}

/** A list, one entry a line. */
function lines(_question: Question, given: Given): Control {
  const control = text("textarea", listOf(given).join("\n"), { placeholder: "One in a line" });
  const answer = () => {
    const entries = textOf(control.answer()).split(/[\n,]/);
    return entries.some((entry) => entry.trim()) ? entries : null;
  };
  return { ...control, answer };
}

const isOther = (choice: string): boolean => choice.toLowerCase() === "other";

/**
 * A line for the text that replaces the choice "other".
 * @param choose chooses "other", once something is written
 */
function otherText({ label, type, choices = [] }: Question, given: Given, choose: () => void) {
  const takesOther = (type === "SELECT" || type === "CHECKBOX") && choices.some(isOther);
  const written = takesOther ? listOf(given).find((entry) => !choices.includes(entry)) : undefined;
  const line = element("input", { value: written ?? "", placeholder: "Other: which?", oninput: choose });
  line.ariaLabel = `${label}: other`;
  return {
    nodes: takesOther ? [line] : [],
    isWritten: written !== undefined,
    replaced: (choice: string): string => (takesOther && isOther(choice) && line.value.trim()) || choice,
  };
}

function oneChoice(question: Question, given: Given): Control {
  const { choices = [] } = question;
  const option = (value: string, shown = value) => element("option", { value }, shown);
  const first = element("select", {}, option("", "No answer"), ...choices.map((choice) => option(choice)));
  const chooseOther = () => {
    first.value = choices.find(isOther) ?? "";
  };
  const other = otherText(question, given, chooseOther);
  if (other.isWritten) chooseOther();
  else first.value = choices.find((choice) => choice === given) ?? "";
  return { nodes: [first, ...other.nodes], first, answer: () => other.replaced(first.value) || null };
}

/** A box or a point with its text. */
const choiceOf = (input: HTMLInputElement, shown: string): HTMLElement =>
  element("label", { className: "choice" }, input, shown);

function severalChoices(question: Question, given: Given): Control {
  const chosen = listOf(given);
  const boxes = (question.choices ?? []).map((value) =>
    element("input", { type: "checkbox", value, checked: chosen.includes(value) }),
  );
  const chooseOther = () => {
    for (const box of boxes) if (isOther(box.value)) box.checked = true;
  };
  const other = otherText(question, given, chooseOther);
  if (other.isWritten) chooseOther();
  return {
    nodes: [...boxes.map((box) => choiceOf(box, box.value)), ...other.nodes],
    first: boxes[0] as HTMLElement,
    isGroup: true,
    answer: () => {
      const all = boxes.filter(({ checked }) => checked).map(({ value }) => other.replaced(value));
      return all.length === 0 ? null : all;
    },
  };
}

/** Points of a scale. An answer that is not required can be taken back. */
function scale(question: Question, given: Given): Control {
  const { questionId, required, scaleMin = 1, scaleMax = 10, scaleMinLabel, scaleMaxLabel } = question;
  const labels = new Map([
    [scaleMin, scaleMinLabel],
    [scaleMax, scaleMaxLabel],
  ]);
  const point = (value: string) =>
    element("input", { type: "radio", name: questionId, value, checked: value !== "" && value === String(given) });
  const points = Array.from({ length: scaleMax - scaleMin + 1 }, (_, index) => point(String(scaleMin + index)));
  const shown = points.map((input) => {
    const label = labels.get(Number(input.value));
    return choiceOf(input, label ? `${input.value} (${label})` : input.value);
  });
  if (!required) shown.push(choiceOf(point(""), "No answer"));
  return {
    nodes: [element("div", { className: "scale" }, ...shown)],
    first: points[0] as HTMLElement,
    isGroup: true,
    answer: () => {
      const chosen = points.find(({ checked }) => checked);
      return chosen ? Number(chosen.value) : null;
    },
  };
}

const short = (_question: Question, given: Given) => text("input", textOf(given));
const long = (_question: Question, given: Given) => text("textarea", textOf(given));
const upload = (_question: Question, given: Given) =>
  text("input", textOf(given), { type: "url", placeholder: "https://, the address of your file" });

const controls: Readonly<Record<Question["type"], (question: Question, given: Given) => Control>> = {
  TEXT: long,
  SHORT_TEXT: short,
  LONG_TEXT: long,
  SELECT: oneChoice,
  WORKSHOP_SELECTION: oneChoice,
  MULTIPLE_CHOICE: oneChoice,
  CHECKBOX: severalChoices,
  CHECKBOXES: severalChoices,
  SKILLS: lines,
  UPLOAD: upload,
  LINEAR_SCALE: scale,
};

let lastId = 0;

/** Makes the field of a question. @param given what the person answered before */
export function fieldOf(question: Question, given: Given): Field {
  lastId += 1;
  const id = `field-${lastId}`;
  const { first, nodes, isGroup, answer } = controls[question.type](question, given);
  const label = question.required ? question.label : `${question.label} (optional)`;
  const said = element("p", { className: "problem", id: `${id}-problem` });
  if (!isGroup) first.id = id;
  const title = isGroup ? element("legend", {}, label) : element("label", { htmlFor: id }, label);
  const node = element(isGroup ? "fieldset" : "div", { className: "field" }, title, ...nodes, said);
  (isGroup ? node : first).setAttribute("aria-describedby", said.id);
  return {
    questionId: question.questionId,
    node,
    answer,
    complain: (problem) => {
      said.textContent = problem;
      if (!isGroup) first.ariaInvalid = String(problem !== "");
    },
    focus: () => first.focus(),
  };
}
