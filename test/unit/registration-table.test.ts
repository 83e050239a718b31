/** An event's registrations as a CSV file for spreadsheets. */
import { expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { registrationTable as tableOf } from "#api/registrations/registration-table.ts";
import { NewRegistration } from "#api/registrations/schemas.ts";
import type { EventRecord } from "#domain/events/event.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";

const event = {
  registrationQuestions: [
    { questionId: "q1", label: "Why, and how?", type: "TEXT", required: false },
    { questionId: "q2", label: "Which", type: "CHECKBOX", required: false, choices: ["a", "b"] },
  ],
} as unknown as EventRecord;

const row = (more: Partial<RegistrationRecord> = {}): RegistrationRecord =>
  ({
    email: "a@unit.example",
    status: "registered",
    fname: "Ada",
    basicInformation: { lname: "L", companyName: "Engines", role: "Recruiter" },
    dynamicResponses: { q1: 'said "no", twice', q2: ["a", "b"] },
    isPartner: false,
    points: 3,
    createdAt: Date.parse("2030-01-01T00:00:00Z"),
    ...more,
  }) as RegistrationRecord;

function registrationTable(of: EventRecord, rows: readonly RegistrationRecord[]): string {
  const { header, lineOf } = tableOf(of);
  return header + rows.map((one) => lineOf(one as never)).join("");
}

const read = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true, record_delimiter: "\r\n" });

test("the file has a row for each person and a column for each question", () => {
  expect(read(registrationTable(event, [row(), row({ email: "b@unit.example", checkedInAt: 0 })]))).toEqual([
    expect.objectContaining({
      Email: "a@unit.example",
      Status: "registered",
      Partner: "no",
      Points: "3",
      "First name": "Ada",
      "Last name": "L",
      Company: "Engines",
      Role: "Recruiter",
      "Registered at": "2030-01-01T00:00:00.000Z",
      "Checked in at": "",
      "Why, and how?": 'said "no", twice',
      Which: "a, b",
    }),
    expect.objectContaining({ Email: "b@unit.example", "Checked in at": "1970-01-01T00:00:00.000Z" }),
  ]);
});

test("answers to removed questions have columns behind the others, with the last label", () => {
  const formerQuestions = { q0: { label: "Size", isCounted: false } };
  const text = registrationTable({ ...event, formerQuestions }, [row({ dynamicResponses: { q0: "XL", q1: "why" } })]);
  expect(Object.entries(read(text)[0] ?? {}).slice(-3)).toEqual([
    ["Why, and how?", "why"],
    ["Which", ""],
    ["Size (removed)", "XL"],
  ]);
});

test("every answer of the form has a column", () => {
  const asked = Object.keys(NewRegistration.properties.basicInformation.properties);
  const answers = Object.fromEntries(asked.map((name) => [name, `the ${name}`]));
  const [file] = read(registrationTable(event, [row({ basicInformation: answers })]));
  expect(Object.values(file ?? {})).toEqual(expect.arrayContaining(Object.values(answers)));
});

const formulas = ["-1", "\t=1", " =1", "\u200b=1", "\uff1d1", "a\n=1", "a\r\n\t @SUM(A1)", "a;=1", 'a\n"=1', "a\t-1"];

/** Each text that a spreadsheet may take for a cell of its own: a line break, a tab or a semicolon may begin one. */
const cellsIn = (text: string): string[] => text.split(/[\r\n\t;]/);
const formula = /^[\s"\p{Cf}\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** The rows of cells that a reader gets. Each cell must stand between quotes. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = parse(text, { bom: true, record_delimiter: "\r\n" });
  const quoted = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","));
  expect(text).toBe(`\ufeff${quoted.map((line) => `${line}\r\n`).join("")}`);
  return rows;
}

const everywhere = (text: string): string =>
  registrationTable({ registrationQuestions: [{ questionId: "q1", label: text }] } as unknown as EventRecord, [
    row({ fname: text, studentId: text, basicInformation: { major: text }, dynamicResponses: { q1: text } }),
  ]);

const hostile = fc
  .array(
    fc.oneof(fc.constantFrom(...formulas, ..."=+-@\t\r\n,;\"' \uff1d\uff20", "\r\n", '","', '"\r\n"=1'), fc.string()),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("an answer stays in its cell and is no formula, whatever it contains", () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: "grapheme", maxLength: 40 })), (answer) => {
      const rows = cellsOf(everywhere(answer));
      expect(rows.map(({ length }) => length)).toEqual([rows[0]?.length, rows[0]?.length]);
      for (const cell of rows.flat().flatMap(cellsIn)) expect(cell).not.toMatch(formula);
    }),
    { numRuns: 200 },
  );
});

test("an answer is read back unchanged, except for a quote in front of a formula", () => {
  const withoutQuotes = (text: string) => text.replaceAll("'", "");
  fc.assert(
    fc.property(hostile, (answer) => {
      const [read1] = read(registrationTable(event, [row({ dynamicResponses: { q1: answer } })]));
      const cell = read1?.["Why, and how?"] ?? "";
      expect(withoutQuotes(cell)).toBe(withoutQuotes(answer));
    }),
  );
});

test.each(["", "plain", "two\r\nlines", "1,5; 2,5", 'said "no"', "a-b@c.example", "3 = 3"])(
  "%j is not changed",
  (answer) => {
    const [read1] = read(registrationTable(event, [row({ dynamicResponses: { q1: answer } })]));
    expect(read1?.["Why, and how?"]).toBe(answer);
  },
);
