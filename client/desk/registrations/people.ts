/** The registrations of an event as a list: finding, filtering, and what has changed since. Pure. */
import type { EventWithCounts, Question, Registration } from "../../shared/types.ts";
import { type State, type Status, stateOf, states } from "./moves.ts";

export const nameOf = ({ fname, basicInformation: { lname = "" } }: Registration): string => `${fname} ${lname}`.trim();

/** Without accents and capitals. */
export const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const known = new WeakMap<Registration, readonly string[]>();

/** What a search finds a person by: each word of the name, the email, and each part of it. */
function wordsToFind(row: Registration): readonly string[] {
  const found = known.get(row);
  if (found) return found;
  const [name, email] = [plain(nameOf(row)), plain(row.email)];
  const words = [...name.split(/\s+/), ...name.split(/[\s'’-]+/), email, ...email.split(/[.@_+-]/)];
  known.set(row, words);
  return words;
}

/** Whether each word of a search begins a word of the person. */
export function finder(search: string): (row: Registration) => boolean {
  const wanted = plain(search).split(/\s+/).filter(Boolean);
  return (row) => wanted.every((word) => wordsToFind(row).some((one) => one.startsWith(word)));
}

/** Empty: all. */
export interface Filters {
  readonly search: string;
  readonly state: State | "";
  readonly partner: "yes" | "no" | "";
  /** `answerKey` of a choice. */
  readonly answer: string;
}
export const noFilters: Filters = { search: "", state: "", partner: "", answer: "" };

export const answerKey = (questionId: string, choice: string): string => JSON.stringify([questionId, choice]);

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
export const questionsFor = (event: EventWithCounts, isPartner: boolean): readonly Question[] =>
  isPartner && event.partnerRegistrationQuestions.length > 0
    ? event.partnerRegistrationQuestions
    : event.registrationQuestions;

/** The questions with choices, of either form. */
export const choiceQuestions = (event: EventWithCounts): readonly Question[] =>
  [...event.registrationQuestions, ...event.partnerRegistrationQuestions].filter(
    ({ choices = [] }) => choices.length > 0,
  );

/** How many there are in each state, in the order of the table. States without people are left out. */
export function countsOf(rows: readonly Registration[]): readonly (readonly [State, number])[] {
  const counts = new Map<State, number>();
  for (const row of rows) counts.set(stateOf(row), (counts.get(stateOf(row)) ?? 0) + 1);
  return (Object.keys(states) as State[]).flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [[state, count] as const];
  });
}

/** A change can appear minutes late. */
const late = 5 * 60_000;

/** Since when to ask for changes, in epoch milliseconds. */
export const askSince = (rows: readonly Registration[]): number =>
  rows.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), late) - late;

/** The list with what has changed. A row that is known as it is, or newer, stays; new people come last. */
export function merged(rows: readonly Registration[], changed: readonly Registration[]): readonly Registration[] {
  const all = new Map(rows.map((row) => [row.email, row]));
  for (const row of changed) {
    const before = all.get(row.email);
    if (!before || row.updatedAt > before.updatedAt) all.set(row.email, row);
  }
  return [...all.values()];
}

const applicationStatuses: Partial<Record<Status, string>> = {
  ...{ waitlist: "waitlist", rejected: "rejected", cancelled: "" },
  ...{ registered: "reviewing", incomplete: "" },
};

/** The row after a move, until the list shows it. */
export const moved = (row: Registration, status: Status, hasApplications: boolean): Registration => ({
  ...{ ...row, registrationStatus: status },
  applicationStatus: hasApplications ? (applicationStatuses[status] ?? "accepted") : "",
});

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
