/** PutItem, UpdateItem and DeleteItem. */
import { larger } from "./capacity.ts";
import { checkedStorageKey, type OperationName, type Validated, validated } from "./dynalite.ts";
import { writeItem } from "./item-write.ts";
import { assertReturnsOld, itemName } from "./members.ts";
import { partitionOf } from "./partitions.ts";
import { type AttributeMap, conditionFailure, failure, isConditionFailure, type RequestFailed } from "./protocol.ts";
import type { Answer } from "./reads.ts";
import type { Services } from "./services.ts";
import { throttling } from "./throughput.ts";
import { readItem } from "./views.ts";

export type WriteName = Extract<OperationName, "PutItem" | "UpdateItem" | "DeleteItem">;

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
    if (throughput.isUsedUp(partition)) throw throttling();
    if (conflicts.disturbsWrite(name)) throw failure(conflict, "Transaction is ongoing for the item");
    return conflicts.during([name], false, async () => {
      const { consumption, result: body } = await commits.commit(async (held) => {
        try {
          return await writeItem(single, held);
        } catch (error) {
          // A write whose condition fails costs as much as one that succeeds.
          if (isConditionFailure(error)) {
            throughput.spendOn(partition, larger(readItem(store, data.TableName, single.key), undefined));
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
}

const conflict = "TransactionConflictException";
