/** The record of a prize and the rules for its changes (`docs/contract.md`, "Prizes"). Pure. */

/** Web addresses of pages about the prize: a list, or addresses by name. */
export type Links = readonly string[] | Readonly<Record<string, string>>;

/** The fields that an admin sends for a new prize. */
export interface NewPrize {
  /** Absent: the service generates one. */
  readonly id?: string;
  readonly name: string;
  /** In points. */
  readonly price: number;
  readonly imageHash?: string;
  readonly links?: Links;
}

/** The fields that a PATCH may change. `null` removes a field. */
export interface PrizeChanges {
  readonly name?: string;
  readonly price?: number;
  readonly imageHash?: string | null;
  readonly links?: Links | null;
}

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
 * @param spareId the id of a prize for which the admin sends none
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
 * A prize after a change.
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
