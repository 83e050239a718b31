/** What spreadsheets make of a cell, and readers of two columns of one name (`lambda/kit/lists/csv.ts`). */
import { expect, test } from "@jest/globals";
import { csvTable } from "#kit/lists/csv.ts";

const cellOf = (text: string) => csvTable<string>([["A", (value) => value]]).lineOf(text);

test.each(["0123", "00.5", "1234567890123456", "1.0", "1.50", "1e5", "1E+05", "1/2", "03-04", "3/4/26", "12-31-2030"])(
  "%s stays as it was entered",
  (text) => expect(cellOf(text)).toBe(`"'${text}"\r\n`),
);

test.each(["0", "5", "1.5", "123456789012345", "2030-01-31 18:00:00", "604-555-0199", "v1.0", "1e", "a/b"])(
  "%s needs no quote",
  (text) => expect(cellOf(text)).toBe(`"${text}"\r\n`),
);

test("headers differ in more than letters and blanks", () => {
  const { header } = csvTable<string>(
    ["Email", " email ", "EMAIL", "Email (2)"].map((name) => [name, () => ""] as const),
  );
  expect(header).toBe('\ufeff"Email"," email  (2)","EMAIL (3)","Email (2) (2)"\r\n');
});
