/**
 * The limits of expressions, items, keys, numbers and transactions: requests just within a limit, and just beyond it.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
import type { Case } from "./operations.ts";
import type { Json } from "./protocol-client.ts";
import { givenKey } from "./table.ts";

const TableName = "Club";
const key = givenKey("LIMIT");
const refused = "ValidationException";
const canceled = "TransactionCanceledException";
const one = { ":v": { N: "1" } };
const both = { ...one, ":w": { N: "2" } };

const times = (count: number, part: string, separator: string): string =>
  Array.from({ length: count }, () => part).join(separator);
const text = (length: number) => ({ S: "x".repeat(length) });

const put = (name: string, attributes: Json, outcome = "fine", message?: string): Case => ({
  name,
  operation: "PutItem",
  body: { TableName, Item: { ...key, ...attributes } },
  outcome,
  message,
});

const update = (name: string, more: Json, outcome = "fine", message?: string): Case => ({
  name,
  operation: "UpdateItem",
  body: { TableName, Key: key, UpdateExpression: "SET a = :v", ExpressionAttributeValues: one, ...more },
  outcome,
  message,
});

const when = (name: string, ConditionExpression: string, outcome = "fine", message?: string): Case =>
  update(
    name,
    { ConditionExpression, ExpressionAttributeValues: ConditionExpression.includes(":w") ? both : one },
    outcome,
    message,
  );

const query = (name: string, more: Json, values: Json, outcome = "fine", message?: string): Case => ({
  name,
  operation: "Query",
  body: { TableName, KeyConditionExpression: "PK = :p", ExpressionAttributeValues: values, ...more },
  outcome,
  message,
});

const transaction = (name: string, members: readonly Json[], outcome: string, more: Partial<Case> = {}): Case => ({
  name,
  operation: "TransactWriteItems",
  body: { TransactItems: members },
  outcome,
  ...more,
});

const member = (kind: string, more: Json): Json => ({ [kind]: { TableName, ...more } });

const tooMany = "The expression contains too many operators; operator count: 301";
const tooLong = "Expression size has exceeded the maximum allowed size;";
const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** `count` clauses that set different attributes. */
const clauses = (count: number, from: number, value: string): string[] =>
  Array.from(
    { length: count },
    (_, i) => `${letters[(from + i) % 52]}_${letters[Math.floor((from + i) / 52)]}=${value}`,
  );
const functionsAndSums = (functions: number, sums: number): Json => ({
  UpdateExpression: `SET ${[...clauses(functions, 0, "list_append(l,l)"), ...clauses(sums, functions, ":v+:v")].join(",")}`,
});

