/** Reads single cells: emails, names, yes and no, dates, answers. Pure. */
import type { Question } from "./fields.ts";

/** A value, or what is wrong with it. */
export type Cell<T> = { readonly value: T } | { readonly fault: string };

const atom = "[a-z0-9!$&'*+=^_`{|}~-]+";
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** As the API takes emails (`lambda/kit/text/email.ts`). */
const address = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`);

/** `Ada <ada@x.example>`, as mail programs copy it. */
const named = /^[^<>]*<([^<>]+)>$/;

export function emailIn(text: string): Cell<string> {
  const typed = (named.exec(text)?.[1] ?? text).replace(/^mailto:/i, "").trim();
  if (typed === "") return { fault: "There is no email." };
  const email = typed.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (email.length <= 254 && email.indexOf("@") <= 64 && address.test(email)) return { value: email };
  if (/[,;\s]/.test(typed) && typed.split("@").length > 2) return { fault: `“${typed}” is more than one email.` };
  const strange = /[^\x20-\x7e]/u.exec(typed)?.[0];
  if (strange !== undefined)
    return { fault: `The email “${typed}” has “${strange}”: emails have no accents and no other special letters.` };
  return { fault: `“${typed}” is no email.` };
}

/** First and last name: the last word is the last name, unless a comma says otherwise. */
export function namesIn(text: string): readonly [first: string, last: string] {
  const [last = "", first] = text.split(",").map((part) => part.trim());
  if (first) return [first, last];
  const words = text.replaceAll(/\s+/g, " ").trim().split(" ");
  return words.length === 1 ? [words[0] ?? "", ""] : [words.slice(0, -1).join(" "), words.at(-1) ?? ""];
}

const yes = new Set("yes y true 1 x ✓ ✔ ja j oui si vrai wahr partner".split(" "));
const no = new Set("no n false 0 - nein non faux falsch".split(" "));

/** Undefined: the cell is empty. */
export function flagIn(text: string): Cell<boolean | undefined> {
  const word = text.toLowerCase();
  if (word === "") return { value: undefined };
  if (yes.has(word) || no.has(word)) return { value: yes.has(word) };
  return { fault: `“${text}” is neither yes nor no.` };
}

/** What comes first in dates such as `03/04/2031`. */
export type DateOrder = "day" | "month";

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/;
/** Spreadsheets add midnight to days. */
const midnight = /[T ]0?0:00(?::00(?:\.0+)?)?(?:Z)?$/;

/** The order of the dates of a column, where they tell. Undefined: none needs it, or it is not clear. */
export function orderIn(texts: readonly string[]): DateOrder | undefined {
  const found = texts.flatMap((text) => {
    const [, one, other] = slashed.exec(text.replace(midnight, "")) ?? [];
    if (Number(one) > 12) return ["day" as const];
    return Number(other) > 12 ? ["month" as const] : [];
  });
  return new Set(found).size === 1 ? found[0] : undefined;
}

/** `yyyy-mm-dd`. Undefined: the cell is empty. */
export function dateIn(text: string, order: DateOrder | undefined): Cell<string | undefined> {
  if (text === "") return { value: undefined };
  const date = text.replace(midnight, "");
  const bad = { fault: `“${text}” is no date. Write it as 2031-08-31.` };
  const [iso, dots, slashes] = [yearFirst.exec(date), dotted.exec(date), slashed.exec(date)];
  if (slashes && order === undefined)
    return { fault: `It is not clear whether “${text}” begins with the day or the month.` };
  const inOrder = order === "month" ? [3, 1, 2] : [3, 2, 1];
  const places = iso ? [1, 2, 3] : dots ? [3, 2, 1] : inOrder;
  const given = iso ?? dots ?? slashes;
  if (!given) return bad;
  const [year, month, day] = places.map((place) => Number(given[place])) as [number, number, number];
  const read = new Date(Date.UTC(year, month - 1, day));
  const isDay = read.getUTCFullYear() === year && read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
  return isDay ? { value: read.toISOString().slice(0, 10) } : bad;
}

const entriesIn = (text: string, by: RegExp): string[] => [
  ...new Set(
    text
      .split(by)
      .map((entry) => entry.trim())
      .filter(Boolean),
  ),
];

/** Entries of a list: one a line, or with semicolons or commas between them. */
export const listIn = (text: string): string[] => entriesIn(text, /\n/.test(text) ? /\n/ : /;/.test(text) ? /;/ : /,/);

const isOther = (choice: string): boolean => choice.toLowerCase() === "other";

/** The choice as the event spells it. */
const choiceIn = ({ choices = [] }: Question, text: string): string | undefined =>
  choices.find((choice) => choice === text) ??
  choices.find((choice) => choice.trim().toLowerCase() === text.trim().toLowerCase());

function chosenIn(question: Question, entries: readonly string[]): Cell<string[]> {
  const { choices = [], type, label: name } = question;
  const takesOther = type !== "WORKSHOP_SELECTION" && choices.some(isOther);
  const chosen = entries.map((entry) => choiceIn(question, entry));
  const others = entries.filter((_, at) => chosen[at] === undefined);
  if (others.length > (takesOther ? 1 : 0))
    return { fault: `“${others.at(-1)}” is no choice of “${name}”: ${choices.join(", ")}.` };
  return { value: entries.map((entry, at) => chosen[at] ?? entry) };
}

/** The answer to a question, as the API takes it. Undefined: none. */
export function answerIn(question: Question, text: string): Cell<string | string[] | undefined> {
  const { type, required, label: name, charLimit } = question;
  if (text === "") return required ? { fault: `“${name}” needs an answer.` } : { value: undefined };
  if (type === "SKILLS") return { value: listIn(text) };
  if (type === "CHECKBOX") return chosenIn(question, choiceIn(question, text) === undefined ? listIn(text) : [text]);
  if (type === "SELECT" || type === "WORKSHOP_SELECTION") {
    const chosen = chosenIn(question, [text]);
    return "value" in chosen ? { value: chosen.value[0] } : chosen;
  }
  if (type === "UPLOAD" && !/^https:\/\//i.test(text)) return { fault: `“${name}” needs an address with https.` };
  if (charLimit !== undefined && [...text].length > charLimit)
    return { fault: `“${name}” has more than ${charLimit} characters.` };
  return { value: text };
}
