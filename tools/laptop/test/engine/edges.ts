/** Edge cases of keys, expressions and indexes: the request, and the outcome that AWS documents. */
import type { Case } from "./operations.ts";
import type { Json } from "./protocol-client.ts";
import { givenKey } from "./table.ts";

const TableName = "Club";
const key = givenKey("EDGE");
const n = (value: number | string) => ({ N: `${value}` });

const update = (name: string, UpdateExpression: string, values?: Json, more: Json = {}, outcome = "fine"): Case => ({
  name,
  operation: "UpdateItem",
  body: {
    TableName,
    Key: key,
    UpdateExpression,
    ...(values && { ExpressionAttributeValues: values }),
    ReturnValues: "ALL_NEW",
    ...more,
  },
  outcome,
});

const query = (
  name: string,
  KeyConditionExpression: string,
  values: Json,
  more: Json = {},
  outcome = "fine",
): Case => ({
  name,
  operation: "Query",
  body: { TableName, KeyConditionExpression, ExpressionAttributeValues: values, ...more },
  outcome,
});

const refused = "ValidationException";

const updates: readonly Case[] = [
  {
    name: "an item for updates",
    operation: "PutItem",
    body: {
      TableName,
      Item: {
        ...key,
        a: n(1),
        b: n(10),
        taken: { M: { q: { M: { red: n(0) } } } },
        l: { L: [n(0), n(1), n(2), n(3)] },
      },
    },
    outcome: "fine",
  },
  update("several attributes, each computed from the old ones", "SET a = b + :one, b = a + :one", { ":one": n(1) }),
  update("a copy of what is added to", "SET c = b ADD b :one", { ":one": n(1) }),
  update("a copy of a map of which a part changes", "SET was = taken, taken.q.red = :five", { ":five": n(5) }),
  update("two copies of one value", "SET d = a, e = a"),
  update("the copies part", "ADD d :one", { ":one": n(1) }),
  update("one value for two attributes", "SET f = :one, g = :one", { ":one": n(1) }),
  update("one of both counted", "ADD f :one", { ":one": n(1) }),
  update("two elements removed, as they were counted before", "REMOVE l[0], l[1]"),
  update("an element far behind the end", "SET l[9] = :one", { ":one": n(1) }),
  update("if_not_exists of another attribute", "SET h = if_not_exists(nothing, a) + :one", { ":one": n(1) }),
  update(
    "a nested counter",
    "SET taken.#q.#c = taken.#q.#c + :one",
    { ":one": n(1) },
    {
      ExpressionAttributeNames: { "#q": "q", "#c": "red" },
    },
  ),
  update("a nested path without its parent", "SET taken.none.red = :one", { ":one": n(1) }, {}, refused),
  update("a sum with what does not exist", "SET a = nothing + :one", { ":one": n(1) }, {}, refused),
  update("a sum with text", "SET a = PK + :one", { ":one": n(1) }, {}, refused),
  update("overlapping paths", "SET taken.q = :one, taken.q.red = :one", { ":one": n(1) }, {}, refused),
  update("the same path twice", "SET a = :one, a = :one", { ":one": n(1) }, {}, refused),
  update("a reserved word", "SET state = :one", { ":one": n(1) }, {}, refused),
  update(
    "a reserved word by another name",
    "SET #s = :one",
    { ":one": n(1) },
    {
      ExpressionAttributeNames: { "#s": "state" },
    },
  ),
  update("an unused name", "SET a = :one", { ":one": n(1) }, { ExpressionAttributeNames: { "#s": "state" } }, refused),
  update("a name that is not defined", "SET #s = :one", { ":one": n(1) }, {}, refused),
  update("an expression that is none", "SET a = = :one", { ":one": n(1) }, {}, refused),
  ...["for the first time", "again"].flatMap((time) => [
    update(`the same expression ${time}`, "SET g = if_not_exists(g, :one) + :one", { ":one": n(1) }),
    update(`an unused value ${time}`, "SET g = :one", { ":one": n(1), ":two": n(2) }, {}, refused),
    update(
      `a value used by one of two expressions ${time}`,
      "SET g = g + :one",
      { ":one": n(1), ":two": n(2) },
      {
        ConditionExpression: "g > :one AND g <> :two OR g >= :two",
      },
    ),
  ]),
  update("an empty expression", "", undefined, {}, refused),
  update("something added to text", "ADD PK2 :text", { ":text": { S: "a" } }, {}, refused),
  update(
    "numbers without limit",
    "SET cap = :none",
    { ":none": n(9e15) },
    {
      ConditionExpression: "a < :none AND attribute_not_exists(cap)",
    },
  ),
  update("one more than no limit", "ADD cap :one", { ":one": n(1) }, { ConditionExpression: "a < cap" }),
  update("38 digits", "SET big = :big", { ":big": n("12345678901234567890123456789012345678") }),
  update("one more than 38 digits hold", "SET big = :big", { ":big": n("1".repeat(39)) }, {}, refused),
  update("a number that is none", "SET a = :text", { ":text": n("many") }, {}, refused),
  update("an empty set", "SET ss = :none", { ":none": { SS: [] } }, {}, refused),
];

