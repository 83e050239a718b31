/** Reads by dynalite, with capacity as AWS counts it and filters that compare by value. */
import { Consumption } from "./capacity.ts";
import { satisfies } from "./condition.ts";
import {
  act,
  assertQueriedKeys,
  assertReadKeys,
  type Expression,
  type OperationName,
  project,
  type Store,
  type Validated,
  validated,
} from "./dynalite.ts";
import type { AttributeMap } from "./protocol.ts";
import { reading } from "./views.ts";

/** An answer with its consumed capacity. */
export interface Answer {
  readonly body: Record<string, unknown>;
  readonly consumption: Consumption;
}

/** A filter that every item passes: the real filter is applied here, after the read. */
const always: Expression = {
  type: "not",
  args: [{ type: "function", name: "attribute_exists", args: [["\u0000"]] }],
};

/** GetItem, BatchGetItem, Query and Scan. @throws RequestFailed */
export async function read(operation: OperationName, request: Record<string, unknown>, store: Store): Promise<Answer> {
  const data = validated(operation, request, store);
  const { ReturnConsumedCapacity: wanted } = data;
  delete data.ReturnConsumedCapacity;
  if (operation === "BatchGetItem") return readBatch(data, store, wanted);
  if (operation === "GetItem") assertReadKeys(data, store);
  if (operation === "Query") assertQueriedKeys(data, store);
  const filter = takeFilter(data);
  const view = reading(store);
  const [body] = await Promise.all([act(operation, view.store, data), view.pump()]);
  if (filter) filter(body);
  const consumption = new Consumption("Read");
  const looked = view.read(data.TableName);
  const counted = operation === "GetItem" ? looked : looked.slice(0, body.ScannedCount as number);
  consumption.addRead(data.TableName, counted, data.ConsistentRead === true);
  const [reported] = consumption.report(wanted) ?? [];
  return { body: reported ? { ...body, ConsumedCapacity: reported } : body, consumption };
}

/** The request for one table in a BatchGetItem. */
interface RequestOfTable {
  readonly ConsistentRead?: boolean;
}

async function readBatch(data: Validated, store: Store, wanted: unknown): Promise<Answer> {
  assertReadKeys(data, store);
  const view = reading(store);
  const [body] = await Promise.all([act("BatchGetItem", view.store, data), view.pump()]);
  const consumption = new Consumption("Read");
  for (const [table, { ConsistentRead = false }] of Object.entries(
    data.RequestItems as Record<string, RequestOfTable>,
  )) {
    for (const item of view.read(table)) consumption.addRead(table, [item], ConsistentRead);
  }
  const reported = consumption.report(wanted);
  return { body: reported ? { ...body, ConsumedCapacity: reported } : body, consumption };
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
