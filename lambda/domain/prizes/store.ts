/** Keys and writes of prizes. All prizes are in one partition, because there are few. */

import { itemsOf, type Page, type PageRequest, queryPage } from "#kit/lists/pages.ts";
import { unedited } from "#kit/request/etag.ts";
import { deleteIf, getRecord, type Key, putIf, putNew, recordOf, type TransactItem } from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import type { PrizeRecord } from "./prize.ts";

export const prizeKey = (id: string): Key => keyOf("prize", { id });

export const readPrize = (id: string) => getRecord<PrizeRecord>(prizeKey(id), "strong");

/** Prizes, sorted by id. */
export async function pageOfPrizes({ limit, after }: PageRequest): Promise<Page<PrizeRecord>> {
  const page = await queryPage<PrizeRecord>(itemsOf(partitionOf("prize", {}), after), {
    limit,
    sortKeyOf: ({ id }) => id,
  });
  return { ...page, rows: page.rows.map(recordOf<PrizeRecord>) };
}

/** Refused when a prize has this id. */
export const putNewPrize = (prize: PrizeRecord): TransactItem => putNew({ ...prizeKey(prize.id), ...prize });

/** Replaces a prize. Refused when the prize has changed since it was read. */
export const replacePrize = (prize: PrizeRecord, read: PrizeRecord): TransactItem =>
  putIf({ ...prizeKey(prize.id), ...prize }, unedited(read));

/** Removes a prize. Refused when the prize has changed since it was read, or is gone. */
export const removeUneditedPrize = (read: PrizeRecord): TransactItem => deleteIf(prizeKey(read.id), unedited(read));

/** Removes this prize, idempotently. Refused when a newer prize has the same id. */
export const removePrize = ({ id, createdAt }: PrizeRecord): TransactItem =>
  deleteIf(prizeKey(id), {
    ConditionExpression: "attribute_not_exists(PK) OR createdAt = :createdAt",
    ExpressionAttributeValues: { ":createdAt": createdAt },
  });
