/** A comparison finds what it should find. */
import { expect, test } from "@jest/globals";
import { answerOf, compareWithMiniStack, judge } from "./compare.ts";

const operation = ["asks", async () => "yes", expect.stringMatching(/^yes$/)] as const;
const listed = ["asks", "no", "AWS"] as const;

test.each([
  ["AWS's answer", "yes", undefined],
  ["a listed difference", "no", listed],
])("%s is fine", (_, theirs, difference) => {
  expect(() => judge(operation, theirs, difference)).not.toThrow();
});

test.each([
  ["another answer", "no", undefined, "no"],
  ["another answer than the listed one", "perhaps", listed, "perhaps"],
  ["a listed difference that is none", "yes", ["asks", "yes", "AWS"] as const, "its row among the differences goes"],
  ["a listed difference that is none any more", "yes", listed, "its row among the differences goes"],
])("%s is found", (_, theirs, difference, message) => {
  expect(() => judge(operation, theirs, difference)).toThrow(message);
});

test("an error counts by its name", async () => {
  expect(await answerOf(undefined, ["asks", () => Promise.reject(new TypeError("no")), "yes"])).toBe("TypeError");
});

test("a row of no operation and a name of two operations are refused", () => {
  const side = { ours: () => Promise.reject(new Error()), theirs: () => Promise.reject(new Error()) };
  expect(() => compareWithMiniStack({ operations: [], differences: [listed], ...side })).toThrow("no operation");
  const operations = [operation, operation];
  expect(() => compareWithMiniStack({ operations, differences: [], ...side })).toThrow("named");
});
