/** The registrations of an event as a list: finding, filtering, what has changed since, and decisions. Pure. */
import type { EventWithCounts, Question, Registration } from "../../shared/types.ts";
import { type Decision, decisions, moves, type State, type Status, stateOf, states } from "./moves.ts";

interface Named {
  readonly email: string;
  readonly fname: string;
  readonly basicInformation: { readonly lname?: string };
}

export const nameOf = ({ fname, basicInformation: { lname = "" }, email }: Named): string =>
  `${fname} ${lname}`.trim() || email;

/** Without accents and capitals, as the API compares (`lambda/domain/people/list.ts`): also the sharp s is two. */
export const plain = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase().toLowerCase();

/** Names may be written and typed without their punctuation, or with spaces instead: `O'Neil`, `Jean-Luc`. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll(/\p{P}/gu, ""),
  (text) => text.replaceAll(/\p{P}/gu, " "),
];

const partsOf = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

const known = new WeakMap<Named, readonly string[]>();

/** What a search finds a person by: each word of the name, the email, and each part of it. */
function wordsToFind(row: Named): readonly string[] {
  const email = plain(row.email);
  const words = known.get(row) ?? [
    ...spellings.flatMap((spell) => partsOf(spell(plain(nameOf(row))))),
    ...[email, ...email.split(/[.@_+-]/)],
  ];
  known.set(row, words);
  return words;
}

/** Whether each word of a search, in one spelling of it, begins a word of the person. */
export function finder(search: string): (row: Named) => boolean {
  const [typed = [], ...others] = spellings.map((spell) => partsOf(spell(plain(search))));
  const isEmail = search.includes("@");
  const searches = [typed, ...others.filter((words) => !isEmail && words.length > 0)];
  return (row) => searches.some((words) => words.every((word) => wordsToFind(row).some((one) => one.startsWith(word))));
}

/** Empty: all. */
export interface Filters {
  readonly search: string;
  readonly state: string;
  readonly partner: string;
  /** The key of a choice. */
  readonly answer: string;
}
export const noFilters: Filters = { search: "", state: "", partner: "", answer: "" };

export function filtered(rows: readonly Registration[], { search, state, partner, answer }: Filters) {
  const isFound = finder(search);
  const [questionId = "", choice = ""] = answer ? (JSON.parse(answer) as readonly string[]) : [];
  return rows.filter(
    (row) =>
      (state === "" || stateOf(row) === state) &&
      (partner === "" || row.isPartner === (partner === "yes")) &&
      (answer === "" || [row.dynamicResponses[questionId] ?? []].flat().includes(choice)) &&
      isFound(row),
  );
}

/** What a person is asked: partners without questions of their own answer those of everybody. */
export function questionsFor(event: EventWithCounts, isPartner: boolean): readonly Question[] {
  const { registrationQuestions: ofAll, partnerRegistrationQuestions: ofPartners } = event;
  return isPartner && ofPartners.length > 0 ? ofPartners : ofAll;
}

/** The choices of all questions of either form, with their keys. */
export const choicesOf = (event: EventWithCounts): readonly (readonly [key: string, text: string])[] =>
  [...event.registrationQuestions, ...event.partnerRegistrationQuestions].flatMap(
    ({ questionId, label, choices = [] }) =>
      choices.map((choice) => [JSON.stringify([questionId, choice]), `${label}: ${choice}`] as const),
  );

/** How many there are in each state, in the order of the table. */
export function countsOf(rows: readonly Registration[]): readonly (readonly [State, number])[] {
  const counts = new Map<State, number>();
  for (const row of rows) counts.set(stateOf(row), (counts.get(stateOf(row)) ?? 0) + 1);
  return (Object.keys(states) as State[]).map((state) => [state, counts.get(state) ?? 0]);
}

/** A change can appear minutes late. */
const late = 5 * 60_000;

/** Since when to ask for changes, in epoch milliseconds. */
export const askSince = (rows: readonly Registration[]): number =>
  rows.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), late) - late;

/** The list with what has changed. A row that is known as it is, or newer, stays; new people come last. */
export function merged(rows: readonly Registration[], changed: readonly Registration[]): readonly Registration[] {
  const all = new Map(rows.map((row) => [row.email, row]));
  for (const row of changed) if (row.updatedAt > (all.get(row.email)?.updatedAt ?? 0)) all.set(row.email, row);
  return [...all.values()];
}

/** @param size of a batch at most */
export const batchesOf = <T>(rows: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));

/** What came of a row. */
export interface Result {
  readonly email: string;
  readonly success: boolean;
  readonly message?: string;
  readonly registrationStatus?: Status;
}

type Noted = Pick<Registration, "email" | "isPartner" | "registrationStatus" | "applicationStatus">;

/** A decision about an application that is not sent, and how the application was seen. */
export interface Note extends Noted {
  readonly name: Decision;
  /** Why it could not be carried out. */
  readonly message?: string | undefined;
}

/** The notes with another one, in the order of deciding. A person has one. */
export function noted(notes: readonly Note[], row: Noted, name: Decision): readonly Note[] {
  const { email, isPartner, registrationStatus, applicationStatus } = row;
  const note = { email, isPartner, registrationStatus, applicationStatus, name };
  return [...notes.filter((one) => one.email !== email), note];
}

/** `12 accepted, 3 rejected, 2 put in line`. */
export const notesText = (notes: readonly Note[]): string =>
  decisions
    .map((name) => [notes.filter((note) => note.name === name).length, moves[name].done] as const)
    .flatMap(([count, done]) => (count > 0 ? [`${count} ${done}`] : []))
    .join(", ");

/** What stays noted after sending: what failed, with its sentence, and what was noted meanwhile. */
export function afterSending(notes: readonly Note[], results: readonly Result[]): readonly Note[] {
  const byEmail = new Map(results.map((result) => [result.email, result]));
  const open = notes.filter(({ email }) => byEmail.get(email)?.success !== true);
  return open.map((note) => ({ ...note, message: byEmail.get(note.email)?.message ?? note.message }));
}

/** The application after this one that nothing is noted about; the next one when there is none. */
export function nextOf(rows: readonly Registration[], at: number, notes: readonly Note[]): Registration | undefined {
  const isOpen = ({ email }: Registration) => notes.every((note) => note.email !== email);
  return rows.slice(at + 1).find(isOpen) ?? rows.slice(0, at).find(isOpen) ?? rows[Math.min(at + 1, rows.length - 1)];
}
