/**
 * The limits of expressions, items, keys, numbers and transactions: requests just within a limit, and just beyond it,
 * in this order.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
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
  transaction,
  update,
} from "./case.ts";
import type { Json } from "./protocol-client.ts";
import { givenKey } from "./table.ts";

const key = givenKey("LIMIT");
const text = (length: number) => ({ S: "x".repeat(length) });
const times = (count: number, part: string, separator: string): string =>
  Array<string>(count).fill(part).join(separator);

const one = { ":v": n(1) };
const change = (UpdateExpression: string, values: Json = one, more: Json = {}) =>
  update(key, UpdateExpression, values, { ...more, ReturnValues: "NONE" });
const when = (ConditionExpression: string, values: Json = {}) =>
  change("SET a = :v", { ...one, ...values }, { ConditionExpression });
const putMore = (attributes: Json) => put({ ...key, ...attributes });
const ofPartition = (more: Json, values: Json = {}) => query("PK = :p", { ":p": text(1), ...values }, more);

const invalid = "Invalid ConditionExpression: ";
const tooMany = "The expression contains too many operators; operator count: 301";
/** `count` clauses that set different attributes, from this number on. */
const clauses = (count: number, from: number, value: string): string[] =>
  numbered(count, (index) => `x${(from + index).toString(36)}=${value}`);
const functionsAndSums = (functions: number, sums: number): string =>
  `SET ${[...clauses(functions, 0, "list_append(l,l)"), ...clauses(sums, functions, ":v+:v")].join(",")}`;

const expressions: readonly Case[] = [
  fine("an item for conditions", putMore({ a: n(1), l: { L: [] } })),
  fine("299 operators", when(times(150, "a=:v", " OR "))),
  refused("301 operators", when(times(151, "a=:v", " OR ")), { message: invalid + tooMany }),
  refused("a filter of 301 operators", ofPartition({ FilterExpression: times(151, "a=:p", " OR ") })),
  fine("functions and sums: 300", change(functionsAndSums(90, 210))),
  refused("functions and sums: 301", change(functionsAndSums(90, 211)), {
    message: `Invalid UpdateExpression: ${tooMany}`,
  }),
  fine("301 clauses, which do not count", change(`SET ${clauses(301, 0, ":v").join(",")}`)),
  fine("100 operands", when(`a IN (${times(100, ":v", ",")})`)),
  refused("101 operands", when(`a IN (${times(101, ":v", ",")})`), {
    message: `${invalid}The IN operator is provided with too many operands; number of operands: 101`,
  }),
  fine("a path of 32 levels", when(`attribute_not_exists(a${".b".repeat(31)})`)),
  refused("a path of 33 levels", when(`attribute_not_exists(a${".b".repeat(32)})`), {
    message: `${invalid}The document path has too many nesting levels; nesting levels: 33`,
  }),
  fine("4,096 bytes", change(`SET a = :v${" ".repeat(4086)}`)),
  refused("4,097 bytes", change(`SET a = :v${" ".repeat(4087)}`)),
  refused("4,097 bytes of a condition", when(`a = :v${" ".repeat(4091)}`)),
  refused("a projection of 4,097 bytes", ofPartition({ ProjectionExpression: `a${" ".repeat(4096)}` })),
];

/** The largest text beside PK, SK and their values, and the name of the text. */
const largest = 400 * 1024 - "PKLIMITSKMETAt".length;
const nested = (wraps: number): object => (wraps === 0 ? text(1) : { M: { n: nested(wraps - 1) } });
const setting = (UpdateExpression: string, value: unknown) =>
  member("Update", { Key: key, UpdateExpression, ExpressionAttributeValues: { ":v": value } });
const tooLarge = "Item size has exceeded the maximum allowed size";

const items: readonly Case[] = [
  fine("400 KB", putMore({ t: text(largest) })),
  refused("400 KB and a byte", putMore({ t: text(largest + 1) }), { message: tooLarge }),
  fine("a small one again", putMore({})),
  refused("400 KB and a byte by an update", change("SET t = :v", { ":v": text(largest + 1) }), {
    message: "Item size to update has exceeded the maximum allowed size",
  }),
  // The size of a put is known from the request, so that it is refused before the transaction begins.
  refused("400 KB and a byte put in a transaction", transaction([putting({ ...key, t: text(largest + 1) })]), {
    message: tooLarge,
  }),
  cancelled("400 KB and a byte in a transaction", transaction([setting("SET t = :v", text(largest + 1))]), [
    "ValidationError",
  ]),
  fine("31 levels around text", putMore({ d: nested(31) })),
  refused("32 levels around text", putMore({ d: nested(32) })),
  refused("one level more", change("SET d.n = :v", { ":v": nested(31) })),
  refused("32 levels to compare with", when("d = :d", { ":d": nested(32) }), {
    only: "DynamoDB Local compares; AWS refuses the value, in most regions, before it looks at the item",
  }),
  refused("an attribute without a name", putMore({ "": text(1) })),
  fine("two numbers", putMore({ n: n("9e125"), m: n("1".repeat(38)) })),
  refused("a sum too large", change("ADD n :v", { ":v": n("9e125") })),
  refused("a sum of 39 digits", change("SET m = m + :v", { ":v": n("0.1") })),
];

