/** Reads by dynalite, with capacity as AWS counts it and filters that compare by value. */
import { Consumption } from "./capacity.ts";
import { satisfies } from "./condition.ts";
import {
  act,
  assertQueriedKeys,
  assertReadKeys,
  describedIn,
  type Expression,
  type OperationName,
  project,
  type Store,
  type Validated,
  validated,
} from "./dynalite.ts";
import { hashOf, partitionName, partitionOf } from "./partitions.ts";
import type { AttributeMap, AttributeValue } from "./protocol.ts";
import type { Services } from "./services.ts";
import { throttling } from "./throughput.ts";
import { reading } from "./views.ts";

/** An answer with its consumed capacity. */
export interface Answer {
  readonly body: Record<string, unknown>;
  readonly consumption?: Consumption;
}

/** A filter that every item passes: the real filter is applied here, after the read. */
const always: Expression = {
  type: "not",
  args: [{ type: "function", name: "attribute_exists", args: [["\u0000"]] }],
};

/** GetItem, BatchGetItem, Query, Scan and ListTables. @throws RequestFailed also when a partition key is used up */
export async function read(
  operation: OperationName,
  request: Record<string, unknown>,
  services: Pick<Services, "store" | "throughput">,
): Promise<Answer> {
  const { store, throughput } = services;
  const data = validated(operation, request, store);
  const { ReturnConsumedCapacity: wanted } = data;
  delete data.ReturnConsumedCapacity;
  if (operation === "BatchGetItem") return readBatch(data, services, wanted);
  if (operation === "GetItem") assertReadKeys(data, store);
  if (operation === "Query") assertQueriedKeys(data, store);
  const partition = partitionRead(operation, data, store);
  if (partition !== undefined && throughput.isUsedUp("Read", partition)) {
    throw throttling("table");
  }
  const filter = takeFilter(data);
  const view = reading(store);
  const [body] = await Promise.all([act(operation, view.store, data), view.pump()]);
  if (filter) filter(body);
  if (operation !== "GetItem" && operation !== "Query" && operation !== "Scan") return { body };
  const consumption = new Consumption("Read");
  const looked = view.read(data.TableName);
  const counted = operation === "GetItem" ? looked : looked.slice(0, body.ScannedCount as number);
  const index = data.IndexName as string | undefined;
  consumption.addRead(data.TableName, counted, { consistent: data.ConsistentRead === true, index, partition });
  throughput.spend(consumption);
  const [reported] = consumption.report(wanted) ?? [];
  return { body: reported ? { ...body, ConsumedCapacity: reported } : body, consumption };
}

/** The keys of one table in a BatchGetItem. */
interface KeysOfTable {
  readonly Keys: readonly AttributeMap[];
  readonly ConsistentRead?: boolean;
}

/** Keys whose partition is used up are left over. @throws RequestFailed when no key can be read */
async function readBatch(
  data: Validated,
  { store, throughput }: Pick<Services, "store" | "throughput">,
  wanted: unknown,
): Promise<Answer> {
  assertReadKeys(data, store);
  const requests = data.RequestItems as Record<string, KeysOfTable>;
  const nameOf = (table: string, key: AttributeMap): string => {
    const description = describedIn(store, table);
    return description ? partitionOf(key, description) : "";
  };
  const left: Record<string, KeysOfTable> = {};
  for (const [table, request] of Object.entries(requests)) {
    const isLeft = (key: AttributeMap) => throughput.isUsedUp("Read", nameOf(table, key));
    const Keys = request.Keys.filter(isLeft);
    if (Keys.length === 0) continue;
    left[table] = { ...request, Keys };
    requests[table] = { ...request, Keys: request.Keys.filter((key) => !isLeft(key)) };
    if (requests[table].Keys.length === 0) delete requests[table];
  }
  if (Object.keys(requests).length === 0) throw throttling("table");
  const view = reading(store);
  const [body] = await Promise.all([act("BatchGetItem", view.store, data), view.pump()]);
  const consumption = new Consumption("Read");
  for (const [table, { Keys, ConsistentRead = false }] of Object.entries(requests)) {
    view.read(table).forEach((item, i) => {
      const partition = nameOf(table, item ?? (Keys[i] as AttributeMap));
      consumption.addRead(table, [item], { consistent: ConsistentRead, partition });
    });
  }
  throughput.spend(consumption);
  const reported = consumption.report(wanted);
  const answered = Object.keys(left).length > 0 ? { ...body, UnprocessedKeys: left } : body;
  return { body: reported ? { ...answered, ConsumedCapacity: reported } : answered, consumption };
}

/** The partition that a read looks at; undefined for a scan, which looks at all. */
function partitionRead(operation: OperationName, data: Validated, store: Store): string | undefined {
  const table = describedIn(store, data.TableName);
  if (!table) return undefined;
  if (operation === "GetItem") return partitionOf(data.Key as AttributeMap, table);
  if (operation !== "Query") return undefined;
  const index = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === data.IndexName);
  const conditions = (data.KeyConditions ?? {}) as Record<string, { readonly AttributeValueList?: AttributeValue[] }>;
  const [value] = conditions[hashOf((index ?? table).KeySchema)]?.AttributeValueList ?? [];
  return partitionName(data.TableName, value, index?.IndexName);
}

/** Takes the filter out of a request, with the steps that come after it. */
function takeFilter(data: Validated): ((body: Record<string, unknown>) => void) | undefined {
  const { _filter, _projection, Select } = data;
  if (!_filter) return undefined;
  // dynalite still checks the names of the filter and of the projection.
  data._filter = { ..._filter, expression: always };
  if (_projection) data._projection = { ..._projection, paths: undefined };
  delete data.Select;
  return (body) => {
    const items = (body.Items as AttributeMap[]).filter((item) => satisfies(_filter.expression, item));
    body.Count = items.length;
    body.Items = _projection ? items.map((item) => project(_projection.paths, item)) : items;
    if (Select === "COUNT") delete body.Items;
  };
}
