/** An event's registrations as CSV: a row for each person, a column for each question, removed ones last. Pure. */
import type { EventRecord } from "#domain/events/event.ts";
import { applicationStatusOf } from "#domain/registrations/record/registration.ts";
import type { ListedRegistration } from "#domain/registrations/record/stored-form.ts";
import { type Column, csvTable, isoCell } from "#kit/lists/csv.ts";

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
function columnsOf({ registrationQuestions = [], partnerRegistrationQuestions = [], formerQuestions }: EventRecord) {
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
    ["Registered at", ({ createdAt }) => isoCell(createdAt)],
    ["Refunded", ({ refunded }) => (refunded ? "yes" : "")],
    ["Checked in at", ({ checkedInAt }) => isoCell(checkedInAt)],
    ...[...questions].map(
      ([id, label]): Column<ListedRegistration> => [
        label,
        ({ dynamicResponses }) => [dynamicResponses[id] ?? []].flat().join(", "),
      ],
    ),
  ];
  return columns;
}

/** The header of an event's file, and a function for the line of a registration. */
export const registrationTable = (event: EventRecord) => csvTable(columnsOf(event));
