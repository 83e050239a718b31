/** An event's registrations as a file for spreadsheets. */
import { expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import type { EventRecord } from "../../lambda/events/event.ts";
import type { RegistrationRecord } from "../../lambda/registrations/registration.ts";
import { registrationTable } from "../../lambda/registrations/registration-table.ts";

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
    basicInformation: { lname: "L" },
    dynamicResponses: { q1: 'said "no", twice', q2: ["a", "b"] },
    isPartner: false,
    points: 3,
    createdAt: Date.parse("2030-01-01T00:00:00Z"),
    ...more,
  }) as RegistrationRecord;

const read = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, columns: true, record_delimiter: "\r\n" });

test("has a row for each person and a column for each question", () => {
  expect(read(registrationTable(event, [row(), row({ email: "b@unit.example", checkedInAt: 0 })]))).toEqual([
    expect.objectContaining({
      Email: "a@unit.example",
      Status: "registered",
      Partner: "no",
      Points: "3",
      fname: "Ada",
      lname: "L",
      "Registered at": "2030-01-01T00:00:00.000Z",
      "Checked in at": "",
      "Why, and how?": 'said "no", twice',
      Which: "a, b",
    }),
    expect.objectContaining({ Email: "b@unit.example", "Checked in at": "1970-01-01T00:00:00.000Z" }),
  ]);
});

test("of nobody is its header", () => {
  expect(read(registrationTable(event, []))).toEqual([]);
  expect(registrationTable(event, []).split("\r\n")).toHaveLength(2);
});

const formulas = [
  '=HYPERLINK("http://evil.example")',
  "+1+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "=cmd|' /C calc'!A0",
  "\uff1d1",
];

test.each(formulas)("%j is text, in whichever cell", (formula) => {
  const text = registrationTable(
    { registrationQuestions: [{ questionId: "q1", label: formula }] } as unknown as EventRecord,
    [
      row({
        fname: formula,
        studentId: formula,
        basicInformation: { major: formula },
        dynamicResponses: { q1: formula },
      }),
    ],
  );
  for (const cells of parse(text, { bom: true, record_delimiter: "\r\n" }) as string[][]) {
    for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
  }
});

test("whatever people answer comes back as they said it, behind a quote where it would be a formula", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (answer) => {
      const [read1] = read(registrationTable(event, [row({ dynamicResponses: { q1: answer } })]));
      const cell = read1?.["Why, and how?"] ?? "";
      expect([answer, `'${answer}`]).toContain(cell);
    }),
  );
});
