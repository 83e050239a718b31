/**
 * Makes repairs safe under live traffic: the transaction is conditional on all items that the decision depends on being
 * unchanged.
 */
import { seam } from "#kit/seam.ts";
import { type Item, type Key, type TransactItem, type Transaction, tableName } from "#kit/table/table.ts";
import { isOfKind } from "#outbox/stored-kinds.ts";
import { isRegistration } from "./invariants/as-read.ts";
import { keyText } from "./invariants/finding.ts";
import type { Look } from "./invariants/walk.ts";

interface Demand {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Fields that identify a state of a record. They are sufficient for a record that counts its writes. */
const identity = ["version", "generation"];
/** Every registration writes the seats. Repairs of other items depend only on these two fields. */
const ofSeats = ["generation", "state"];

/** A registration's version continues when the person registers again. Its generation is not a separate attribute. */
const ofRegistration = ["version"];

const fieldsOf = (item: Item): readonly string[] => {
  if (isOfKind("seats", item)) return ofSeats;
  if (isRegistration(item)) return ofRegistration;
  return typeof item.version === "number" ? identity : Object.keys(item);
};

/** @param at makes the placeholders unique */
function asRead(item: Item | undefined, at: number): Demand {
  if (!item) return { expression: "attribute_not_exists(PK)", names: {}, values: {} };
  const fields = fieldsOf(item).filter((name) => item[name] !== undefined && name !== "PK" && name !== "SK");
  return {
    expression: ["attribute_exists(PK)", ...fields.map((_, index) => `#g${at}n${index} = :g${at}v${index}`)].join(
      " AND ",
    ),
    names: Object.fromEntries(fields.map((name, index) => [`#g${at}n${index}`, name])),
    values: Object.fromEntries(fields.map((name, index) => [`:g${at}v${index}`, item[name]])),
  };
}

/** The key that a member writes. */
const keyOf = (member: TransactItem): Key | undefined => {
  const { Key: key, Item: item } = (member.Put ?? member.Update ?? member.Delete ?? member.ConditionCheck ?? {}) as {
    readonly Key?: Key;
    readonly Item?: Key;
  };
  return key ?? item;
};

function demanding(member: TransactItem, { expression, names, values }: Demand): TransactItem {
  const [[kind, write] = ["", {}]] = Object.entries(member) as [string, Record<string, unknown>][];
  const own = write.ConditionExpression as string | undefined;
  const allNames = { ...(write.ExpressionAttributeNames as object | undefined), ...names };
  const allValues = { ...(write.ExpressionAttributeValues as object | undefined), ...values };
  return {
    [kind]: {
      ...write,
      ConditionExpression: own === undefined ? expression : `(${own}) AND (${expression})`,
      ...(Object.keys(allNames).length > 0 && { ExpressionAttributeNames: allNames }),
      ...(Object.keys(allValues).length > 0 && { ExpressionAttributeValues: allValues }),
    },
  } as TransactItem;
}

/** Adds the condition that the item and all related ones are unchanged. */
export function guarded(members: Transaction, { item, related, facts }: Pick<Look, "item" | "related" | "facts">) {
  if (!seam.requiresUnchanged()) return members;
  const read = new Map<string, { readonly key: Key; readonly item: Item | undefined }>();
  for (const key of related) read.set(keyText(key), { key, item: facts.find(key) });
  read.set(keyText(item), { key: item, item });
  const all: Record<string, TransactItem> = {};
  for (const [index, [name, member]] of Object.entries(members).entries()) {
    if (!member) continue;
    const key = keyOf(member);
    const known = key && read.get(keyText(key));
    if (key) read.delete(keyText(key));
    all[name] = known ? demanding(member, asRead(known.item, index)) : member;
  }
  for (const [index, { key, item: one }] of [...read.values()].entries()) {
    const { expression, names, values } = asRead(one, Object.keys(members).length + index);
    all[`as read ${index}`] = {
      ConditionCheck: {
        TableName: tableName,
        Key: { PK: key.PK, SK: key.SK },
        ConditionExpression: expression,
        ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      },
    };
  }
  return all;
}