/** Names that every JavaScript object seems to have. */
const inherited = ["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"];

const putAndRead = (name: string, index: number): Case[] => [
  {
    name: `${name} put`,
    operation: "PutItem",
    body: {
      TableName,
      Item: JSON.parse(`{"PK":{"S":"TRAP"},"SK":{"S":"put${index}"},"${name}":{"M":{"${name}":{"N":"1"}}}}`),
    },
    outcome: "fine",
  },
  {
    name: `${name} read`,
    operation: "GetItem",
    body: { TableName, Key: givenKey("TRAP", `put${index}`), ConsistentRead: true },
    outcome: "fine",
  },
];

const traps: readonly Case[] = inherited.flatMap((name, index): Case[] => {
  const more = { Key: givenKey("TRAP", `${index}`), ExpressionAttributeNames: { "#x": name } };
  const one = { ":one": n(1) };
  return [
    update(`${name} does not exist`, "SET a = :one", one, { ...more, ConditionExpression: "attribute_not_exists(#x)" }),
    update(`${name} counts from nothing`, "ADD #x :one", one, more),
    update(`${name} keeps its value`, "SET #x = if_not_exists(#x, :two)", { ":two": n(2) }, more),
    update(`a map for ${name}`, "SET m = :map", { ":map": { M: {} } }, { Key: more.Key }),
    update(`${name} in a map does not exist`, "SET m.#x = if_not_exists(m.#x, :one)", one, {
      ...more,
      ConditionExpression: "attribute_not_exists(m.#x)",
    }),
    update(`${name} in a map counts`, "SET m.#x = m.#x + :one", one, more),
    update(`${name} is removed`, "REMOVE #x", undefined, more),
    // dynalite does not see an attribute named __proto__, and refuses the item.
    ...(name === "__proto__" ? [] : putAndRead(name, index)),
  ];
});

const places = ["", "1", "10", "2", "a", "aé", "z"].map((sort) => ({
  ...givenKey("RANGE", `s${sort}`),
  GSI1PK: { S: "RANGE" },
  GSI1SK: { S: `i${sort}` },
  lb: { S: "RANGE" },
  points: n(sort.length === 0 ? 9e15 : sort.charCodeAt(0) - 50 + sort.length / 4),
}));
const startAt = (index: number) => places[index] as Json;
const keyOnly = ({ PK, SK }: Json) => ({ PK, SK });
const partition = { ":p": { S: "RANGE" } };
const sorted = (sort: string) => ({ ...partition, ":s": { S: sort } });
const gsi1 = { IndexName: "GSI1" };
const leaders = { IndexName: "Leaders" };
const listKey = ({ PK, SK, GSI1PK, GSI1SK }: Json) => ({ PK, SK, GSI1PK, GSI1SK });
const pointsKey = ({ PK, SK, lb, points }: Json) => ({ PK, SK, lb, points });
const backwards = { ScanIndexForward: false };

