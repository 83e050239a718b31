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
const member = (TableName: string, kinds = ["Put", "Update", "Delete", "ConditionCheck"]) =>
  key.chain((given) =>
    fc
      .record({
        kind: fc.constantFrom(...kinds),
        Item: item(given),
        change: update(given),
        check: condition,
        old: returnsOld,
      })
      .map(({ kind, Item, change, check, old }): Json => {
        const { UpdateExpression } = change;
        const Key = keyOf(given);
        const checks = { ConditionExpression: "attribute_exists(SK)", ...conditional(check) };
        const written: Json = {
          Put: { Item, ...conditional(check) },
          Update: { Key, UpdateExpression, ...conditional(check) },
          Delete: { Key, ...conditional(check) },
          ConditionCheck: { Key, ...checks },
        };
        const used = kind === "Update" ? [change, check] : [check];
        return { [kind]: { TableName, ...(written[kind] as Json), ...expressions(...used), ...old } };
      }),
  );

const operationNames: Readonly<Record<string, string>> = { Put: "PutItem", Update: "UpdateItem", Delete: "DeleteItem" };

/** The two engines disagree about the updated part of a map. */
function returnable(name: string, { UpdateExpression }: Json, wanted: string): string {
  if (wanted === "NONE") return wanted;
  if (name !== "Update") return "ALL_OLD";
  return /[.[]/.test(String(UpdateExpression)) ? "ALL_NEW" : wanted;
}

const single = (TableName: string) =>
  fc
    .tuple(
      member(TableName, Object.keys(operationNames)),
      fc.constantFrom("NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"),
    )
    .map(([some, returned]): Step => {
      const [[name, request]] = Object.entries(some) as [[string, Json]];
      const ReturnValues = returnable(name, request, returned);
      return { operation: operationNames[name] as string, body: { ...request, ReturnValues } };
    });

const itemOf = (some: Json): string => {
  const [{ Key, Item }] = Object.values(some) as [{ Key?: Json; Item?: Json }];
  const { PK, SK } = (Key ?? Item) as Json;
  return JSON.stringify([PK, SK]);
};

const transaction = (TableName: string) =>
  fc
    .uniqueArray(member(TableName), { minLength: 1, maxLength: 4, selector: itemOf })
    .map((TransactItems): Step => ({ operation: "TransactWriteItems", body: { TransactItems } }));

const projection = fc.constantFrom({}, { ProjectionExpression: "PK, SK, n, m.x, l[0]" });
const consistency = fc.constantFrom({}, { ConsistentRead: true });
const filter = condition.filter((check) => !check.ConditionExpression?.includes("PK"));
const filtering = ({ ConditionExpression }: Condition) =>
  ConditionExpression ? { FilterExpression: ConditionExpression } : {};

const distinctKeys = fc.uniqueArray(key, { minLength: 1, maxLength: 4, selector: ({ PK, SK }) => PK + SK });

const ranges = fc.constantFrom(
  { text: "" },
  { text: " AND SK > :r", values: { ":r": { S: "1" } } },
  { text: " AND begins_with(SK, :r)", values: { ":r": { S: "2" } } },
  { text: " AND SK BETWEEN :r AND :r2", values: { ":r": { S: "1" }, ":r2": { S: "2" } }, whole: true },
);

const reads = (TableName: string): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.tuple(key, projection, consistency).map(([Key, ...more]) => ({
      operation: "GetItem",
      body: Object.assign({ TableName, Key: keyOf(Key) }, ...more),
    })),
    fc
      .record({
        range: ranges,
        ScanIndexForward: fc.boolean(),
        limit: fc.constantFrom({}, { Limit: 1 }, { Limit: 2 }),
        select: fc.constantFrom({}, { Select: "COUNT" }),
        filter,
        partition: fc.constantFrom(...partitions),
        consistency,
      })
      .map(({ range, ScanIndexForward, limit, select, filter: kept, partition, consistency: strong }) => ({
        operation: "Query",
        body: {
          TableName,
          KeyConditionExpression: `PK = :p${range.text}`,
          ScanIndexForward,
          // The two engines disagree whether a page that ends at the upper bound is the last one.
          ...("whole" in range ? {} : limit),
          ...select,
          ...filtering(kept),
          ...expressions({ values: { ":p": { S: partition } } }, range, kept),
          ...strong,
        },
      })),
    fc.tuple(fc.constantFrom("G", "H"), fc.boolean(), filter).map(([partition, ScanIndexForward, kept]) => ({
      operation: "Query",
      body: {
        TableName,
        IndexName: "GSI1",
        KeyConditionExpression: "GSI1PK = :p",
        ScanIndexForward,
        ...filtering(kept),
        ...expressions({ values: { ":p": { S: partition } } }, kept),
      },
    })),
    distinctKeys.map((keys) => ({
      operation: "BatchGetItem",
      body: { RequestItems: { [TableName]: { Keys: keys.map(keyOf) } } },
    })),
    fc.tuple(distinctKeys, projection).map(([keys, shown]) => ({
      operation: "TransactGetItems",
      body: { TransactItems: keys.map((Key) => ({ Get: { TableName, Key: keyOf(Key), ...shown } })) },
    })),
  );

/** One operation on a table. */
export const step = (TableName: string): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 4, arbitrary: single(TableName) },
    { weight: 4, arbitrary: transaction(TableName) },
    { weight: 3, arbitrary: reads(TableName) },
  );
