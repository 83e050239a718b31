/** PutItem, UpdateItem, DeleteItem and BatchWriteItem. */
import { Consumption, indexWrites, larger } from "./capacity.ts";
import { checkedStorageKey, type OperationName, type Validated, validated } from "./dynalite.ts";
import { writeItem } from "./item-write.ts";
import { assertReturnsOld, itemName } from "./members.ts";
import { partitionOf } from "./partitions.ts";
import {
  type AttributeMap,
  conditionFailure,
  failure,
  isConditionFailure,
  type RequestFailed,
  validationFailure,
} from "./protocol.ts";
import type { Answer } from "./reads.ts";
import type { Services } from "./services.ts";
import { isThrottling, throttling } from "./throughput.ts";
import { type ItemChange, readItem } from "./views.ts";

export type WriteName = Extract<OperationName, "PutItem" | "UpdateItem" | "DeleteItem">;

const maxBatch = 25;

interface SingleWrite {
  readonly operation: WriteName;
  readonly data: Validated;
  readonly key: string;
}

/** Writes outside transactions. */
export class Writes {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  #checked(operation: WriteName, request: object): SingleWrite {
    const { store, tables } = this.#services;
    const data = validated(operation, request, store);
    return { operation, data, key: checkedStorageKey(data, tables.get(data.TableName)) };
  }

  /**
   * @throws RequestFailed ConditionalCheckFailedException ThrottlingException TransactionConflictException
   *   ValidationException
   */
  async one(operation: WriteName, request: Record<string, unknown>): Promise<Answer> {
    const { ReturnValuesOnConditionCheckFailure: old, ...raw } = request;
    assertReturnsOld(old);
    const single = this.#checked(operation, raw);
    const { ReturnConsumedCapacity: wanted } = single.data;
    // The capacity is counted here, with the indexes.
    delete single.data.ReturnConsumedCapacity;
    const { consumption, body } = await this.#commit(single, old === "ALL_OLD");
    const { Attributes } = body;
    if (Attributes && Object.keys(Attributes).length === 0) delete body.Attributes;
    const [reported] = consumption.report(wanted) ?? [];
    return { body: reported ? { ...body, ConsumedCapacity: reported } : body, consumption };
  }

  async #commit(single: SingleWrite, wantsOld: boolean) {
    const { commits, conflicts, tables, throughput, store } = this.#services;
    const { data } = single;
    const name = itemName(data.TableName, single.key);
    const partition = partitionOf((data.Key ?? data.Item) as AttributeMap, tables.get(data.TableName));
    if (throughput.isUsedUp("Write", partition)) throw throttling("table");
    if (conflicts.disturbsWrite(name)) throw failure(conflict, "Transaction is ongoing for the item");
    return conflicts.during([name], false, async () => {
      const { consumption, result: body } = await commits.commit(async (held) => {
        try {
          const body = await writeItem(single, held);
          if (held.changes().some((change) => hasUsedUpIndex(change, this.#services))) throw throttling("index");
          return body;
        } catch (error) {
          // A write whose condition fails costs as much as one that succeeds.
          if (isConditionFailure(error)) {
            throughput.spendOn("Write", partition, larger(readItem(store, data.TableName, single.key), undefined));
          }
          throw wantsOld && isConditionFailure(error) ? this.#withItem(error, single) : error;
        }
      });
      throughput.spend(consumption);
      return { consumption, body };
    });
  }

  #withItem(error: RequestFailed, { data, key }: SingleWrite): RequestFailed {
    const item = readItem(this.#services.store, data.TableName, key);
    return item ? conditionFailure({ Item: item }) : error;
  }

  /**
   * Each write is committed on its own. Writes that meet a transaction or a partition key that is used up are returned
   * as unprocessed. @throws RequestFailed ThrottlingException when all are throttled
   */
  async batch(request: Record<string, unknown>): Promise<Answer> {
    const data = validated("BatchWriteItem", request, this.#services.store);
    const requests = Object.entries(data.RequestItems as Record<string, BatchMember[]>).flatMap(([table, members]) =>
      members.map((member) => ({ table, member, single: this.#member(table, member) })),
    );
    if (requests.length > maxBatch) throw validationFailure("Too many items requested for the BatchWriteItem call");
    const names = requests.map(({ table, single }) => itemName(table, single.key));
    if (new Set(names).size < names.length) {
      throw validationFailure("Provided list of item keys contains duplicates");
    }
    const consumption = new Consumption("Write");
    const UnprocessedItems: Record<string, BatchMember[]> = {};
    let throttledMembers = 0;
    await Promise.all(
      requests.map(async ({ table, member, single }) => {
        try {
          consumption.include((await this.#commit(single, false)).consumption);
        } catch (error) {
          const isThrottled = isThrottling(error);
          if (!isThrottled && !isConflict(error)) throw error;
          if (isThrottled) throttledMembers += 1;
          UnprocessedItems[table] = [...(UnprocessedItems[table] ?? []), member];
        }
      }),
    );
    if (throttledMembers === requests.length) throw throttling("table");
    const reported = consumption.report(data.ReturnConsumedCapacity);
    return {
      body: reported ? { UnprocessedItems, ConsumedCapacity: reported } : { UnprocessedItems },
      consumption,
    };
  }

  #member(TableName: string, { PutRequest, DeleteRequest }: BatchMember): SingleWrite {
    if (PutRequest && DeleteRequest) {
      throw validationFailure("Supplied write request must contain exactly one of PutRequest and DeleteRequest");
    }
    return PutRequest
      ? this.#checked("PutItem", { TableName, Item: PutRequest.Item })
      : this.#checked("DeleteItem", { TableName, Key: DeleteRequest?.Key });
  }
}

interface BatchMember {
  readonly PutRequest?: { readonly Item: unknown };
  readonly DeleteRequest?: { readonly Key: unknown };
}

const conflict = "TransactionConflictException";
const isConflict = (error: unknown): boolean =>
  String((error as Partial<RequestFailed>).body?.__type).endsWith(`#${conflict}`);

/** Whether a change writes an index at a partition key that is used up. The table's write is throttled then. */
export const hasUsedUpIndex = (change: ItemChange, { tables, throughput }: Services): boolean =>
  throughput.isLimited &&
  indexWrites(change, tables.get(change.table)).some(({ partition }) => throughput.isUsedUp("Write", partition));
