/** Items of few keys with every type of attribute, and the conditions and updates that meet them. */
import fc from "fast-check";
import type { Json } from "./protocol-client.ts";

export const partitions = ["A", "B"];
const sorts = ["1", "2", "20"];
export const key = fc.record({ PK: fc.constantFrom(...partitions), SK: fc.constantFrom(...sorts) });
export type Key = { PK: string; SK: string };
export const keyOf = ({ PK, SK }: Key) => ({ PK: { S: PK }, SK: { S: SK } });

const number = fc.constantFrom("0", "1", "2", "3", "-1", "10", "2.50", "1e3", "0.001").map((N) => ({ N }));
const text = fc.constantFrom("", "a", "ab", "b", "zoë", "x".repeat(300)).map((S) => ({ S }));
const scalar = fc.oneof(
  number,
  text,
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true }),
);
const list = fc.array(scalar, { maxLength: 3 }).map((L) => ({ L }));
const map = fc.dictionary(fc.constantFrom("x", "y"), scalar, { noNullPrototype: true }).map((M) => ({ M }));
const set = fc.uniqueArray(fc.constantFrom("p", "q", "r"), { minLength: 1 }).map((SS) => ({ SS }));
const numbers = fc.uniqueArray(fc.constantFrom("1", "2", "3.5"), { minLength: 1 }).map((NS) => ({ NS }));

/** Sort keys of GSI1 differ between items, so that the order of a page is defined. */
const indexed = (Key: Key) => ({
  GSI1PK: fc.constantFrom("G", "H").map((S) => ({ S })),
  GSI1SK: fc.constantFrom("m", "n").map((S) => ({ S: `${S}#${Key.PK}#${Key.SK}` })),
});

export const item = (Key: Key) =>
  fc
    .record(
      {
        ...indexed(Key),
        lb: fc.constantFrom("L", "M").map((S) => ({ S })),
        points: number,
        n: number,
        s: text,
        l: list,
        m: map,
        ss: set,
        ns: numbers,
      },
      { requiredKeys: [] },
    )
    .map((attributes) => ({ ...keyOf(Key), ...attributes }));

export interface Condition {
  readonly ConditionExpression?: string;
  readonly names?: Record<string, string>;
  readonly values?: Json;
}

const one = { N: "1" };
const times = (count: number, part: string, separator: string): string =>
  Array.from({ length: count }, () => part).join(separator);

/** At AWS's limits, and one step behind them. */
const extreme = fc.constantFrom(150, 151).map((count) => ({
  ConditionExpression: times(count, "n<:c", " OR "),
  values: { ":c": one },
}));
const long = fc.constantFrom(100, 101).map((count) => ({
  ConditionExpression: `n IN (${times(count, ":c", ",")})`,
  values: { ":c": one },
}));

export const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  extreme,
  long,
  fc.constantFrom(
    { ConditionExpression: "attribute_not_exists(PK)" },
    { ConditionExpression: "attribute_exists(PK)" },
    { ConditionExpression: "attribute_exists(m.x) OR attribute_exists(l[1])" },
    { ConditionExpression: "NOT attribute_exists(n)" },
  ),
  number.map((value) => ({ ConditionExpression: "n < :c", values: { ":c": value } })),
  number.map((value) => ({ ConditionExpression: "#c >= :c", names: { "#c": "n" }, values: { ":c": value } })),
  number.map((value) => ({
    ConditionExpression: "n BETWEEN :c AND :c2 OR n IN (:c, :c3)",
    values: { ":c": one, ":c2": { N: "3" }, ":c3": value },
  })),
  text.map((value) => ({ ConditionExpression: "s = :c", values: { ":c": value } })),
  text.map((value) => ({ ConditionExpression: "s <> :c AND n <> :c2", values: { ":c": value, ":c2": one } })),
  list.map((value) => ({ ConditionExpression: "l = :c", values: { ":c": value } })),
  map.map((value) => ({ ConditionExpression: "m = :c", values: { ":c": value } })),
  set.map((value) => ({ ConditionExpression: "ss = :c", values: { ":c": value } })),
  scalar.map((value) => ({ ConditionExpression: "contains(l, :c)", values: { ":c": value } })),
  fc.constantFrom(
    { ConditionExpression: "contains(ss, :c)", values: { ":c": { S: "q" } } },
    { ConditionExpression: "contains(ns, :c)", values: { ":c": { N: "1.0" } } },
    { ConditionExpression: "begins_with(s, :c)", values: { ":c": { S: "a" } } },
    { ConditionExpression: "size(s) > :c", values: { ":c": { N: "1" } } },
    { ConditionExpression: "size(s) = :c", values: { ":c": { N: "4" } } },
    { ConditionExpression: "size(l) = :c AND size(m) < :c2", values: { ":c": one, ":c2": { N: "2" } } },
    { ConditionExpression: "attribute_type(n, :c)", values: { ":c": { S: "N" } } },
    { ConditionExpression: "n < points AND NOT (n = :c)", values: { ":c": one } },
  ),
);

