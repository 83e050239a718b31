/** Random sequences of operations on few items, so that they meet. */
import fc from "fast-check";
import { type Condition, condition, expressions, item, key, keyOf, partitions, update } from "./arbitraries.ts";
import type { Json } from "./protocol-client.ts";

export interface Step {
  readonly operation: string;
  readonly body: Json;
}

const returnsOld = fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: "ALL_OLD" });
const conditional = ({ ConditionExpression }: Condition) => (ConditionExpression ? { ConditionExpression } : {});

/** Put, Update, Delete or ConditionCheck of one item. */
const member = (TableName: string) =>
  key.chain((Key) =>
    fc.oneof(
      fc.record({ Item: item(Key), check: condition, old: returnsOld }).map(({ Item, check, old }) => ({
        Put: { TableName, Item, ...conditional(check), ...expressions(check), ...old },
      })),
      fc.record({ change: update(Key), check: condition, old: returnsOld }).map(({ change, check, old }) => ({
        Update: {
          TableName,
          Key: keyOf(Key),
          UpdateExpression: change.UpdateExpression,
          ...conditional(check),
          ...expressions(change, check),
          ...old,
        },
      })),
      fc.record({ check: condition, old: returnsOld }).map(({ check, old }) => ({
        Delete: { TableName, Key: keyOf(Key), ...conditional(check), ...expressions(check), ...old },
      })),
      fc.record({ check: condition, old: returnsOld }).map(({ check, old }) => ({
        ConditionCheck: {
          TableName,
          Key: keyOf(Key),
          ConditionExpression: check.ConditionExpression ?? "attribute_exists(SK)",
          ...expressions(check),
          ...old,
        },
      })),
    ),
  );

const capacity = fc.constantFrom({}, { ReturnConsumedCapacity: "TOTAL" }, { ReturnConsumedCapacity: "INDEXES" });
const operationNames: Readonly<Record<string, string>> = { Put: "PutItem", Update: "UpdateItem", Delete: "DeleteItem" };

/** The two engines disagree about the updated part of a map. */
function returnable(name: string, { UpdateExpression }: Json, wanted: string): string {
  if (wanted === "NONE") return wanted;
  if (name !== "Update") return "ALL_OLD";
  return /[.[]/.test(String(UpdateExpression)) ? "ALL_NEW" : wanted;
}

const single = (TableName: string) =>
  fc
    .record({
      one: member(TableName).filter((some) => !("ConditionCheck" in some)),
      returned: fc.constantFrom("NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"),
      more: capacity,
    })
    .map(({ one: some, returned, more }) => {
      const [[name, request]] = Object.entries(some as Record<string, Json>) as [[string, Json]];
      const ReturnValues = returnable(name, request, returned);
      return { operation: operationNames[name] as string, body: { ...request, ReturnValues, ...more } };
    });

const itemOf = (some: object): string => {
  const [{ Key, Item }] = Object.values(some) as [{ Key?: Json; Item?: Json }];
  const { PK, SK } = (Key ?? Item) as Json;
  return JSON.stringify([PK, SK]);
};

const transaction = (TableName: string) =>
  fc
    .record({
      members: fc.uniqueArray(member(TableName), { minLength: 1, maxLength: 4, selector: itemOf }),
      more: capacity,
    })
    .map(({ members, more }) => ({ operation: "TransactWriteItems", body: { TransactItems: members, ...more } }));

const projection = fc.constantFrom({}, { ProjectionExpression: "PK, SK, n, m.x, l[0]" });
const consistency = fc.constantFrom({}, { ConsistentRead: true });
const filter = condition.map((check) =>
  check.ConditionExpression?.includes("PK")
    ? { expression: {}, names: undefined, values: undefined }
    : {
        expression: check.ConditionExpression ? { FilterExpression: check.ConditionExpression } : {},
        names: check.names,
        values: check.values,
      },
);

const distinctKeys = fc.uniqueArray(key, { minLength: 1, maxLength: 4, selector: ({ PK, SK }) => PK + SK });

const reads = (TableName: string): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.tuple(key, projection, consistency, capacity).map(([Key, ...more]) => ({
      operation: "GetItem",
      body: Object.assign({ TableName, Key: keyOf(Key) }, ...more),
    })),
    fc
      .record({
        range: fc.constantFrom(
          { text: "" },
          { text: " AND SK > :r", values: { ":r": { S: "1" } } },
          { text: " AND begins_with(SK, :r)", values: { ":r": { S: "2" } } },
          { text: " AND SK BETWEEN :r AND :r2", values: { ":r": { S: "1" }, ":r2": { S: "2" } }, whole: true },
        ),
        forward: fc.boolean(),
        limit: fc.constantFrom({}, { Limit: 1 }, { Limit: 2 }),
        select: fc.constantFrom({}, { Select: "COUNT" }),
        filter,
        partition: fc.constantFrom(...partitions),
        consistency,
        capacity,
      })
      .map(({ range, forward, limit, select, filter: kept, partition, ...more }) => ({
        operation: "Query",
        body: {
          TableName,
          KeyConditionExpression: `PK = :p${range.text}`,
          ScanIndexForward: forward,
          // The two engines disagree whether a page that ends at the upper bound is the last one.
          ...("whole" in range ? {} : limit),
          ...select,
          ...kept.expression,
          ...expressions({ values: { ":p": { S: partition } } }, range, kept),
          ...more.consistency,
          ...more.capacity,
        },
      })),
    fc.record({ partition: fc.constantFrom("G", "H"), forward: fc.boolean(), filter, capacity }).map((some) => ({
      operation: "Query",
      body: {
        TableName,
        IndexName: "GSI1",
        KeyConditionExpression: "GSI1PK = :p",
        ScanIndexForward: some.forward,
        ...some.filter.expression,
        ...expressions({ values: { ":p": { S: some.partition } } }, some.filter),
        ...some.capacity,
      },
    })),
    fc.tuple(distinctKeys, capacity).map(([keys, more]) => ({
      operation: "BatchGetItem",
      body: { RequestItems: { [TableName]: { Keys: keys.map(keyOf) } }, ...more },
    })),
    fc.tuple(distinctKeys, projection, capacity).map(([keys, shown, more]) => ({
      operation: "TransactGetItems",
      body: { TransactItems: keys.map((Key) => ({ Get: { TableName, Key: keyOf(Key), ...shown } })), ...more },
    })),
  );

const batchWrite = (TableName: string): fc.Arbitrary<Step> =>
  fc
    .tuple(
      fc.array(
        key.chain((Key) =>
          fc.oneof(
            item(Key).map((Item) => ({ PutRequest: { Item } })),
            fc.constant({ DeleteRequest: { Key: keyOf(Key) } }),
          ),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      capacity,
    )
    .map(([writes, more]) => ({
      operation: "BatchWriteItem",
      body: { RequestItems: { [TableName]: writes }, ...more },
    }));

/** One operation on a table. */
export const step = (TableName: string): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 4, arbitrary: single(TableName) },
    { weight: 4, arbitrary: transaction(TableName) },
    { weight: 3, arbitrary: reads(TableName) },
    { weight: 1, arbitrary: batchWrite(TableName) },
  );
