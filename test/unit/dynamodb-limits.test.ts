/** Limits of expressions and items; the counts were measured with DynamoDB Local, the texts are AWS's. */
import { expect, test } from "@jest/globals";
import { expressionIssue, itemIssue, operatorCount } from "../../lib/local/dynamodb/limits.ts";

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
])("%s counts as %i", (expression, count) => {
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
])("%s", (_, expression, issue) => {
  expect(expressionIssue(expression)).toBe(issue);
});

const deep = (wraps: number): object => (wraps === 0 ? { S: "leaf" } : { M: { n: deep(wraps - 1) } });

test("an item may have 400 KB, names included, and 32 levels", () => {
  const of = (bytes: number) => itemIssue({ PK: { S: "A" }, text: { S: "x".repeat(bytes - 7) } });
  expect([of(409_600), of(409_601)]).toEqual([undefined, "Item size has exceeded the maximum allowed size"]);
  expect(itemIssue({ deep: { ...deep(31) } })).toBeUndefined();
  expect(itemIssue({ deep: { ...deep(32) } })).toContain("nested levels beyond supported limit");
});
