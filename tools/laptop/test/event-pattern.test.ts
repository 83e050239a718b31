/** Patterns as the EventBridge guide explains them, each with an event that matches and one that does not. */
import { expect, test } from "@jest/globals";
import { matchesPattern } from "../patterns/event-pattern.ts";

const instance = { source: "aws.ec2", detail: { state: "terminated", "c-count": 4, "d-count": 7, "x-limit": 3.018e2 } };

test.each<[string, Record<string, unknown>, unknown, unknown]>([
  ["exact values", { detail: { state: ["terminated", "stopped"] } }, instance, { detail: { state: "running" } }],
  ["null and empty text", { detail: { a: [null, ""] } }, { detail: { a: null } }, { detail: {} }],
  ["numbers and text apart", { detail: { a: [4] } }, { detail: { a: 4 } }, { detail: { a: "4" } }],
  ["every field", { source: ["aws.ec2"], detail: { "d-count": [7] } }, instance, { source: "aws.ec2", detail: {} }],
  ["prefix", { time: [{ prefix: "2017-10-02" }] }, { time: "2017-10-02T00:00:00Z" }, { time: "2017-10-03" }],
  ["suffix", { file: [{ suffix: ".png" }] }, { file: "a.png" }, { file: "a.png.txt" }],
  [
    "a prefix in any case",
    { s: [{ prefix: { "equals-ignore-case": "EventB" } }] },
    { s: "EVENTBridge" },
    { s: "Even" },
  ],
  ["a suffix in any case", { s: [{ suffix: { "equals-ignore-case": ".png" } }] }, { s: "a.PnG" }, { s: "a.jpg" }],
  ["any case", { type: [{ "equals-ignore-case": "alice" }] }, { type: "AlIcE" }, { type: "alices" }],
  ["anything but", { state: [{ "anything-but": "initializing" }] }, { state: "running" }, { state: "initializing" }],
  ["anything but a list", { limit: [{ "anything-but": [100, 200] }] }, { limit: 300 }, { limit: 200 }],
  ["anything but a prefix", { s: [{ "anything-but": { prefix: "init" } }] }, { s: "running" }, { s: "initial" }],
  ["anything but a suffix", { s: [{ "anything-but": { suffix: ".txt" } }] }, { s: "a.png" }, { s: "a.txt" }],
  ["anything but a wildcard", { s: [{ "anything-but": { wildcard: "*/lib/*" } }] }, { s: "/usr/a" }, { s: "/a/lib/b" }],
  ["anything but needs a value", { s: [{ "anything-but": "a" }] }, { s: "b" }, {}],
  ["a number between", { n: [{ numeric: [">", 0, "<=", 5] }] }, { n: 5 }, { n: 0 }],
  [
    "a number equal to",
    { detail: { "x-limit": [{ numeric: ["=", 3.018e2] }] } },
    instance,
    { detail: { "x-limit": "301.8" } },
  ],
  ["numbers below", { n: [{ numeric: ["<", 10] }] }, { n: 9 }, { n: 10 }],
  ["exists", { detail: { state: [{ exists: true }] } }, instance, { detail: {} }],
  ["exists with null", { a: [{ exists: true }] }, { a: null }, { a: { b: 1 } }],
  ["does not exist", { detail: { e: [{ exists: false }] } }, instance, { detail: { e: "" } }],
  ["does not exist in what does not exist", { a: { b: [{ exists: false }] } }, {}, { a: { b: 1 } }],
  ["an empty list does not exist", { a: [{ exists: false }] }, { a: [] }, { a: [1] }],
  ["wildcards", { f: [{ wildcard: "dir/*.png" }] }, { f: "dir/a/b.png" }, { f: "dir/a.pngs" }],
  ["an escaped star", { f: [{ wildcard: "a\\*b" }] }, { f: "a*b" }, { f: "axb" }],
  ["dots in wildcards are dots", { f: [{ wildcard: "*.png" }] }, { f: ".png" }, { f: "apng" }],
  ["address ranges", { ip: [{ cidr: "10.0.0.0/24" }] }, { ip: "10.0.0.255" }, { ip: "10.0.1.0" }],
  ["address ranges and other text", { ip: [{ cidr: "2001:db8::/32" }] }, { ip: "2001:db8::1" }, { ip: "10.0.0.1" }],
  ["lists", { arns: ["a", "b"] }, { arns: ["z", "b"] }, { arns: ["z"] }],
  ["lists of objects, each by itself", { l: { a: [1], b: [2] } }, { l: [{ a: 1, b: 2 }] }, { l: [{ a: 1 }, { b: 2 }] }],
  ["either", { $or: [{ a: [1] }, { b: [{ numeric: ["<", 3] }] }], c: ["x"] }, { b: 2, c: "x" }, { b: 4, c: "x" }],
  ["an empty list exists no more than its values", { a: [{ exists: true }] }, { a: [1] }, { a: [] }],
  ["a list has one of the values", { a: ["x"] }, { a: ["w", "x"] }, { a: [] }],
  [
    "either, of whole branches",
    { s: ["x"], $or: [{ d: { e: ["p"] } }, { t: ["y"], d: { e: [{ exists: false }] } }] },
    { s: "x", t: "y", d: {} },
    { s: "x", t: "y", d: { e: ["q"] } },
  ],
  ["either does not replace the rest", { $or: [{ a: [1] }, { b: [2] }], c: ["x"] }, { a: 1, c: "x" }, { a: 1 }],
])("a pattern with %s", (_, pattern, matching, other) => {
  expect(matchesPattern(pattern, matching)).toBe(true);
  expect(matchesPattern(pattern, other)).toBe(false);
});

test("an unknown matcher is an error", () => {
  expect(() => matchesPattern({ a: [{ sounds: "like" }] }, { a: "b" })).toThrow("sounds");
  expect(() => matchesPattern({ a: [{ wildcard: { prefix: "x" } }] }, { a: "b" })).toThrow("wildcard");
});
