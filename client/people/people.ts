/** The people of a table: what each row says, and what is wrong with it. Pure. */
import { answerIn, type Cell, type DateOrder, dateIn, emailIn, flagIn, listIn, namesIn, orderIn } from "./cells.ts";
import { fieldsFor, type Mapping, type Purpose, questionsOf, type TableEvent } from "./fields.ts";
import type { PeopleTable, TableRow } from "./table.ts";

/** What the rows are for. */
export interface Intent {
  readonly purpose: Purpose;
  /** Whose registrations they become. */
  readonly event?: TableEvent;
  readonly mapping: Mapping;
  /** Of dates that do not tell. */
  readonly order?: DateOrder | undefined;
}

/** A body's fields by name, of which `a.b` is in an object. */
export type Body = Readonly<Record<string, unknown>>;

export interface Person {
  readonly row: number;
  /** As it is written, if it is no email. */
  readonly email: string;
  readonly isPartner: boolean;
  readonly body: Body;
  /** The last day of a membership, `yyyy-mm-dd`. */
  readonly until?: string | undefined;
  /** Sentences; with one the row is left out. */
  readonly faults: readonly string[];
}

/** What the texts of a row become. Faults are collected, so that a person sees all at once. */
class Reading {
  readonly faults: string[] = [];
  readonly body: Record<string, unknown> = {};

  take<T>(cell: Cell<T>): T | undefined {
    if ("value" in cell) return cell.value;
    this.faults.push(cell.fault);
    return undefined;
  }
  put(name: string, value: unknown): void {
    if (value === undefined || value === "") return;
    const [outer = "", inner] = name.split(".");
    if (inner === undefined) this.body[name] = value;
    else this.body[outer] = { ...(this.body[outer] as object | undefined), [inner]: value };
  }
}

const lastNames: Readonly<Record<Purpose, readonly [first: string, last: string]>> = {
  registrations: ["fname", "basicInformation.lname"],
  members: ["firstName", "lastName"],
  accounts: ["fname", "lname"],
};

/** The answers of a person: partners answer their own questions, if there are any. */
function answersIn(
  reading: Reading,
  { registrationQuestions, partnerRegistrationQuestions }: TableEvent,
  isPartner: boolean,
  text: (name: string) => string,
): void {
  const own = isPartner && partnerRegistrationQuestions.length > 0;
  const answers = (own ? partnerRegistrationQuestions : registrationQuestions).flatMap((question) => {
    const answer = reading.take(answerIn(question, text(`answer.${question.questionId}`)));
    return answer === undefined ? [] : [[question.questionId, answer] as const];
  });
  // A question may be named as no other key may: not by assignment.
  if (answers.length > 0) reading.body.dynamicResponses = Object.fromEntries(answers);
}

/** One row, with all that is wrong with it. */
function personIn({ row, cells, fault }: TableRow, { purpose, event, mapping, order }: Intent): Person {
  const reading = new Reading();
  if (fault !== undefined) reading.faults.push(fault);
  const text = (name: string): string => cells[mapping.indexOf(name)] ?? "";
  const email = reading.take(emailIn(text("email")));
  const [first, last] = lastNames[purpose];
  const [fname, lname] = namesIn(text("name"));
  for (const [name, value] of [
    [first, fname],
    [last, lname],
  ] as const)
    reading.put(name, value);
  for (const { name, kind } of fieldsFor(purpose, event)) {
    if (!mapping.includes(name)) continue;
    if (kind === "line") reading.put(name, text(name).replaceAll(/\s+/g, " "));
    if (kind === "flag") reading.put(name, reading.take(flagIn(text(name))));
    if (kind === "list" && text(name) !== "") reading.put(name, listIn(text(name)));
  }
  const isPartner = reading.body.isPartner === true;
  if (event) answersIn(reading, event, isPartner, text);
  if (purpose === "members" && !(reading.body[first] && reading.body[last]))
    reading.faults.push("A membership needs a first and a last name.");
  const until = reading.take(dateIn(text("until"), order));
  const { faults, body } = reading;
  return { row, email: email ?? text("email"), isPartner, until, faults, body: { ...body, ...(email && { email }) } };
}

/** The people of a table, in its order. Who stands there twice counts once. */
export function peopleIn({ rows }: PeopleTable, intent: Intent): readonly Person[] {
  const column = intent.mapping.indexOf("until");
  const dates = column < 0 ? [] : rows.map(({ cells }) => cells[column] ?? "");
  const order = intent.order ?? orderIn(dates);
  const seen = new Map<string, number>();
  return rows.map((one) => {
    const person = personIn(one, { ...intent, order });
    const email = person.body.email as string | undefined;
    const before = email === undefined ? undefined : seen.get(email);
    if (email !== undefined && before === undefined) seen.set(email, person.row);
    return before === undefined
      ? person
      : { ...person, faults: [...person.faults, `Row ${before} has the same email.`] };
  });
}

/** Whether dates of the table can be read in two ways. */
export const needsOrder = (people: readonly Person[]): boolean =>
  people.some(({ faults }) => faults.some((fault) => fault.startsWith("It is not clear whether")));

/** Questions that need an answer and have no column. */
export const unansweredIn = (event: TableEvent, mapping: Mapping): readonly string[] =>
  questionsOf(event).flatMap(({ questionId, required, label }) =>
    required && !mapping.includes(`answer.${questionId}`) ? [label] : [],
  );
