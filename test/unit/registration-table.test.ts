/** An event's registrations as a CSV file for spreadsheets. */
import { expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { registrationTable as tableOf } from "#api/registrations/registration-table.ts";
import { NewRegistration } from "#api/registrations/schemas.ts";
import type { EventRecord } from "#domain/events/event.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { csv } from "#kit/request/answer.ts";

const event = {
  registrationQuestions: [
    { questionId: "q1", label: "Why, and how?", type: "TEXT", required: false },
    { questionId: "q2", label: "Which", type: "CHECKBOX", required: false, choices: ["a, with a comma", "b"] },
  ],
} as unknown as EventRecord;

const row = (more: Partial<RegistrationRecord> = {}): RegistrationRecord =>
  ({
    email: "a@unit.example",
    status: "registered",
    fname: "Ada",
    basicInformation: { lname: "L", companyName: "Engines", role: "Recruiter" },
    dynamicResponses: { q1: 'said "no", twice', q2: ["a, with a comma", "b"] },
    isPartner: false,
    points: 3,
    createdAt: Date.parse("2030-01-01T00:00:00Z"),
    ...more,
  }) as RegistrationRecord;

function registrationTable(of: EventRecord, rows: readonly RegistrationRecord[]): string {
  const { header, lineOf } = tableOf(of, "America/Vancouver");
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
      "Registered at (America/Vancouver)": "2029-12-31 17:00:00",
      "Checked in at (America/Vancouver)": "",
      "Why, and how?": 'said "no", twice',
      Which: "a, with a comma\nb",
    }),
    expect.objectContaining({ Email: "b@unit.example", "Checked in at (America/Vancouver)": "1969-12-31 16:00:00" }),
  ]);
});

test("each header is there once, whatever the questions are called", () => {
  const labels = ["Email", "Comments", "Comments", "Comments (2)", "Comments"];
  const registrationQuestions = labels.map((label, at) => ({ questionId: `q${at}`, label }));
  const answers = Object.fromEntries(labels.map((_, at) => [`q${at}`, `answer ${at}`]));
  const text = registrationTable({ registrationQuestions } as unknown as EventRecord, [
    row({ dynamicResponses: answers }),
  ]);
  expect(Object.entries(read(text)[0] ?? {}).slice(-5)).toEqual([
    ["Email (2)", "answer 0"],
    ["Comments", "answer 1"],
    ["Comments (2)", "answer 2"],
    ["Comments (2) (2)", "answer 3"],
    ["Comments (3)", "answer 4"],
  ]);
  const [headers = []] = cellsOf(text);
  expect(new Set(headers).size).toBe(headers.length);
});

test.each([
  ["01234567", "'01234567"],
  ["1234567890123456", "'1234567890123456"],
  ["12e45678", "'12e45678"],
  ["12345678", "12345678"],
  ["0", "0"],
  ["0 days", "0 days"],
])("the number %j is read as %j by a spreadsheet, so no digit is lost", (studentId, cell) => {
  expect(read(registrationTable(event, [row({ studentId })]))[0]?.["Student number"]).toBe(cell);
});

test("a file that is not complete says so to its reader", () => {
  const table = tableOf(event, "America/Vancouver");
  const rows = [table.lineOf(row() as never)];
  const { body, headers } = csv(table, { rows, next: "Zg" }, "gala");
  expect(read(String(body)).at(-1)).toMatchObject({ Email: "NOT COMPLETE: the rest is at cursor=Zg", Status: "" });
  expect(headers).toMatchObject({
    "x-next-cursor": "Zg",
    "content-disposition": 'attachment; filename="gala-not-complete.csv"',
  });
  const whole = csv(table, { rows }, "gala");
  expect([whole.headers?.["x-next-cursor"], read(String(whole.body)).length]).toEqual([undefined, 1]);
  expect(whole.headers?.["content-disposition"]).toBe('attachment; filename="gala.csv"');
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
