/** An event's registrations as CSV: a row for each person, a column for each question, removed ones last. Pure. */
import { textOf } from "#domain/codes/code.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { applicationStatusOf, holdsSeat } from "#domain/registrations/record/registration.ts";
import type { ListedRegistration } from "#domain/registrations/record/stored-form.ts";
import { type Column, type CsvTable, csvTable, listCell, timeColumn } from "#kit/lists/csv.ts";

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

/** Of a seat that is paid, or was. */
const depositOf = ({ deposit = "agreed" }: ListedRegistration): string => (deposit === "agreed" ? "" : deposit);

/** The columns in their order: the header, and a function for the value. */
function columnsOf(
  { registrationQuestions = [], partnerRegistrationQuestions = [], formerQuestions }: EventRecord,
  timeZone: string,
) {
  const questions = new Map([
    ...[...registrationQuestions, ...partnerRegistrationQuestions].map(
      ({ questionId, label }) => [questionId, label] as const,
    ),
    ...Object.entries(formerQuestions ?? {}).map(([id, { label = id }]) => [id, `${label} (removed)`] as const),
  ]);
  const columns: Column<ListedRegistration>[] = [
    ["Email", ({ email }) => email],
    ["Status", ({ status }) => status],
    ["Application", (row) => applicationStatusOf(row)],
    ["Partner", ({ isPartner }) => (isPartner ? "yes" : "no")],
    ["Points", ({ points }) => points],
    ["Student number", ({ studentId, basicInformation }) => studentId ?? basicInformation.studentId ?? ""],
    ...information.map(
      ([name, words]): Column<ListedRegistration> => [
        words,
        ({ basicInformation, fname }) => basicInformation[name] ?? (name === "fname" ? fname : ""),
      ],
    ),
    ["Plus-ones", ({ plusOnes = [] }) => listCell(plusOnes.map(({ fname }) => fname))],
    ["Code", ({ code }) => (code ? textOf(code) : "")],
    timeColumn("Registered at", ({ createdAt }) => createdAt, timeZone),
    ["Refunded", ({ refunded }) => (refunded ? "yes" : "")],
    ["Deposit", (registration) => depositOf(registration)],
    ["Owes", (registration) => (registration.owes && holdsSeat(registration) ? registration.owes / 100 : "")],
    timeColumn("Checked in at", ({ checkedInAt }) => checkedInAt, timeZone),
    ...[...questions].map(
      ([id, label]): Column<ListedRegistration> => [
        label,
        ({ dynamicResponses }) => listCell([dynamicResponses[id] ?? []].flat()),
      ],
    ),
  ];
  return columns;
}

/** An event's file. */
export const registrationTable = (event: EventRecord, timeZone: string): CsvTable<ListedRegistration> =>
  csvTable(columnsOf(event, timeZone));
