/** Operations one by one: the request, and the outcome that AWS documents. */
import type { Json } from "./protocol-client.ts";
import { givenKey } from "./table.ts";

export interface Case {
  readonly name: string;
  readonly operation: string;
  readonly body: Json;
  /** `fine`, or the name of the error. */
  readonly outcome: string;
  /** Codes of the reasons of a cancelled transaction. */
  readonly reasons?: readonly string[];
  /** The sentence that AWS answers with. */
  readonly message?: string | undefined;
  /** Why the case is not sent to DynamoDB Local: it differs from AWS. */
  readonly only?: string;
}

const TableName = "Club";
const put = (partition: string, more: Json = {}) => ({
  Put: { TableName, Item: { ...givenKey(partition), ...more } },
});
const check = (partition: string, ConditionExpression: string) => ({
  ConditionCheck: { TableName, Key: givenKey(partition), ConditionExpression },
});
const token = "0d3b6f10-6c4e-4a40-9a3b-1f5f0a3f0001";

/** In this order, on a table that begins empty. */
export const cases: readonly Case[] = [
  {
    name: "a put",
    operation: "PutItem",
    body: {
      TableName,
      Item: { ...givenKey("A"), n: { N: "1.0" }, s: { S: "" }, l: { L: [{ M: { x: { NULL: true } } }] } },
    },
    outcome: "fine",
  },
  {
    name: "an update whose condition fails, with the item as it is",
    operation: "UpdateItem",
    body: {
      TableName,
      Key: givenKey("A"),
      UpdateExpression: "SET n = :two",
      ConditionExpression: "n = :two",
      ExpressionAttributeValues: { ":two": { N: "2" } },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
    outcome: "ConditionalCheckFailedException",
  },
  {
    name: "a condition on lists and maps by value",
    operation: "UpdateItem",
    body: {
      TableName,
      Key: givenKey("A"),
      UpdateExpression: "SET m = :map",
      ConditionExpression: "l = :list",
      ExpressionAttributeValues: { ":list": { L: [{ M: { x: { NULL: true } } }] }, ":map": { M: { y: { N: "3" } } } },
      ReturnValues: "ALL_NEW",
    },
    outcome: "fine",
  },
  {
    name: "text ordered by its bytes",
    operation: "UpdateItem",
    body: {
      TableName,
      Key: givenKey("A"),
      UpdateExpression: "SET s = :text",
      ConditionExpression: ":emoji > :private AND size(s) = :none",
      ExpressionAttributeValues: {
        ":emoji": { S: "😀" },
        ":private": { S: "\uffee" },
        ":none": { N: "0" },
        ":text": { S: "é" },
      },
    },
    // Operands of a comparison must not both be values.
    outcome: "fine",
  },
  {
    name: "a transaction of every kind",
    operation: "TransactWriteItems",
    body: {
      TransactItems: [
        put("B", { GSI1PK: { S: "G" }, GSI1SK: { S: "1" } }),
        {
          Update: {
            TableName,
            Key: givenKey("A"),
            UpdateExpression: "ADD n :one",
            ExpressionAttributeValues: { ":one": { N: "1" } },
          },
        },
        { Delete: { TableName, Key: givenKey("C") } },
        check("D", "attribute_not_exists(PK)"),
      ],
      ClientRequestToken: token,
    },
    outcome: "fine",
  },
  {
    name: "the same transaction again",
    operation: "TransactWriteItems",
    body: {
      TransactItems: [
        put("B", { GSI1PK: { S: "G" }, GSI1SK: { S: "1" } }),
        {
          Update: {
            TableName,
            Key: givenKey("A"),
            UpdateExpression: "ADD n :one",
            ExpressionAttributeValues: { ":one": { N: "1" } },
          },
        },
        { Delete: { TableName, Key: givenKey("C") } },
        check("D", "attribute_not_exists(PK)"),
      ],
      ClientRequestToken: token,
    },
    outcome: "fine",
  },
  {
    name: "another transaction with the same token",
    operation: "TransactWriteItems",
    body: { TransactItems: [put("E")], ClientRequestToken: token },
    outcome: "IdempotentParameterMismatchException",
  },
  {
    name: "what the transactions left",
    operation: "BatchGetItem",
    body: { RequestItems: { [TableName]: { Keys: ["A", "B", "C", "D", "E"].map((one) => givenKey(one)) } } },
    outcome: "fine",
  },
  {
    name: "a transaction of which two conditions fail",
    operation: "TransactWriteItems",
    body: {
      TransactItems: [
        check("A", "attribute_not_exists(PK)"),
        put("F"),
        {
          Update: {
            TableName,
            Key: givenKey("B"),
            UpdateExpression: "SET n = :one",
            ConditionExpression: "n > :one",
            ExpressionAttributeValues: { ":one": { N: "1" } },
            ReturnValuesOnConditionCheckFailure: "ALL_OLD",
          },
        },
      ],
    },
    outcome: "TransactionCanceledException",
    reasons: ["ConditionalCheckFailed", "None", "ConditionalCheckFailed"],
  },
  {
    name: "a transaction with an update that cannot be made",
    operation: "TransactWriteItems",
    body: {
      TransactItems: [
        put("F"),
        {
          Update: {
            TableName,
            Key: givenKey("A"),
            UpdateExpression: "ADD s :one",
            ExpressionAttributeValues: { ":one": { N: "1" } },
          },
        },
      ],
    },
    outcome: "TransactionCanceledException",
    reasons: ["None", "ValidationError"],
  },
  {
    name: "nothing of the cancelled ones",
    operation: "GetItem",
    body: { TableName, Key: givenKey("F"), ConsistentRead: true },
    outcome: "fine",
  },
  {
    name: "two operations on one item",
    operation: "TransactWriteItems",
    body: { TransactItems: [put("G"), put("G")] },
    outcome: "ValidationException",
  },
  {
    name: "101 members",
    operation: "TransactWriteItems",
    body: { TransactItems: Array.from({ length: 101 }, (_, index) => put(`X${index}`)) },
    outcome: "ValidationException",
  },
  { name: "no members", operation: "TransactWriteItems", body: { TransactItems: [] }, outcome: "ValidationException" },
  {
    name: "a member of two kinds",
    operation: "TransactWriteItems",
    body: { TransactItems: [{ ...put("G"), ...check("G", "attribute_exists(PK)") }] },
    outcome: "ValidationException",
  },
  {
    name: "100 members",
    operation: "TransactWriteItems",
    body: { TransactItems: Array.from({ length: 100 }, (_, index) => put(`X${index}`)) },
    outcome: "fine",
  },
  {
    name: "more than 4 MB",
    operation: "TransactWriteItems",
    body: {
      TransactItems: Array.from({ length: 11 }, (_, index) => put(`Y${index}`, { s: { S: "x".repeat(390_000) } })),
    },
    outcome: "ValidationException",
  },
  {
    name: "an item of more than 400 KB",
    operation: "PutItem",
    body: { TableName, Item: { ...givenKey("H"), s: { S: "x".repeat(410_000) } } },
    outcome: "ValidationException",
  },
  {
    name: "a key of another type",
    operation: "PutItem",
    body: { TableName, Item: { PK: { N: "1" }, SK: { S: "META" } } },
    outcome: "ValidationException",
  },
  {
    name: "half a key",
    operation: "UpdateItem",
    body: { TableName, Key: { PK: { S: "A" } }, UpdateExpression: "REMOVE n" },
    outcome: "ValidationException",
  },
  {
    name: "an index key of another type",
    operation: "PutItem",
    body: { TableName, Item: { ...givenKey("H"), lb: { S: "L" }, points: { S: "many" } } },
    outcome: "ValidationException",
  },
  {
    name: "an unused value",
    operation: "UpdateItem",
    body: {
      TableName,
      Key: givenKey("A"),
      UpdateExpression: "REMOVE n",
      ExpressionAttributeValues: { ":x": { N: "1" } },
    },
    outcome: "ValidationException",
  },
  {
    name: "a key as part of an update",
    operation: "UpdateItem",
    body: {
      TableName,
      Key: givenKey("A"),
      UpdateExpression: "SET SK = :x",
      ExpressionAttributeValues: { ":x": { S: "other" } },
    },
    outcome: "ValidationException",
  },
  {
    name: "a table that does not exist",
    operation: "GetItem",
    body: { TableName: "Nowhere", Key: givenKey("A") },
    outcome: "ResourceNotFoundException",
  },
  {
    name: "a transactional read",
    operation: "TransactGetItems",
    body: {
      TransactItems: ["A", "nobody", "B"].map((partition) => ({
        Get: { TableName, Key: givenKey(partition), ProjectionExpression: "PK, n, m.y" },
      })),
    },
    outcome: "fine",
  },
  {
    name: "a batch",
    operation: "BatchWriteItem",
    body: {
      RequestItems: {
        [TableName]: [{ PutRequest: { Item: givenKey("I") } }, { DeleteRequest: { Key: givenKey("X0") } }],
      },
    },
    outcome: "fine",
  },
  {
    name: "a batch with an item twice",
    operation: "BatchWriteItem",
    body: {
      RequestItems: {
        [TableName]: [{ PutRequest: { Item: givenKey("I") } }, { DeleteRequest: { Key: givenKey("I") } }],
      },
    },
    outcome: "ValidationException",
  },
  {
    name: "a batch of 26",
    operation: "BatchWriteItem",
    body: {
      RequestItems: {
        [TableName]: Array.from({ length: 26 }, (_, index) => ({ PutRequest: { Item: givenKey(`Z${index}`) } })),
      },
    },
    outcome: "ValidationException",
  },
  {
    name: "expiry switched on",
    operation: "UpdateTimeToLive",
    body: { TableName, TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true } },
    outcome: "fine",
  },
  {
    name: "expiry switched on again",
    operation: "UpdateTimeToLive",
    body: { TableName, TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true } },
    outcome: "ValidationException",
  },
  { name: "expiry described", operation: "DescribeTimeToLive", body: { TableName }, outcome: "fine" },
  { name: "tables listed", operation: "ListTables", body: { Limit: 1 }, outcome: "fine" },
  {
    name: "an operation that does not exist",
    operation: "DropEverything",
    body: {},
    outcome: "UnknownOperationException",
  },
];
