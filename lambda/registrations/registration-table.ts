/** An event's registrations as a table: one row a person, one column a question. Pure. */
import { stringify } from "csv-stringify/sync";
import type { EventRecord } from "../events/event.ts";
import { applicationStatusOf, type RegistrationRecord } from "./registration.ts";

const iso = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "" : new Date(milliseconds).toISOString();

const information = ["fname", "lname", "year", "faculty", "major", "gender", "diet", "heardFrom"] as const;

/** Headers and the value of each, in the order of the columns. */
function columnsOf({ registrationQuestions = [], partnerRegistrationQuestions = [] }: EventRecord) {
  const questions = new Map(
    [...registrationQuestions, ...partnerRegistrationQuestions].map(({ questionId, label }) => [questionId, label]),
  );
  const columns: [string, (row: RegistrationRecord) => string | number | boolean][] = [
    ["Email", ({ email }) => email],
    ["Status", ({ status }) => status],
    ["Application", (row) => applicationStatusOf(row)],
    ["Partner", ({ isPartner }) => (isPartner ? "yes" : "no")],
    ["Points", ({ points }) => points],
    ["Student number", ({ studentId }) => studentId ?? ""],
    ...information.map((name): [string, (row: RegistrationRecord) => string] => [
      name,
      ({ basicInformation, fname }) => basicInformation[name] ?? (name === "fname" ? fname : ""),
    ]),
    ["Registered at", ({ createdAt }) => iso(createdAt)],
    ["Checked in at", ({ checkedInAt }) => iso(checkedInAt)],
    ...[...questions].map(([id, label]): [string, (row: RegistrationRecord) => string] => [
      label,
      ({ dynamicResponses }) => [dynamicResponses[id] ?? []].flat().join(", "),
    ]),
  ];
  return columns;
}

/**
 * Comma-separated values with a header. No cell is a formula to a spreadsheet: what would be one is quoted.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export function registrationTable(event: EventRecord, rows: readonly RegistrationRecord[]): string {
  const columns = columnsOf(event);
  const cells = [columns.map(([header]) => header), ...rows.map((row) => columns.map(([, value]) => value(row)))];
  // The mark at the start makes spreadsheets read it as UTF-8.
  return stringify(cells, { bom: true, escape_formulas: true, record_delimiter: "windows" });
}
