/** TransactWriteItems and TransactGetItems: all or nothing. */
import { Consumption } from "./capacity.ts";
import { satisfies } from "./condition.ts";
import { checkedStorageKey, project, type Store, type Validated, validated } from "./dynalite.ts";
import { itemSize } from "./item-size.ts";
import { writeItem } from "./item-write.ts";
import {
  assertCount,
  assertDistinct,
  claimedNames,
  itemName,
  type Member,
  maxTransactionBytes,
  membersOf,
  namesOf,
  tooLarge,
} from "./members.ts";
import {
  type AttributeMap,
  conditionFailure,
  isConditionFailure,
  RequestFailed,
  validationFailure,
} from "./protocol.ts";
import type { Answer } from "./reads.ts";
import type { Services } from "./services.ts";
import { RequestTokens } from "./tokens.ts";
import { type PendingStore, readItem } from "./views.ts";

/** Why a member keeps its transaction from being committed; `None` for those that do not. */
export interface CancellationReason {
  readonly Code: "None" | "ConditionalCheckFailed" | "TransactionConflict" | "ValidationError";
  readonly Message?: string;
  readonly Item?: AttributeMap;
}

const none: CancellationReason = { Code: "None" };

function cancelled(reasons: readonly CancellationReason[]): RequestFailed {
  const codes = reasons.map(({ Code }) => Code).join(", ");
  return new RequestFailed(400, {
    __type: "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  });
}

/** Transactions of one engine. */
export class Transactions {
  readonly #services: Services;
  readonly #tokens = new RequestTokens();

  constructor(services: Services) {
    this.#services = services;
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
    const { store, tables, conflicts, clock } = this.#services;
    const { ClientRequestToken: token, ReturnConsumedCapacity: wanted, TransactItems: items } = request;
    assertToken(token);
    if (this.#tokens.isRepeated(token, items, clock())) return this.#repeated(request);
    this.#assertUndisturbed(claimedNames(request, tables));
    const members = membersOf(request, store, tables);
    const names = namesOf(members);
    const consumption = await this.#tokens.during(token, items, clock(), () =>
      conflicts.during(names, true, () => this.#commit(members)),
    );
    const reported = consumption.report(wanted);
    return { body: reported ? { ConsumedCapacity: reported } : {}, consumption };
  }

  async #commit(members: readonly Member[]): Promise<Consumption> {
    const { store, commits } = this.#services;
    const { consumption, result: checks } = await commits.commit((held) => evaluate(members, held, store), {
      transactional: true,
    });
    for (const { table, item } of checks) consumption.addCheck(table, item);
    return consumption;
  }

  /** The success of a transaction that was committed before costs what reading its items costs. */
  #repeated(request: Record<string, unknown>): Answer {
    const { store, tables } = this.#services;
    const consumption = new Consumption("Read", true);
    for (const { table, storageKey } of membersOf(request, store, tables)) {
      consumption.addRead(table, [readItem(store, table, storageKey)], { consistent: true });
    }
    const reported = consumption.report(request.ReturnConsumedCapacity);
    return { body: reported ? { ConsumedCapacity: reported } : {}, consumption };
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
    const Responses = await commits.exclusively(async () =>
      reads.map(({ data, key }) => {
        const item = readItem(store, data.TableName, key);
        consumption.addRead(data.TableName, [item], { consistent: true });
        return item ? { Item: data._projection ? project(data._projection.paths, item) : item } : {};
      }),
    );
    const reported = consumption.report(wanted);
    return { body: reported ? { Responses, ConsumedCapacity: reported } : { Responses }, consumption };
  }
}

function assertToken(token: unknown): asserts token is string | undefined {
  if (token === undefined || (typeof token === "string" && token.length >= 1 && token.length <= 36)) return;
  throw validationFailure(
    "1 validation error detected: Value at 'clientRequestToken' failed to satisfy constraint: " +
      "Member must have length between 1 and 36",
  );
}

/** An item whose condition was checked. */
interface Check {
  readonly table: string;
  readonly item: AttributeMap | undefined;
}

/**
 * Evaluates every member against the items as they are now and collects what they write.
 * @throws RequestFailed TransactionCanceledException
 */
async function evaluate(members: readonly Member[], held: PendingStore, store: Store): Promise<Check[]> {
  const reasons: CancellationReason[] = [];
  const checks: Check[] = [];
  for (const member of members) {
    const item = readItem(store, member.table, member.storageKey);
    if (member.kind === "ConditionCheck") checks.push({ table: member.table, item });
    reasons.push(await apply(member, held, item));
  }
  if (reasons.some(({ Code }) => Code !== "None")) throw cancelled(reasons);
  const sizes = [...held.changes().map(({ after }) => after), ...checks.map(({ item }) => item)];
  if (sizes.reduce((sum, item) => sum + (item ? itemSize(item) : 0), 0) > maxTransactionBytes) throw tooLarge();
  return checks;
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
