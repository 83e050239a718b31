/** An event's registrations as CSV: a row for each person, a column for each question. Pure. */
import type { EventRecord } from "#domain/events/event.ts";
import { applicationStatusOf } from "#domain/registrations/record/registration.ts";
import type { ListedRegistration } from "#domain/registrations/record/stored-form.ts";

const iso = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "" : new Date(milliseconds).toISOString();

/** The fields of the form, with their column headers. */
const information = [
  ["fname", "First name"],
  ["lname", "Last name"],
  ["year", "Year"],
  ["faculty", "Faculty"],
  ["major", "Major"],
  ["gender", "Gender"],
  ["diet", "Diet"],
  ["heardFrom", "Heard from"],
  ["phone", "Phone"],
  ["companyName", "Company"],
  ["role", "Role"],
] as const;

/** The columns in their order: the header, and a function for the value. */
function columnsOf({ registrationQuestions = [], partnerRegistrationQuestions = [] }: EventRecord) {
  const questions = new Map(
    [...registrationQuestions, ...partnerRegistrationQuestions].map(({ questionId, label }) => [questionId, label]),
  );
  const columns: [string, (row: ListedRegistration) => string | number | boolean][] = [
    ["Email", ({ email }) => email],
    ["Status", ({ status }) => status],
    ["Application", (row) => applicationStatusOf(row)],
    ["Partner", ({ isPartner }) => (isPartner ? "yes" : "no")],
    ["Points", ({ points }) => points],
    ["Student number", ({ studentId, basicInformation }) => studentId ?? basicInformation.studentId ?? ""],
    ...information.map(([name, words]): [string, (row: ListedRegistration) => string] => [
      words,
      ({ basicInformation, fname }) => basicInformation[name] ?? (name === "fname" ? fname : ""),
    ]),
    ["Registered at", ({ createdAt }) => iso(createdAt)],
    ["Checked in at", ({ checkedInAt }) => iso(checkedInAt)],
    ...[...questions].map(([id, label]): [string, (row: ListedRegistration) => string] => [
      label,
      ({ dynamicResponses }) => [dynamicResponses[id] ?? []].flat().join(", "),
    ]),
  ];
  return columns;
}

/**
 * Where a spreadsheet may treat text as a formula: at the start, and, for readers with other separators, after a line
 * break, a tab or a semicolon. Blanks, quotes and invisible characters before the sign are no protection, because some
 * readers drop them. Apple Numbers treats full-width signs as ASCII.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStart =
  /(?<=^|[\r\n\t;])(?=(?:(?![\r\n\t;])[\s"'\p{Cf}\p{Cc}])*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\r\n\t])/gu;

/** A fast path for most cells. */
const noFormula = /^[a-z0-9][^\r\n\t;]*$/i;

const asText = (text: string): string => (noFormula.test(text) ? text : text.replace(formulaStart, "'"));

/** A cell in quotes (RFC 4180), escaped against formulas. */
function cell(value: string | number | boolean): string {
  if (typeof value !== "string") return `"${value}"`;
  const text = asText(value);
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}

const line = (values: readonly (string | number | boolean)[]): string => `${values.map(cell).join(",")}\r\n`;

/** The header of an event's file, and a function for the line of a registration. */
export function registrationTable(event: EventRecord) {
  const columns = columnsOf(event);
  return {
    // A byte order mark tells spreadsheets that the file is UTF-8.
    header: `\ufeff${line(columns.map(([header]) => header))}`,
    lineOf: (row: ListedRegistration): string => line(columns.map(([, value]) => value(row))),
  };
}
