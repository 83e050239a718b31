/** What counts as an operator, as DynamoDB Local counts it. The limits themselves: compared/table.test.ts. */
import { expect, test } from "@jest/globals";
import { operatorCount } from "../dynamodb/limits.ts";

test.each([
  ["a = :v AND b >= :v", 3],
  ["not a = :v or b < :v", 4],
  ["a BETWEEN :v AND :w", 1],
  ["a BETWEEN size(b) AND :w AND c = :v", 4],
  ["a IN (:v, :w, :x)", 1],
  ["size (a) > :v", 2],
  ["remove IN (:v)", 1],
  ["SET a = :v, b = :v REMOVE c ADD d :v DELETE e :v", 0],
  ["SET a = if_not_exists(a, :v) + :v, l = list_append(l, :v)", 3],
])("the expression %s counts as %i", (expression, count) => {
  expect(operatorCount(expression)).toBe(count);
});
