/** What a prize is, without I/O (`contract.md`, section 6). */
import type { Links, NewPrize, Prize, PrizeChanges } from "./schemas.ts";

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
  /** The request that made this version, so that its retry recognizes its own work. */
  readonly changedBy: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Who changes it, and when. */
export interface Occasion {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** @param spareId taken when none is given */
export const newPrize = ({ id, ...details }: NewPrize, spareId: string, { requestId, now }: Occasion): PrizeRecord => ({
  ...details,
  id: id ?? spareId,
  version: 1,
  changedBy: requestId,
  createdAt: now,
  updatedAt: now,
});

/** A prize with what is to be changed; `null` removes. */
export function changedPrize(prize: PrizeRecord, changes: PrizeChanges, { requestId, now }: Occasion): PrizeRecord {
  const { imageHash = prize.imageHash, links = prize.links, ...others } = changes;
  const { imageHash: _imageHash, links: _links, ...kept } = prize;
  return {
    ...kept,
    ...others,
    ...(imageHash != null && { imageHash }),
    ...(links != null && { links }),
    version: prize.version + 1,
    changedBy: requestId,
    updatedAt: now,
  };
}

/** A prize as admins see it. */
export const prizeAnswer = ({ version, changedBy, ...prize }: PrizeRecord): Prize => prize as Prize;
