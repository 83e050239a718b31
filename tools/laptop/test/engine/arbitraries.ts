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
  Array<string>(count).fill(part).join(separator);
const when = (ConditionExpression: string, values?: Json, names?: Record<string, string>): Condition => ({
  ConditionExpression,
  ...(values && { values }),
  ...(names && { names }),
});
/** Conditions on one value of a kind. */
const about = (some: fc.Arbitrary<unknown>, ConditionExpression: string, others: Json = {}, names = {}) =>
  some.map((value) => when(ConditionExpression, { ":c": value, ...others }, names));

export const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  // At AWS's limits, and one step behind them.
  fc.constantFrom(150, 151).map((count) => when(times(count, "n<:c", " OR "), { ":c": one })),
  fc.constantFrom(100, 101).map((count) => when(`n IN (${times(count, ":c", ",")})`, { ":c": one })),
  about(number, "n < :c"),
  about(number, "#c >= :c", {}, { "#c": "n" }),
  about(number, "n BETWEEN :c2 AND :c3 OR n IN (:c2, :c)", { ":c2": one, ":c3": { N: "3" } }),
  about(text, "s = :c"),
  about(text, "s <> :c AND n <> :c2", { ":c2": one }),
  about(list, "l = :c"),
  about(map, "m = :c"),
  about(set, "ss = :c"),
  about(scalar, "contains(l, :c)"),
  fc.constantFrom(
    when("attribute_not_exists(PK)"),
    when("attribute_exists(PK)"),
    when("attribute_exists(m.x) OR attribute_exists(l[1])"),
    when("NOT attribute_exists(n)"),
    when("contains(ss, :c)", { ":c": { S: "q" } }),
    when("contains(ns, :c)", { ":c": { N: "1.0" } }),
    when("begins_with(s, :c)", { ":c": { S: "a" } }),
    when("size(s) > :c", { ":c": one }),
    when("size(s) = :c", { ":c": { N: "4" } }),
    when("size(l) = :c AND size(m) < :c2", { ":c": one, ":c2": { N: "2" } }),
    when("attribute_type(n, :c)", { ":c": { S: "N" } }),
    when("n < points AND NOT (n = :c)", { ":c": one }),
  ),
);

export interface Update {
  readonly UpdateExpression: string;
  readonly values?: Json;
  readonly names?: Record<string, string>;
}

const change = (UpdateExpression: string, values?: Json, names?: Record<string, string>): Update => ({
  UpdateExpression,
  ...(values && { values }),
  ...(names && { names }),
});

export const update = (Key: Key): fc.Arbitrary<Update> =>
  fc.oneof(
    fc.constantFrom(
      change("ADD n :u", { ":u": one }),
      change("ADD n :u, points :u2", { ":u": { N: "-2" }, ":u2": { N: "0.5" } }),
      change("SET n = n + :u", { ":u": one }),
      change("SET n = if_not_exists(n, :u) - :u2", { ":u": { N: "7" }, ":u2": one }),
      change("ADD ss :u", { ":u": { SS: ["q", "s"] } }),
      change("DELETE ss :u", { ":u": { SS: ["p", "q", "r"] } }),
      change("REMOVE n, l[0], m.x"),
      change("REMOVE GSI1PK"),
      change("REMOVE lb, ss"),
      change("SET m.x = :u", { ":u": { S: "deep" } }),
      change("SET m.#u = if_not_exists(m.#u, :u)", { ":u": { N: "5" } }, { "#u": "y" }),
      change("SET l[1] = :u", { ":u": { S: "second" } }),
      change("SET l = list_append(if_not_exists(l, :u), :u2)", { ":u": { L: [] }, ":u2": { L: [one] } }),
      change("SET s = :u REMOVE n ADD points :u2", { ":u": { S: "both" }, ":u2": one }),
      change(`SET s = :u${" ".repeat(4086)}`, { ":u": { S: "4,096 bytes" } }),
      change(`SET s = :u${" ".repeat(4087)}`, { ":u": { S: "4,097 bytes" } }),
      // The item exceeds 400 KB only with its key; a larger value is refused before the condition.
      change("SET s = :u", { ":u": { S: "x".repeat(409_594) } }),
    ),
    item(Key).map(({ PK: _pk, SK: _sk, ...attributes }) => {
      const pairs = Object.entries({ s: { S: "set" }, ...attributes }).filter(([, value]) => value !== undefined);
      return change(
        `SET ${pairs.map(([name], i) => `${name} = :u${i}`).join(", ")}`,
        Object.fromEntries(pairs.map(([, value], i) => [`:u${i}`, value])),
      );
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
