/** What the engine adds to dynalite, operation by operation, in this order, on a table that begins empty. */
import {
  type Case,
  cancelled,
  checking,
  fine,
  get,
  member,
  n,
  numbered,
  put,
  putting,
  query,
  reads,
  refused,
  TableName,
  transaction,
  update,
} from "./case.ts";
import type { Json } from "./protocol-client.ts";
import { givenKey } from "./table.ts";

const [a, b] = [givenKey("A"), givenKey("B")];
const one = { ":one": n(1) };
const list = { L: [{ M: { x: { NULL: true } } }] };
const token = "0d3b6f10-6c4e-4a40-9a3b-1f5f0a3f0001";

const counting = { Key: a, UpdateExpression: "ADD n :one", ExpressionAttributeValues: one };
const listed = { ...b, GSI1PK: { S: "G" }, GSI1SK: { S: "1" } };
const others = [
  putting(listed),
  member("Delete", { Key: givenKey("C") }),
  checking(givenKey("D"), "attribute_not_exists(PK)"),
];
const guarded = transaction([{ Put: { TableName, Item: b, ConditionExpression: "attribute_exists(n)" } }], "guarded");
const oldToo = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" };

const writes: readonly Case[] = [
  fine("a put", put({ ...a, n: n("1.0"), s: { S: "" }, l: list })),
  refused(
    "a failed condition, with the item",
    update(a, "SET n = :one", one, { ConditionExpression: "n > :one", ...oldToo }),
    {
      outcome: "ConditionalCheckFailedException",
      shows: { s: { S: "" } },
    },
  ),
  refused(
    "a failed condition where there is nothing",
    put(givenKey("NOBODY"), { ConditionExpression: "attribute_exists(PK)", ...oldToo }),
    { outcome: "ConditionalCheckFailedException", shows: { Item: undefined } },
  ),
  fine(
    "lists and maps compared by value",
    update(a, "SET n = :one", { ...one, ":list": list }, { ConditionExpression: "l = :list" }),
  ),
  fine(
    "text ordered by its bytes",
    update(
      a,
      "SET s = :text",
      { ":emoji": { S: "😀" }, ":private": { S: "\uffee" }, ":none": n(0), ":text": { S: "é" } },
      { ConditionExpression: ":emoji > :private AND size(s) = :none" },
    ),
  ),
  fine("a transaction of every kind", transaction([member("Update", counting), ...others], token)),
  fine("the same transaction again", transaction([member("Update", counting), ...others], token)),
  fine(
    "the same with its fields in another order",
    transaction([{ Update: { ...counting, TableName } }, ...others], token),
  ),
  refused("another transaction with the same token", transaction([putting(givenKey("E"))], token), {
    outcome: "IdempotentParameterMismatchException",
  }),
  fine("the first transaction counted once", get(a), { n: n(2) }),
  cancelled("a transaction whose token does not count", guarded, ["ConditionalCheckFailed"]),
  fine("what the condition wanted", put({ ...listed, n: n(0) })),
  fine("the cancelled transaction again", guarded),
  fine("which has now put its item", get(b), { n: undefined }),
  cancelled(
    "two failed conditions, one with its item",
    transaction([
      checking(a, "attribute_not_exists(PK)"),
      putting(givenKey("F")),
      member("Update", { ...counting, Key: b, ConditionExpression: "n = :one", ...oldToo }),
    ]),
    ["ConditionalCheckFailed", "None", "ConditionalCheckFailed"],
    { shows: { SK: { S: "META" } } },
  ),
  cancelled(
    "an update that cannot be made",
    transaction([putting(givenKey("F")), member("Update", { ...counting, UpdateExpression: "ADD s :one" })]),
    ["None", "ValidationError"],
  ),
  fine("nothing of the cancelled ones", get(givenKey("F")), { Item: undefined }),
  refused("two operations on one item", transaction([putting(b), putting(b)])),
  refused("an item read twice in a transaction", reads([a, a])),
  refused("a member of two kinds", transaction([{ ...putting(b), ...checking(b, "attribute_exists(PK)") }])),
  refused("a member of no kind", transaction([{}])),
  refused("a check without a condition", transaction([member("ConditionCheck", { Key: a })])),
  fine("a transactional read", reads([a, givenKey("nobody")])),
  refused("a table that does not exist", ["GetItem", { TableName: "Nowhere", Key: a }], {
    outcome: "ResourceNotFoundException",
  }),
];

