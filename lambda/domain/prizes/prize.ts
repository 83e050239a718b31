/** The record of a prize and the rules for its changes (`docs/contract.md`, "Prizes"). Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Edited } from "#kit/request/etag.ts";

/** URLs of pages about the prize: a list, or by name. */
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
export interface PrizeRecord extends NewPrize, Edited {
  readonly id: string;
  readonly generation: string;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

/**
 * @param generation a new ULID, also the default for the prize's id
 * @param now epoch milliseconds
 */
export const newPrize = ({ id, ...details }: NewPrize, generation: string, now: number): PrizeRecord => ({
  ...details,
  id: id ?? generation,
  generation,
  version: 1,
  createdAt: now,
  updatedAt: now,
});

/**
 * A prize after a change; the same prize when nothing changes.
 * @param now epoch milliseconds
 */
export function changedPrize(prize: PrizeRecord, changes: PrizeChanges, now: number): PrizeRecord {
  const { imageHash = prize.imageHash, links = prize.links, ...others } = changes;
  const { imageHash: _imageHash, links: _links, ...kept } = prize;
  const changed = {
    ...kept,
    ...others,
    ...(imageHash != null && { imageHash }),
    ...(links != null && { links }),
  };
  return isDeepStrictEqual(changed, prize) ? prize : { ...changed, version: prize.version + 1, updatedAt: now };
}