const expressions: readonly Case[] = [
  put("an item for conditions", { a: { N: "1" }, l: { L: [] } }),
  when("299 operators", times(150, "a=:v", " OR ")),
  when("301 operators", times(151, "a=:v", " OR "), refused, `Invalid ConditionExpression: ${tooMany}`),
  when("150 ranges, whose AND does not count", times(150, "a BETWEEN :v AND :v", " OR ")),
  when("151 ranges", times(151, "a BETWEEN :v AND :v", " OR "), refused, `Invalid ConditionExpression: ${tooMany}`),
  when("150 in brackets, which do not count", times(150, "(a=:v)", " OR ")),
  when("101 sizes, which count", times(101, "size(l)<:v", " OR "), refused, `Invalid ConditionExpression: ${tooMany}`),
  when("300 negations", `${"NOT ".repeat(300)}a=:v`, refused),
  when("100 operands", `a IN (${times(100, ":v", ",")})`),
  when(
    "101 operands",
    `a IN (${times(101, ":v", ",")})`,
    refused,
    "Invalid ConditionExpression: The IN operator is provided with too many operands; number of operands: 101",
  ),
  when("a path of 32 levels", `attribute_not_exists(a${".b".repeat(31)})`),
  when(
    "a path of 33 levels",
    `attribute_not_exists(a${".b".repeat(32)})`,
    refused,
    "Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: 33",
  ),
  when(
    "bounds the wrong way",
    "a BETWEEN :w AND :v",
    refused,
    "Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
      "lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}",
  ),
  update("functions and sums: 300", functionsAndSums(90, 210)),
  update("functions and sums: 301", functionsAndSums(90, 211), refused, `Invalid UpdateExpression: ${tooMany}`),
  update("301 clauses, which do not count", { UpdateExpression: `SET ${clauses(301, 0, ":v").join(",")}` }),
  update("4,096 bytes", { UpdateExpression: `SET a = :v${" ".repeat(4086)}` }),
  update(
    "4,097 bytes",
    { UpdateExpression: `SET a = :v${" ".repeat(4087)}` },
    refused,
    `Invalid UpdateExpression: ${tooLong}`,
  ),
  when(
    "4,097 bytes of a condition",
    `a = :v${" ".repeat(4091)}`,
    refused,
    `Invalid ConditionExpression: ${tooLong} expression size: 4097`,
  ),
  query("a filter of 301 operators", { FilterExpression: times(151, "a=:p", " OR ") }, { ":p": text(1) }, refused),
  query("a filter of 4,097 bytes", { FilterExpression: `a = :p${" ".repeat(4091)}` }, { ":p": text(1) }, refused),
  query(
    "a key condition of 4,097 bytes",
    { KeyConditionExpression: `PK = :p${" ".repeat(4090)}` },
    { ":p": text(1) },
    refused,
  ),
  query("a projection of 4,097 bytes", { ProjectionExpression: `a${" ".repeat(4096)}` }, { ":p": text(1) }, refused),
  transaction(
    "301 operators in a transaction",
    [
      member("ConditionCheck", {
        Key: key,
        ConditionExpression: times(151, "a=:v", " OR "),
        ExpressionAttributeValues: one,
      }),
    ],
    refused,
  ),
  update("a placeholder of 255 bytes", {
    UpdateExpression: `SET a = :${"v".repeat(254)}`,
    ExpressionAttributeValues: { [`:${"v".repeat(254)}`]: { N: "1" } },
  }),
  update(
    "a placeholder of 256 bytes",
    {
      UpdateExpression: `SET a = :${"v".repeat(255)}`,
      ExpressionAttributeValues: { [`:${"v".repeat(255)}`]: { N: "1" } },
    },
    refused,
  ),
  update("a name of 256 bytes", { ...named(`#${"n".repeat(255)}`, "a") }, refused),
  update("an empty name", { ...named("#n", "") }, refused),
  query(
    "more than 2 MB of values",
    { FilterExpression: "a = :v" },
    { ":p": text(1), ":v": text(2 * 1024 * 1024) },
    refused,
    "ExpressionAttributeValues exceeds max size",
  ),
];

function named(placeholder: string, name: string): Json {
  return { UpdateExpression: `SET ${placeholder} = :v`, ExpressionAttributeNames: { [placeholder]: name } };
}

const itemBytes = 400 * 1024;
/** PK, SK and their values, and the name of the text. */
const otherBytes = "PKLIMITSKMETAt".length;
const nested = (wraps: number): object => (wraps === 0 ? text(1) : { M: { n: nested(wraps - 1) } });
const updating = (value: unknown): Json =>
  member("Update", { Key: key, UpdateExpression: "SET t = :t", ExpressionAttributeValues: { ":t": value } });
const large = (sort: number) => ({ ...givenKey("LARGE", `${sort}`), t: text(400_000) });
const tooDeep =
  "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";

