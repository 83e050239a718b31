/** Cursors of paged lists (`docs/contract.md`, "Lists and pages"). */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { ValidationFailed } from "#kit/errors.ts";
import { decodeCursor, encodeCursor, filterHashOf, part, sortKeyOf } from "#kit/lists/cursor.ts";
import { formats } from "#kit/schema/formats.ts";
import { anyText } from "../any-text.ts";

const any = () => true;
const base64url = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString("base64url");
const sortKey = fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }).filter(formats.line.check);

test("a cursor leads back to its sort key, and fits into a query unescaped", () => {
  fc.assert(
    fc.property(sortKey, (key) => {
      const cursor = encodeCursor(key);
      expect(decodeCursor(cursor, any)).toBe(key);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

test("a cursor with a filter's hash leads back under that filter only", () => {
  const filter = fc.record({ q: fc.string() });
  fc.assert(
    fc.property(sortKey, filter, filter, (key, mine, other) => {
      const cursor = encodeCursor(key, filterHashOf(mine));
      expect(decodeCursor(cursor, any, filterHashOf(mine))).toBe(key);
      fc.pre(mine.q !== other.q);
      expect(() => decodeCursor(cursor, any, filterHashOf(other))).toThrow(ValidationFailed);
    }),
  );
});

test("no list takes a cursor with a hash for one without, or the other way round", () => {
  const [key, filterHash] = ["a@unit.example", filterHashOf({ status: ["waitlist"] })];
  expect(() => decodeCursor(encodeCursor(key, filterHash), part.email)).toThrow(ValidationFailed);
  expect(() => decodeCursor(encodeCursor(key), part.email, filterHash)).toThrow(ValidationFailed);
});

test("a cursor is refused, or it is exactly one that the service could have made", () => {
  const forged = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.uint8Array().map(base64url),
    anyText().map(base64url),
    fc.tuple(sortKey.map(encodeCursor), fc.constantFrom("=", " ", "\n", "A", "+")).map(([cursor, end]) => cursor + end),
  );
  fc.assert(
    fc.property(forged, (cursor) => {
      try {
        const key = decodeCursor(cursor, any) ?? "";
        expect(encodeCursor(key)).toBe(cursor);
        expect(formats.line.check(key)).toBe(true);
        expect(key).not.toBe("");
      } catch (error) {
        if (!(error instanceof ValidationFailed)) throw error;
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["padding", `${base64url("a")}==`],
  ["bits left over", "YR"],
])("%s is no cursor", (_, cursor) => {
  const issues = [{ path: "/cursor", message: "is not a valid cursor" }];
  expect(() => decodeCursor(cursor, any)).toThrow(expect.objectContaining({ code: "VALIDATION", details: { issues } }));
});

test.each([
  ["2031#5#a#b@unit.example", false],
  ["2031#5#a@unit.example", true],
  ["2030#5#a@unit.example", false],
  ["2031#5", false],
  ["2031#x#a@unit.example", false],
])("the sort key %s belongs to a list of 2031: %p", (sortKey, is) => {
  expect(sortKeyOf(part.only(2031, part.year), part.time, part.email)(sortKey)).toBe(is);
});
