/** A comparison finds what it should find. */
import { expect, test } from "@jest/globals";
import { answerOf, compareWithMiniStack, judge } from "./compare.ts";

const operation = { name: "asks", call: async () => "yes", answer: expect.stringMatching(/^yes$/) };
const listed = { operation: "asks", theirs: "no", source: "AWS" };

test.each([
  ["AWS's answer", "yes", undefined],
  ["a listed difference", "no", listed],
])("%s is fine", (_, theirs, difference) => {
  expect(() => judge(operation, theirs, difference)).not.toThrow();
});

test.each([
  ["another answer", "no", undefined, "no"],
  ["another answer than the listed one", "perhaps", listed, "perhaps"],
  ["a listed difference that is none", "yes", { ...listed, theirs: "yes" }, "its row among the differences goes"],
  ["a listed difference that is none any more", "yes", listed, "its row among the differences goes"],
])("%s is found", (_, theirs, difference, message) => {
  expect(() => judge(operation, theirs, difference)).toThrow(message);
});

test("an error counts by its name", async () => {
  const call = () => Promise.reject(new TypeError("no"));
  expect(await answerOf(undefined, { ...operation, call })).toBe("TypeError");
});

test("a row of no operation and a name of two operations are refused", () => {
  const side = { ours: () => Promise.reject(new Error()), theirs: () => Promise.reject(new Error()) };
  expect(() => compareWithMiniStack({ operations: [], differences: [listed], ...side })).toThrow("no operation");
  const operations = [operation, operation];
  expect(() => compareWithMiniStack({ operations, differences: [], ...side })).toThrow("named");
});