const items: readonly Case[] = [
  put("400 KB", { t: text(itemBytes - otherBytes) }),
  put(
    "400 KB and a byte",
    { t: text(itemBytes - otherBytes + 1) },
    refused,
    "Item size has exceeded the maximum allowed size",
  ),
  put("a small one again", {}),
  update(
    "400 KB and a byte by an update",
    { UpdateExpression: "SET t = :t", ExpressionAttributeValues: { ":t": text(itemBytes - otherBytes + 1) } },
    refused,
    "Item size to update has exceeded the maximum allowed size",
  ),
  // The size of a put is known from the request, so that it is refused before the transaction begins.
  transaction(
    "400 KB and a byte put in a transaction",
    [member("Put", { Item: { ...key, t: text(itemBytes - otherBytes + 1) } })],
    refused,
    { message: "Item size has exceeded the maximum allowed size" },
  ),
  transaction(
    "400 KB and a byte by an update in a transaction",
    [updating(text(itemBytes - otherBytes + 1))],
    canceled,
    {
      reasons: ["ValidationError"],
    },
  ),
  put("31 levels around text", { d: nested(31) }),
  put("32 levels around text", { d: nested(32) }, refused, tooDeep),
  update(
    "one level more",
    { UpdateExpression: "SET d.n = :d", ExpressionAttributeValues: { ":d": nested(31) } },
    refused,
  ),
  transaction("32 levels in a transaction", [member("Put", { Item: { ...key, d: nested(32) } })], refused),
  {
    ...update(
      "32 levels to compare with",
      { ConditionExpression: "d = :d", ExpressionAttributeValues: { ...one, ":d": nested(32) } },
      refused,
    ),
    only: "DynamoDB Local compares; AWS refuses the value, in most regions, before it looks at the item",
  },
  put("an attribute without a name", { "": text(1) }, refused),
  put("the largest number", { n: { N: `${"9".repeat(38)}${"0".repeat(88)}` } }),
  put("a number too large", { n: { N: "1e126" } }, refused),
  put("a number too small", { n: { N: "1e-131" } }, refused),
  put("39 digits", { n: { N: "1".repeat(39) } }, refused),
  put("two numbers", { n: { N: "9e125" }, m: { N: "1".repeat(38) } }),
  update(
    "a sum too large",
    { UpdateExpression: "ADD n :n", ExpressionAttributeValues: { ":n": { N: "9e125" } } },
    refused,
  ),
  update(
    "a sum of 39 digits",
    { UpdateExpression: "SET m = m + :n", ExpressionAttributeValues: { ":n": { N: "0.1" } } },
    refused,
  ),
];

const keysOf = (partition: number, sort: number) => ({ PK: text(partition), SK: text(sort) });
const get = (name: string, Key: Json, outcome = "fine", message?: string): Case => ({
  name,
  operation: "GetItem",
  body: { TableName, Key },
  outcome,
  message,
});
const emptyKey = (name: string) =>
  `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`;
const gsi1 = { IndexName: "GSI1", KeyConditionExpression: "GSI1PK = :p" };

const keys: readonly Case[] = [
  get("the longest keys", keysOf(2048, 1024)),
  get("a partition key too long", keysOf(2049, 1), refused),
  get("a sort key too long", keysOf(1, 1025), refused),
  get("a key of too many bytes", givenKey("A", "ü".repeat(513)), refused),
  get("an empty partition key", givenKey(""), refused, emptyKey("PK")),
  get("an empty sort key", givenKey("A", ""), refused, emptyKey("SK")),
  query("a query of an empty key", {}, { ":p": text(0) }, refused, emptyKey("PK")),
  query("a query of an empty index key", gsi1, { ":p": text(0) }, refused),
  query(
    "a query from an empty sort key",
    { KeyConditionExpression: "PK = :p AND SK > :s" },
    { ":p": text(1), ":s": text(0) },
    refused,
  ),
  query(
    "a query of a sort key too long",
    { KeyConditionExpression: "PK = :p AND begins_with(SK, :s)" },
    { ":p": text(1), ":s": text(1025) },
    refused,
  ),
  put("the longest index keys", { GSI1PK: text(2048), GSI1SK: text(1024) }),
  put("an index's partition key too long", { GSI1PK: text(2049), GSI1SK: text(1) }, refused),
  put("an index's sort key too long", { GSI1PK: text(1), GSI1SK: text(1025) }, refused),
  put("an index's sort key too long, without the other", { GSI1SK: text(1025) }, refused),
  update(
    "an index key too long by an update",
    { UpdateExpression: "SET GSI1SK = :s", ExpressionAttributeValues: { ":s": text(1025) } },
    refused,
  ),
  transaction(
    "an index key too long in a transaction",
    [member("Put", { Item: { ...key, GSI1SK: text(1025) } })],
    refused,
  ),
  transaction(
    "an index key too long by an update in a transaction",
    [
      member("Update", {
        Key: key,
        UpdateExpression: "SET GSI1SK = :s",
        ExpressionAttributeValues: { ":s": text(1025) },
      }),
    ],
    canceled,
    { reasons: ["ValidationError"], only: "DynamoDB Local fails the whole request" },
  ),
  transaction("an empty key in a transaction", [member("Put", { Item: givenKey("") })], refused, {
    message: emptyKey("PK"),
  }),
  transaction(
    "a key of another type in a transaction",
    [member("Delete", { Key: givenKey("LIMIT", "other") }), member("Put", { Item: { ...key, PK: { N: "1" } } })],
    canceled,
    { reasons: ["None", "ValidationError"] },
  ),
  transaction(
    "an index key of another type in a transaction",
    [member("Put", { Item: { ...key, GSI1PK: { N: "1" } } })],
    canceled,
    { reasons: ["ValidationError"] },
  ),
];