export interface Update {
  readonly UpdateExpression: string;
  readonly values?: Json;
  readonly names?: Record<string, string>;
}

export const update = (Key: Key): fc.Arbitrary<Update> =>
  fc.oneof(
    fc.constantFrom(
      { UpdateExpression: "ADD n :u", values: { ":u": { N: "1" } } },
      { UpdateExpression: "ADD n :u, points :u2", values: { ":u": { N: "-2" }, ":u2": { N: "0.5" } } },
      { UpdateExpression: "SET n = n + :u", values: { ":u": { N: "1" } } },
      { UpdateExpression: "SET n = if_not_exists(n, :u) - :u2", values: { ":u": { N: "7" }, ":u2": { N: "1" } } },
      { UpdateExpression: "ADD ss :u", values: { ":u": { SS: ["q", "s"] } } },
      { UpdateExpression: "DELETE ss :u", values: { ":u": { SS: ["p", "q", "r"] } } },
      { UpdateExpression: "REMOVE n, l[0], m.x" },
      { UpdateExpression: "REMOVE GSI1PK" },
      { UpdateExpression: "REMOVE lb, ss" },
      { UpdateExpression: "SET m.x = :u", values: { ":u": { S: "deep" } } },
      { UpdateExpression: "SET m.#u = if_not_exists(m.#u, :u)", names: { "#u": "y" }, values: { ":u": { N: "5" } } },
      { UpdateExpression: "SET l[1] = :u", values: { ":u": { S: "second" } } },
      {
        UpdateExpression: "SET l = list_append(if_not_exists(l, :u), :u2)",
        values: { ":u": { L: [] }, ":u2": { L: [one] } },
      },
      { UpdateExpression: "SET s = :u REMOVE n ADD points :u2", values: { ":u": { S: "both" }, ":u2": one } },
      { UpdateExpression: `SET s = :u${" ".repeat(4086)}`, values: { ":u": { S: "4,096 bytes" } } },
      { UpdateExpression: `SET s = :u${" ".repeat(4087)}`, values: { ":u": { S: "4,097 bytes" } } },
      // The item exceeds 400 KB only with its key; a larger value is refused before the condition.
      { UpdateExpression: "SET s = :u", values: { ":u": { S: "x".repeat(409_594) } } },
    ),
    item(Key).map(({ PK: _pk, SK: _sk, ...attributes }) => {
      const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined);
      return pairs.length === 0
        ? { UpdateExpression: "SET #u = :u", names: { "#u": "s" }, values: { ":u": { S: "set" } } }
        : {
            UpdateExpression: `SET ${pairs.map(([name], i) => `${name} = :u${i}`).join(", ")}`,
            values: Object.fromEntries(pairs.map(([, value], i) => [`:u${i}`, value])),
          };
    }),
  );

/** Names and values of several expressions of one request. */
export function expressions(...parts: readonly { names?: Record<string, string>; values?: Json }[]): Json {
  const names = Object.assign({}, ...parts.map(({ names: some }) => some));
  const values = Object.assign({}, ...parts.map(({ values: some }) => some));
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}
