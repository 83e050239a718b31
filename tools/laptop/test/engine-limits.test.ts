/** Limits of expressions and items. The counts were measured with DynamoDB Local; the error texts are AWS's. */
import { expect, test } from "@jest/globals";
import {
  expressionIssue,
  indexKeyIssue,
  itemIssue,
  keyIssue,
  numberIssue,
  operatorCount,
  placeholderIssue,
} from "../dynamodb/limits.ts";
import type { AttributeMap } from "../dynamodb/protocol.ts";

const times = (count: number, text: string, separator: string): string =>
  Array.from({ length: count }, () => text).join(separator);

test.each([
  ["a = :v", 1],
  ["(a = :v)", 1],
  ["a.b.c[0] <> :v", 1],
  ["a = :v AND b >= :v", 3],
  ["not a = :v or b < :v", 4],
  ["a BETWEEN :v AND :w", 1],
  ["a between :v and :w and b = :v", 3],
  ["a BETWEEN size(b) AND :w AND c = :v", 4],
  ["a IN (:v, :w, :x)", 1],
  ["attribute_exists(a)", 1],
  ["size (a) > :v", 2],
  ["#and = :and AND contains(#in, :between)", 3],
  ["remove = :v", 1],
  ["remove IN (:v)", 1],
  ["SET a = :v, b = :v REMOVE c ADD d :v DELETE e :v", 0],
  ["SET a = :v + :w", 1],
  ["set a=b-:v", 1],
  ["SET a = if_not_exists(a, :v) + :v, l = list_append(l, :v)", 3],
  ["a, b.c, #d[0]", 0],
])("the expression %s counts as %i", (expression, count) => {
  expect(operatorCount(expression)).toBe(count);
});

test.each([
  ["150 comparisons", times(150, "a = :v", " OR "), undefined],
  ["151 comparisons", times(151, "a = :v", " OR "), "The expression contains too many operators; operator count: 301"],
  ["301 clauses of an update", `SET ${times(301, "a = :v", ",")}`, undefined],
  ["4,096 bytes", `a = :v${" ".repeat(4090)}`, undefined],
  [
    "4,097 bytes",
    `ä = :v${" ".repeat(4090)}`,
    "Expression size has exceeded the maximum allowed size; expression size: 4097",
  ],
  [
    "4,097 bytes of an update",
    `SET a = :v${" ".repeat(4087)}`,
    "Expression size has exceeded the maximum allowed size;",
  ],
  ["100 operands", `a IN (${times(100, ":v", ", ")})`, undefined],
  [
    "101 operands",
    `a IN (${times(101, ":v", ", ")})`,
    "The IN operator is provided with too many operands; number of operands: 101",
  ],
  ["a path of 32 levels", `attribute_exists(a${".b".repeat(31)})`, undefined],
  [
    "a path of 33 levels",
    `attribute_exists(a${"[0]".repeat(32)})`,
    "The document path has too many nesting levels; nesting levels: 33",
  ],
])("an expression at a limit of DynamoDB: %s", (_, expression, issue) => {
  expect(expressionIssue(expression)).toBe(issue);
});

const deep = (wraps: number): object => (wraps === 0 ? { S: "leaf" } : { M: { n: deep(wraps - 1) } });

test("an item may have 400 KB, names included, and 32 levels", () => {
  const of = (bytes: number) => itemIssue({ PK: { S: "A" }, text: { S: "x".repeat(bytes - 7) } });
  expect([of(409_600), of(409_601)]).toEqual([undefined, "Item size has exceeded the maximum allowed size"]);
  expect(itemIssue({ deep: { ...deep(31) } })).toBeUndefined();
  expect(itemIssue({ deep: { ...deep(32) } })).toContain("nested levels beyond supported limit");
});

const namePlaceholder = (bytes: number) => `#${"n".repeat(bytes - 1)}`;
const valuePlaceholder = (bytes: number) => `:${"v".repeat(bytes - 1)}`;
const half = "x".repeat(1024 * 1024);

test.each([
  ["255 bytes of a name", { [namePlaceholder(255)]: "a" }, {}, undefined],
  ["256 bytes of a name", { [namePlaceholder(256)]: "a" }, {}, "a key that is too long; size of key: 256"],
  ["256 bytes of a value's name", {}, { [valuePlaceholder(256)]: { N: "1" } }, "a key that is too long;"],
  ["no name at all", { "#n": "" }, {}, "Empty attribute name for key #n"],
  ["a name of 64 KB", { "#n": "a".repeat(65_536) }, {}, "Attribute name is too large"],
  ["less than 2 MB of values", {}, { ":a": { S: half } }, undefined],
  [
    "more than 2 MB of values",
    {},
    { ":a": { S: half }, ":b": { S: half } },
    "ExpressionAttributeValues exceeds max size",
  ],
])("placeholders with %s", (_, names: Record<string, string>, values, issue) => {
  const found = placeholderIssue(names, values as AttributeMap);
  if (issue) expect(found).toContain(issue);
  else expect(found).toBeUndefined();
});

test.each([
  ["9".repeat(38), undefined],
  ["1".repeat(39), "38 significant digits"],
  [`1${"0".repeat(60)}`, undefined],
  [`9${"0".repeat(125)}`, undefined],
  [`-1${"0".repeat(126)}`, "Number overflow"],
  [`0.${"0".repeat(40)}1`, undefined],
  ["0", undefined],
])("a sum of %s", (N, issue) => {
  const found = numberIssue({ L: [{ M: { n: { N } } }] });
  if (issue) expect(found).toContain(issue);
  else expect(found).toBeUndefined();
});

test("keys are measured in bytes", () => {
  const text = (count: number) => ({ S: "ü".repeat(count) });
  expect([keyIssue(text(1024), "HASH"), keyIssue(text(512), "RANGE")]).toEqual([undefined, undefined]);
  expect(keyIssue(text(1025), "HASH")).toContain("Size of hashkey");
  expect(keyIssue(text(513), "RANGE")).toContain("Aggregated size of all range keys");
  expect(indexKeyIssue(text(513), { name: "GSI1SK", kind: "RANGE", index: "GSI1" })).toBe(
    "One or more parameter values were invalid: Size limit exceeded for Index Key GSI1SK Actual Size: 1026 bytes " +
      "Max Size: 1024 bytes IndexName: GSI1",
  );
});
