/** What a prize is, without I/O (`contract.md`, section 6). */
import type { Links, NewPrize, Prize, PrizeChanges } from "#api/prizes/schemas.ts";

/** A prize as stored. */
export interface PrizeRecord {
  readonly id: string;
  readonly name: string;
  /** In points. */
  readonly price: number;
  readonly imageHash?: string;
  readonly links?: Links;
  /** Counts the writes, from 1. */
  readonly version: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * @param spareId taken when none is given
 * @param now epoch milliseconds
 */
export const newPrize = ({ id, ...details }: NewPrize, spareId: string, now: number): PrizeRecord => ({
  ...details,
  id: id ?? spareId,
  version: 1,
  createdAt: now,
  updatedAt: now,
});

/**
 * A prize with what is to be changed; `null` removes.
 * @param now epoch milliseconds
 */
export function changedPrize(prize: PrizeRecord, changes: PrizeChanges, now: number): PrizeRecord {
  const { imageHash = prize.imageHash, links = prize.links, ...others } = changes;
  const { imageHash: _imageHash, links: _links, ...kept } = prize;
  return {
    ...kept,
    ...others,
    ...(imageHash != null && { imageHash }),
    ...(links != null && { links }),
    version: prize.version + 1,
    updatedAt: now,
  };
}

/** A prize as admins see it. */
export const prizeAnswer = ({ version, ...prize }: PrizeRecord): Prize => prize as Prize;