const key = givenKey("UPDATE");
const change = (UpdateExpression: string, values: Json = one, more: Json = {}) =>
  update(key, UpdateExpression, values, more);
const nested = (red: number) => ({ M: { q: { M: { red: n(red) } } } });
const two = { ":one": n(1), ":two": n(2) };

/** All changes of an update are computed from the item before it. */
const updates: readonly Case[] = [
  fine("an item for updates", put({ ...key, a: n(1), b: n(10), taken: nested(0), l: { L: numbered(4, n) } })),
  fine("attributes computed from the old ones", change("SET a = b + :one, b = a + :one"), { a: n(11), b: n(2) }),
  fine("a copy of what is added to", change("SET c = b ADD b :one"), { b: n(3), c: n(2) }),
  fine("a copy of a map of which a part changes", change("SET was = taken, taken.q.red = :one"), {
    was: nested(0),
    taken: nested(1),
  }),
  fine("two copies of one value", update(key, "SET d = a, e = a")),
  fine("the copies part", change("ADD d :one"), { d: n(12), e: n(11) }),
  fine("one value for two attributes", change("SET f = :one, g = :one")),
  fine("one of both counted", change("ADD f :one"), { f: n(2), g: n(1) }),
  fine("elements removed as they were counted before", update(key, "REMOVE l[0], l[1]"), { l: { L: [n(2), n(3)] } }),
  fine("if_not_exists of another attribute", change("SET h = if_not_exists(nothing, a) + :one"), { h: n(12) }),
  refused("a sum with what does not exist", change("SET a = nothing + :one")),
  refused("an unused value", change("SET g = :one", two)),
  fine(
    "a value used by one of two expressions",
    change("SET g = g + :one", two, { ConditionExpression: "g >= :one AND g <> :two" }),
  ),
];

/** Names that every JavaScript object seems to have. */
const inherited = ["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"];

const traps: readonly Case[] = inherited.flatMap((name, index) => {
  const at = givenKey("TRAP", `${index}`);
  const named = { ExpressionAttributeNames: { "#x": name } };
  const trap = (expression: string, values: Json | undefined, condition?: string) =>
    update(at, expression, values, { ...named, ...(condition && { ConditionExpression: condition }) });
  return [
    fine(`${name} does not exist`, trap("SET a = :one", one, "attribute_not_exists(#x)")),
    fine(`${name} counts from nothing`, trap("ADD #x :one", one), { [name]: n(1) }),
    fine(`${name} keeps its value`, trap("SET #x = if_not_exists(#x, :two)", { ":two": n(2) }), { [name]: n(1) }),
    fine(`a map for ${name}`, update(at, "SET m = :map", { ":map": { M: {} } })),
    fine(
      `${name} in a map does not exist`,
      trap("SET m.#x = if_not_exists(m.#x, :one)", one, "attribute_not_exists(m.#x)"),
    ),
    fine(`${name} in a map counts`, trap("SET m.#x = m.#x + :one", one), { m: { M: { [name]: n(2) } } }),
    fine(`${name} is removed`, trap("REMOVE #x", undefined), { [name]: undefined }),
  ];
});

const places = ["1", "2", "3"].map((sort) => ({ ...givenKey("RANGE", sort), red: n(sort), l: { L: [n(sort)] } }));
const partition = { ":p": { S: "RANGE" } };

/** Filters are the engine's own: they compare by value. */
const queries: readonly Case[] = [
  fine("items for queries", transaction(places.map(putting))),
  fine("a filter", query("PK = :p", { ...partition, ":list": { L: [n(2)] } }, { FilterExpression: "l = :list" }), {
    Count: 1,
    ScannedCount: 3,
    Items: places.slice(1, 2),
  }),
  fine(
    "a count of what a filter leaves",
    query("PK = :p", { ...partition, ...one }, { FilterExpression: "red > :one", Select: "COUNT" }),
    { Count: 2, ScannedCount: 3, Items: undefined },
  ),
  refused("a filter on a key", query("PK = :p", { ...partition, ":s": { S: "1" } }, { FilterExpression: "SK = :s" })),
];

export const operations: readonly Case[] = [...writes, ...updates, ...traps, ...queries];
