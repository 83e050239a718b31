/** What a prize is, without I/O (`contract.md`, section 6). */

/** Where a prize can be seen or collected: addresses, or addresses by what they lead to. */
export type Links = readonly string[] | Readonly<Record<string, string>>;

/** What an admin says of a new prize. */
export interface NewPrize {
  /** Absent: the service makes one. */
  readonly id?: string;
  readonly name: string;
  /** In points. */
  readonly price: number;
  readonly imageHash?: string;
  readonly links?: Links;
}

/** What a PATCH may change; `null` removes a field. */
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
