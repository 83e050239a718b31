import { expect, test } from "@jest/globals";
import { manyLines, oneLine } from "#kit/text/text.ts";

test.each([
  ["a\r\nb\rc\u2028d\u0085e\n\nf", "a\nb\nc\nd\ne\n\nf"],
  ["tab\tstays, \u0000\u0007\u001b[0m\u007f\u009b does not", "tab\tstays, [0m does not"],
  ["\u202Eexe.gpj\u202C \u2066x\u2069", "exe.gpj x"],
  ["\uD800 and \uDC00", "\uFFFD and \uFFFD"],
  ["👩‍🚀 می‌خواهم e\u0301", "👩‍🚀 می‌خواهم e\u0301"],
])("the HTML %j becomes the text %j", (text, plain) => {
  expect(manyLines(text)).toBe(plain);
});

test("text of one line is trimmed, and its white space becomes single spaces", () => {
  expect(oneLine(" \uFEFFAda\u00a0\u2003 Lovelace\r\n\tKing\v")).toBe("Ada Lovelace King");
});
