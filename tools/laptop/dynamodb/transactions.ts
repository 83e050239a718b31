/** TransactWriteItems and TransactGetItems: all or nothing. */
import { Consumption, larger } from "./capacity.ts";
import { satisfies } from "./condition.ts";
import { checkedStorageKey, project, type Validated, validated } from "./dynalite.ts";
import { itemSize } from "./item-size.ts";
import { writeItem } from "./item-write.ts";
import {
  assertCount,
  assertDistinct,
  claimedNames,
  constraint,
  itemName,
  type Member,
  maxTransactionBytes,
  membersOf,
  namesOf,
  tooLarge,
} from "./members.ts";
import { partitionOf } from "./partitions.ts";
import { type AttributeMap, conditionFailure, isConditionFailure, RequestFailed, unreadable } from "./protocol.ts";
import type { Answer } from "./reads.ts";
import type { Services } from "./services.ts";
import { throttledMember } from "./throughput.ts";
import { RequestTokens } from "./tokens.ts";
import { type PendingStore, readItem } from "./views.ts";

/** The reason of one member for the cancellation; `None` for a member that could be committed. */
export interface CancellationReason {
  readonly Code: "None" | "ConditionalCheckFailed" | "ThrottlingError" | "TransactionConflict" | "ValidationError";
  readonly Message?: string;
  readonly Item?: AttributeMap;
}

const maxTokenLength = 36;
const none: CancellationReason = { Code: "None" };

function cancelled(reasons: readonly CancellationReason[]): RequestFailed {
  const codes = reasons.map(({ Code }) => Code).join(", ");
  return new RequestFailed(400, {
    __type: "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  });
}

/** An answer with the consumed capacity, where it is wanted. */
function answer(consumption: Consumption, wanted: unknown, body: Record<string, unknown> = {}): Answer {
  const reported = consumption.report(wanted);
  return { body: reported ? { ...body, ConsumedCapacity: reported } : body, consumption };
}

/** Transactions of one engine. */
export class Transactions {
  readonly #services: Services;
  readonly #tokens: RequestTokens;

  constructor(services: Services) {
    this.#services = services;
    this.#tokens = new RequestTokens(services.clock);
  }

  /** @throws RequestFailed TransactionCanceledException when another write occupies one of the items */
  #assertUndisturbed(names: readonly string[]): void {
    const { conflicts } = this.#services;
    const disturbed = names.map((name) => conflicts.disturbsTransaction(name));
    if (!disturbed.includes(true)) return;
    const conflict: CancellationReason = {
      Code: "TransactionConflict",
      Message: "Transaction is ongoing for the item",
    };
    throw cancelled(disturbed.map((yes) => (yes ? conflict : none)));
  }

  async write(request: Record<string, unknown>): Promise<Answer> {
    const { store, tables, conflicts } = this.#services;
    const { ReturnConsumedCapacity: wanted, TransactItems: items } = request;
    const token = tokenOf(request);
    if (this.#tokens.isRepeated(token, items)) return this.#repeated(request);
    this.#assertUndisturbed(claimedNames(request, tables));
    const members = membersOf(request, store, tables);
    assertFitting(members);
    const names = namesOf(members);
    const consumption = await this.#tokens.during(token, items, () =>
      conflicts.during(names, true, () => this.#commit(members)),
    );
    return answer(consumption, wanted);
  }

  async #commit(members: readonly Member[]): Promise<Consumption> {
    const { commits, throughput } = this.#services;
    const { consumption, result: checks } = await commits.commit((held) => evaluate(members, held, this.#services), {
      transactional: true,
    });
    for (const { table, item, partition } of checks) consumption.addCheck(table, item, partition);
    throughput.spend(consumption);
    return consumption;
  }

  /** The answer to a repeated transaction that was committed before; it costs the capacity of reading the items. */
  #repeated(request: Record<string, unknown>): Answer {
    const { store, tables } = this.#services;
    const consumption = new Consumption("Read", true);
    for (const { table, storageKey } of membersOf(request, store, tables)) {
      consumption.addRead(table, [readItem(store, table, storageKey)], true);
    }
    return answer(consumption, request.ReturnConsumedCapacity);
  }

  async get(request: Record<string, unknown>): Promise<Answer> {
    const { store, tables, commits } = this.#services;
    const { TransactItems: items, ReturnConsumedCapacity: wanted } = request;
    assertCount(items);
    const reads = items.map((item) => {
      const data = validated("GetItem", (item as { Get?: object } | null)?.Get ?? {}, store);
      return { data, key: checkedStorageKey(data, tables.get(data.TableName)) };
    });
    const names = reads.map(({ data, key }) => itemName(data.TableName, key));
    assertDistinct(names);
    this.#assertUndisturbed(names);
    const consumption = new Consumption("Read", true);
    const Responses = await commits.exclusively(async () => {
      const found = reads.map(({ key, ...one }) => ({ ...one, item: readItem(store, one.data.TableName, key) }));
      assertTogether(found.map(({ item }) => item));
      return found.map(({ data, item }) => {
        consumption.addRead(data.TableName, [item], true);
        return item ? { Item: data._projection ? project(data._projection.paths, item) : item } : {};
      });
    });
    return answer(consumption, wanted, { Responses });
  }
}