const keysOf = (partition: number, sort: number) => ({ PK: text(partition), SK: text(sort) });
const emptyKey = (name: string) =>
  `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`;
const gsi1 = { IndexName: "GSI1" };

const keys: readonly Case[] = [
  fine("the longest keys", get(keysOf(2048, 1024))),
  refused("a partition key too long", get(keysOf(2049, 1))),
  refused("a sort key too long", get(keysOf(1, 1025))),
  refused("a key of too many bytes", get(givenKey("A", "ü".repeat(513)))),
  refused("an empty sort key", get(givenKey("A", "")), { message: emptyKey("SK") }),
  refused("a query of an empty key", query("PK = :p", { ":p": text(0) }), { message: emptyKey("PK") }),
  refused("a query of an empty index key", query("GSI1PK = :p", { ":p": text(0) }, gsi1)),
  refused(
    "a query of a sort key too long",
    query("PK = :p AND begins_with(SK, :s)", { ":p": text(1), ":s": text(1025) }),
  ),
  refused("a consistent read of an index", query("GSI1PK = :p", { ":p": text(1) }, { ...gsi1, ConsistentRead: true })),
  fine("the longest index keys", putMore({ GSI1PK: text(2048), GSI1SK: text(1024) })),
  refused("an index's partition key too long", putMore({ GSI1PK: text(2049), GSI1SK: text(1) })),
  refused("an index's sort key too long, without the other", putMore({ GSI1SK: text(1025) })),
  refused("an empty index key", putMore({ GSI1PK: text(0), GSI1SK: text(1) })),
  refused("an empty index key by an update", change("SET GSI1PK = :v", { ":v": text(0) })),
  refused("an index key too long by an update", change("SET GSI1SK = :v", { ":v": text(1025) })),
  refused("an index key too long in a transaction", transaction([putting({ ...key, GSI1SK: text(1025) })])),
  cancelled(
    "an index key too long by an update in a transaction",
    transaction([setting("SET GSI1SK = :v", text(1025))]),
    ["ValidationError"],
    { only: "DynamoDB Local fails the whole request" },
  ),
  refused("an empty key in a transaction", transaction([putting(givenKey(""))]), { message: emptyKey("PK") }),
  cancelled(
    "a key of another type in a transaction",
    transaction([member("Delete", { Key: givenKey("LIMIT", "other") }), putting({ ...key, PK: n(1) })]),
    ["None", "ValidationError"],
  ),
  cancelled("an index key of another type in a transaction", transaction([putting({ ...key, GSI1PK: n(1) })]), [
    "ValidationError",
  ]),
];

const many = (count: number) => numbered(count, (index) => givenKey("MANY", `${index}`));
const large = (count: number) => numbered(count, (index) => givenKey("LARGE", `${index}`));
const filled = (some: readonly Json[]) => some.map((one) => putting({ ...one, t: text(400_000) }));
const withToken = (token: unknown) => transaction([putting(givenKey("TOKEN"))], token);

const transactions: readonly Case[] = [
  refused("no members", transaction([])),
  fine("100 members", transaction(many(100).map(putting))),
  refused("101 members", transaction(many(101).map(putting))),
  fine("less than 4 MB", transaction(filled(large(10)))),
  refused("more than 4 MB", transaction(filled(large(11)))),
  fine("one more large item", put({ ...givenKey("LARGE", "10"), t: text(400_000) })),
  refused(
    "more than 4 MB with what is only checked",
    transaction(large(11).map((one) => checking(one, "attribute_exists(PK)"))),
    { only: "DynamoDB Local adds up what is sent; AWS documents the size of the items in the transaction" },
  ),
  refused("no reads", reads([])),
  fine("100 reads", reads(many(100))),
  refused("101 reads", reads(many(101))),
  fine("less than 4 MB of reads", reads(large(10))),
  refused("more than 4 MB of reads", reads(large(11))),
  fine("a token of 36 characters", withToken("t".repeat(36))),
  refused("a token of 37 characters", withToken("t".repeat(37))),
  fine("no token", withToken(null)),
  refused("a token that is a number", withToken(7), {
    outcome: "SerializationException",
    only: "DynamoDB Local turns it into text",
  }),
];

export const limits: readonly Case[] = [...expressions, ...items, ...keys, ...transactions];