const queries: readonly Case[] = [
  {
    name: "items for queries",
    operation: "BatchWriteItem",
    body: { RequestItems: { [TableName]: places.map((Item) => ({ PutRequest: { Item } })) } },
    outcome: "fine",
  },
  query("all of a partition", "PK = :p", partition),
  query("backwards", "PK = :p", partition, backwards),
  query("from a start", "PK = :p AND begins_with(SK, :s)", sorted("s1")),
  query("below", "PK = :p AND SK < :s", sorted("s2")),
  query("up to, backwards", "PK = :p AND SK <= :s", sorted("s2"), backwards),
  query("above", "PK = :p AND SK > :s", sorted("s10")),
  query("from", "PK = :p AND SK >= :s", sorted("s10")),
  query("between", "PK = :p AND SK BETWEEN :s AND :t", { ...sorted("s10"), ":t": { S: "sa" } }),
  query(
    "between, the wrong way",
    "PK = :p AND SK BETWEEN :s AND :t",
    { ...sorted("t"), ":t": { S: "s" } },
    {},
    refused,
  ),
  query("exactly", "PK = :p AND SK = :s", sorted("s2")),
  query("a page", "PK = :p", partition, { Limit: 3 }),
  query("the next page", "PK = :p", partition, { Limit: 3, ExclusiveStartKey: keyOnly(startAt(3)) }),
  query("a page behind what does not exist", "PK = :p", partition, { ExclusiveStartKey: givenKey("RANGE", "s15") }),
  query("a page of another partition", "PK = :p", partition, { ExclusiveStartKey: givenKey("OTHER", "s1") }, refused),
  query("a page of nothing", "PK = :p", partition, { Limit: 0 }, refused),
  query("a count", "PK = :p", partition, { Select: "COUNT" }),
  query("an index", "GSI1PK = :p", partition, gsi1),
  query("an index backwards", "GSI1PK = :p", partition, { ...gsi1, ...backwards }),
  query("a page of an index", "GSI1PK = :p", partition, { ...gsi1, Limit: 3 }),
  query("the next page of an index", "GSI1PK = :p", partition, {
    ...gsi1,
    Limit: 2,
    ExclusiveStartKey: listKey(startAt(3)),
  }),
  query("the page before, of an index", "GSI1PK = :p", partition, {
    ...gsi1,
    ...backwards,
    Limit: 2,
    ExclusiveStartKey: listKey(startAt(3)),
  }),
  query(
    "a page of an index with half a key",
    "GSI1PK = :p",
    partition,
    {
      ...gsi1,
      ExclusiveStartKey: keyOnly(startAt(3)),
    },
    refused,
  ),
  query("a count of an index", "GSI1PK = :p", partition, { ...gsi1, Select: "COUNT" }),
  query("an index's part", "GSI1PK = :p AND begins_with(GSI1SK, :s)", sorted("i1"), gsi1),
  query("an index's range", "GSI1PK = :p AND GSI1SK BETWEEN :s AND :t", { ...sorted("i1"), ":t": { S: "i2" } }, gsi1),
  query("the best first", "lb = :p", partition, { ...leaders, ...backwards, Limit: 3 }),
  query("the next best", "lb = :p", partition, {
    ...leaders,
    ...backwards,
    Limit: 3,
    ExclusiveStartKey: pointsKey(startAt(4)),
  }),
  query("those with points", "lb = :p AND points > :zero", { ...partition, ":zero": n(0) }, leaders),
  query("a consistent read of an index", "GSI1PK = :p", partition, { ...gsi1, ConsistentRead: true }, refused),
  query("an index that does not exist", "GSI1PK = :p", partition, { IndexName: "GSI9" }, refused),
  query("without the partition", "SK = :p", partition, {}, refused),
  query("a filter on a key", "PK = :p", sorted("s1"), { FilterExpression: "SK = :s" }, refused),
];

const keys: readonly Case[] = [
  update("an empty index key by an update", "SET GSI1PK = :none", { ":none": { S: "" } }, {}, refused),
  {
    name: "an empty partition key",
    operation: "PutItem",
    body: { TableName, Item: givenKey("") },
    outcome: refused,
  },
  { name: "an empty sort key", operation: "GetItem", body: { TableName, Key: givenKey("A", "") }, outcome: refused },
  {
    name: "an empty index key",
    operation: "PutItem",
    body: { TableName, Item: { ...givenKey("A"), GSI1PK: { S: "" }, GSI1SK: { S: "1" } } },
    outcome: refused,
  },
  {
    name: "more than a key",
    operation: "GetItem",
    body: { TableName, Key: { ...givenKey("A"), n: n(1) } },
    outcome: refused,
  },
  {
    name: "a key twice in a batch",
    operation: "BatchGetItem",
    body: { RequestItems: { [TableName]: { Keys: [key, key] } } },
    outcome: refused,
  },
  {
    name: "a batch of 101",
    operation: "BatchGetItem",
    body: { RequestItems: { [TableName]: { Keys: Array.from({ length: 101 }, (_, i) => givenKey(`${i}`)) } } },
    outcome: refused,
  },
  {
    name: "an item read twice in a transaction",
    operation: "TransactGetItems",
    body: { TransactItems: [{ Get: { TableName, Key: key } }, { Get: { TableName, Key: key } }] },
    outcome: refused,
  },
  {
    name: "a check without a condition",
    operation: "TransactWriteItems",
    body: { TransactItems: [{ ConditionCheck: { TableName, Key: key } }] },
    outcome: refused,
  },
  {
    name: "a refused delete, with the item as it is",
    operation: "DeleteItem",
    body: {
      TableName,
      Key: key,
      ConditionExpression: "attribute_not_exists(PK)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
    outcome: "ConditionalCheckFailedException",
  },
  {
    name: "a refused put where there is nothing",
    operation: "PutItem",
    body: {
      TableName,
      Item: givenKey("NOBODY"),
      ConditionExpression: "attribute_exists(PK)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
    outcome: "ConditionalCheckFailedException",
  },
];

/** In this order, on a table that begins empty. */
export const edges: readonly Case[] = [...updates, ...traps, ...queries, ...keys];