/** @throws RequestFailed ValidationException the token is longer than AWS allows */
function tokenOf({ ClientRequestToken: token }: Record<string, unknown>): string | undefined {
  if (token === undefined || token === null) return undefined;
  if (typeof token !== "string") throw unreadable("The ClientRequestToken must be text");
  if (token.length <= maxTokenLength) return token;
  throw constraint("ClientRequestToken", `Member must have length less than or equal to ${maxTokenLength}`);
}

/** @throws RequestFailed TransactionCanceledException when a member's key does not fit the table or an index */
function assertFitting(members: readonly Member[]): void {
  if (members.every(({ misfit }) => misfit === undefined)) return;
  throw cancelled(members.map(({ misfit }) => (misfit ? { Code: "ValidationError", Message: misfit } : none)));
}

/** An item whose condition was checked. */
interface Check {
  readonly table: string;
  readonly item: AttributeMap | undefined;
  readonly partition: string;
}

/**
 * Evaluates every member against the present items and collects the writes.
 * @throws RequestFailed TransactionCanceledException
 */
async function evaluate(members: readonly Member[], held: PendingStore, services: Services): Promise<Check[]> {
  const { store, tables, throughput } = services;
  const reasons: CancellationReason[] = [];
  const checks: Check[] = [];
  const spent: (() => void)[] = [];
  for (const member of members) {
    const partition = partitionOf((member.data.Key ?? member.data.Item) as AttributeMap, tables.get(member.table));
    if (throughput.isUsedUp(partition)) {
      reasons.push(throttledMember);
      continue;
    }
    const item = readItem(store, member.table, member.storageKey);
    if (member.kind === "ConditionCheck") checks.push({ table: member.table, item, partition });
    spent.push(() => throughput.spendOn(partition, larger(item, undefined)));
    reasons.push(await apply(member, held, item));
  }
  if (reasons.some(({ Code }) => Code !== "None")) {
    // A refused member costs the write that prepares it, as a refused single write does.
    for (const spend of spent) spend();
    throw cancelled(reasons);
  }
  assertTogether([...held.changes().map(({ after }) => after), ...checks.map(({ item }) => item)]);
  return checks;
}

/**
 * "The aggregate size of the items in the transaction cannot exceed 4 MB". AWS counts the items as they are stored;
 * DynamoDB Local counts the sent values.
 * @throws RequestFailed ValidationException
 */
function assertTogether(items: readonly (AttributeMap | undefined)[]): void {
  const bytes = items.reduce((sum, item) => sum + (item ? itemSize(item) : 0), 0);
  if (bytes > maxTransactionBytes) throw tooLarge();
}

async function apply(member: Member, held: PendingStore, item: AttributeMap | undefined): Promise<CancellationReason> {
  try {
    if (member.kind === "ConditionCheck") assertCondition(member.data, item);
    else await writeItem(member, held);
    return none;
  } catch (error) {
    if (isConditionFailure(error)) {
      return {
        Code: "ConditionalCheckFailed",
        Message: error.message,
        ...(member.wantsOld && item && { Item: item }),
      };
    }
    if (error instanceof RequestFailed) return { Code: "ValidationError", Message: error.message };
    throw error;
  }
}

function assertCondition({ _condition }: Validated, item: AttributeMap | undefined): void {
  if (_condition && !satisfies(_condition.expression, item)) throw conditionFailure();
}
