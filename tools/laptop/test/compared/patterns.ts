/** Patterns as the EventBridge guide explains them, each with an event that matches and one that does not. */

const instance = { source: "aws.ec2", detail: { state: "terminated", "c-count": 4, "d-count": 7, "x-limit": 3.018e2 } };

/** A name, a pattern, an event that it matches, and one that it does not. */
export const patterns: readonly (readonly [string, Record<string, unknown>, object, object])[] = [
  ["exact values", { detail: { state: ["terminated", "stopped"] } }, instance, { detail: { state: "running" } }],
  ["null and empty text", { detail: { a: [null, ""] } }, { detail: { a: null } }, { detail: {} }],
  ["numbers and text apart", { detail: { a: [4] } }, { detail: { a: 4 } }, { detail: { a: "4" } }],
  ["every field", { source: ["aws.ec2"], detail: { "d-count": [7] } }, instance, { source: "aws.ec2", detail: {} }],
  ["prefix", { time: [{ prefix: "2017-10-02" }] }, { time: "2017-10-02T00:00:00Z" }, { time: "2017-10-03" }],
  ["lists", { arns: ["a", "b"] }, { arns: ["z", "b"] }, { arns: ["z"] }],
  ["lists of objects, each by itself", { l: { a: [1], b: [2] } }, { l: [{ a: 1, b: 2 }] }, { l: [{ a: 1 }, { b: 2 }] }],
  ["a list has one of the values", { a: ["x"] }, { a: ["w", "x"] }, { a: [] }],
];
