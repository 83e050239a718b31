/** Keys, items and transaction members of codes. */

import type { EventKey } from "#domain/events/event.ts";
import { itemsOf, type Page, type PageRequest, queryItems, queryPage } from "#kit/lists/pages.ts";
import { ttlAfter } from "#kit/table/item.ts";
import {
  deleteIf,
  getRecord,
  type Key,
  putNew,
  recordOf,
  setting,
  type TransactItem,
  updateIf,
  writeIf,
} from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import type { CodeRecord } from "./code.ts";

/** A generation of an event. */
export interface CodesOf extends EventKey {
  readonly generation: string;
}

const codeKey = ({ id, year, generation }: CodesOf, code: string): Key =>
  keyOf("code of an event", { id, year, generation, code });

/** Strongly consistent. @param code its id */
export const readCode = (event: CodesOf, code: string): Promise<CodeRecord | undefined> =>
  getRecord<CodeRecord>(codeKey(event, code), "strong");

const partition = ({ id, year, generation }: CodesOf): string =>
  partitionOf("code of an event", { id, year, generation });

/** All codes of an event, strongly consistent. */
export const codesOf = (event: CodesOf) => queryItems<CodeRecord>(itemsOf(partition(event)));

/** The codes of an event, by id. */
export async function pageOfCodes(event: CodesOf, { limit, after }: PageRequest): Promise<Page<CodeRecord>> {
  const page = await queryPage<CodeRecord>(itemsOf(partition(event), after), { limit, sortKeyOf: ({ id }) => id });
  return { ...page, rows: page.rows.map(recordOf<CodeRecord>) };
}

/** Refused when the event has this code. */
export const putNewCode = (event: CodesOf, code: CodeRecord): TransactItem =>
  putNew({ ...codeKey(event, code.id), ...code });

/** What can change of a code, besides its uses. */
const changing = ["uses", "validFrom", "validUntil", "note", "endedAt", "version", "updatedAt"] as const;

/** Changes a code, also one that is used meanwhile. Refused when another change came first, or it is gone. */
export function changeCode(event: CodesOf, code: CodeRecord, read: CodeRecord): TransactItem {
  const set = setting(
    Object.fromEntries(changing.filter((name) => code[name] !== undefined).map((name) => [name, code[name]])),
  );
  const removed = changing.filter((name) => code[name] === undefined && read[name] !== undefined);
  return updateIf(codeKey(event, read.id), {
    UpdateExpression: `SET ${set.parts.join(", ")}${removed.length > 0 ? ` REMOVE ${removed.join(", ")}` : ""}`,
    ConditionExpression: "version = :read",
    ExpressionAttributeNames: set.names,
    ExpressionAttributeValues: { ...set.values, ":read": read.version },
  });
}

/** Removes a code that no registration uses. Refused when one does by now, or when it has changed. */
export const removeCode = (event: CodesOf, { id, version }: CodeRecord): TransactItem =>
  deleteIf(codeKey(event, id), {
    ConditionExpression: "version = :version AND used = :none",
    ExpressionAttributeValues: { ":version": version, ":none": 0 },
  });

/** Takes one of the uses. Refused when none is left, or the code has changed since it was read. */
export const takeUse = (event: CodesOf, { id, version }: CodeRecord): TransactItem =>
  updateIf(codeKey(event, id), {
    UpdateExpression: "ADD used :one",
    ConditionExpression: "version = :version AND used < uses",
    ExpressionAttributeValues: { ":one": 1, ":version": version },
  });

/** Gives one back. Never refused: no registration may be kept from ending. A code with uses is not removed. */
export const giveUseBack = (event: CodesOf, id: string): TransactItem =>
  updateIf(codeKey(event, id), { UpdateExpression: "ADD used :less", ExpressionAttributeValues: { ":less": -1 } });

/** Days for which codes outlive their event: its registrations still give their uses back. */
const daysKept = 30;

/** Lets the codes of a deleted event expire. @param now epoch milliseconds */
export async function expireCodes(event: CodesOf, now: number): Promise<void> {
  for await (const { PK, SK } of codesOf(event)) {
    await writeIf({
      Key: { PK, SK },
      UpdateExpression: "SET #ttl = :ttl",
      ConditionExpression: "attribute_exists(PK)",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: { ":ttl": ttlAfter(now, daysKept) },
    });
  }
}