const many = (count: number) => Array.from({ length: count }, (_, i) => givenKey("MANY", `${i}`));
const gets = (some: readonly Json[]): Json => ({ TransactItems: some.map((Key) => ({ Get: { TableName, Key } })) });
const read = (name: string, some: readonly Json[], outcome = "fine"): Case => ({
  name,
  operation: "TransactGetItems",
  body: gets(some),
  outcome,
});
const ten = Array.from({ length: 10 }, (_, i) => i);
const withToken = (name: string, token: unknown, outcome: string, more: Partial<Case> = {}): Case => ({
  name,
  operation: "TransactWriteItems",
  body: { TransactItems: [member("Put", { Item: givenKey("TOKEN") })], ClientRequestToken: token },
  outcome,
  ...more,
});

const transactions: readonly Case[] = [
  transaction("no members", [], refused),
  transaction(
    "100 members",
    many(100).map((Item) => member("Put", { Item })),
    "fine",
  ),
  transaction(
    "101 members",
    many(101).map((Item) => member("Put", { Item })),
    refused,
  ),
  transaction("a member of no kind", [{}], refused),
  transaction(
    "less than 4 MB",
    ten.map((sort) => member("Put", { Item: large(sort) })),
    "fine",
  ),
  transaction(
    "more than 4 MB",
    [...ten, 10].map((sort) => member("Put", { Item: large(sort) })),
    refused,
  ),
  put("one more large item", { ...large(10) }),
  {
    ...transaction(
      "more than 4 MB with what is only checked",
      [...ten, 10].map((sort) =>
        member("ConditionCheck", { Key: givenKey("LARGE", `${sort}`), ConditionExpression: "attribute_exists(PK)" }),
      ),
      refused,
    ),
    only: "DynamoDB Local adds up what is sent; AWS documents the size of the items in the transaction",
  },
  read("no reads", [], refused),
  read("100 reads", many(100)),
  read("101 reads", many(101), refused),
  read(
    "less than 4 MB of reads",
    ten.map((sort) => givenKey("LARGE", `${sort}`)),
  ),
  read(
    "more than 4 MB of reads",
    [...ten, 10].map((sort) => givenKey("LARGE", `${sort}`)),
    refused,
  ),
  withToken("a token of 36 characters", "t".repeat(36), "fine"),
  withToken("a token of 37 characters", "t".repeat(37), refused),
  withToken("no token", null, "fine"),
  withToken("an empty token", "", refused, { only: "DynamoDB Local takes it for none; the API says: at least 1" }),
  withToken("a token that is a number", 7, "SerializationException", { only: "DynamoDB Local turns it into text" }),
];

/** In this order, on a table that begins empty. */
export const limitEdges: readonly Case[] = [...expressions, ...items, ...keys, ...transactions];
