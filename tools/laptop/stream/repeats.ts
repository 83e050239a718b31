/**
 * Replays: some batches of a lane are delivered again, as after a lost checkpoint. What follows the earlier position
 * is repeated in the same order.
 */
import type { StreamRecord } from "../dynamodb/index.ts";
import type { Disorder } from "../service-kit/disorder.ts";

/** Shards of a stream in disorder. */
export const shards = 4;

const sequenceOf = (record: StreamRecord | undefined): string => record?.dynamodb.SequenceNumber ?? "";

/** Draws the positions to which one lane goes back. A batch of repeated records never goes back. */
export class Repeats {
  readonly #disorder: Disorder;
  /** The last sequence number that was delivered. */
  #furthest = "";
  #later: string | undefined;

  constructor(disorder: Disorder) {
    this.#disorder = disorder;
  }

  /**
   * The position to go back to at once after a batch, if any.
   * @param before the batch began after this position
   */
  after(batch: readonly StreamRecord[], before: string): string | undefined {
    const firstNew = batch.findIndex((record) => sequenceOf(record) > this.#furthest);
    if (firstNew < 0) return undefined;
    this.#furthest = sequenceOf(batch.at(-1));
    if (!this.#disorder.repeats()) return undefined;
    const from = this.#disorder.either() ? firstNew : firstNew + this.#disorder.below(batch.length - firstNew);
    const position = from === 0 ? before : sequenceOf(batch[from - 1]);
    if (this.#disorder.either()) return position;
    this.#later ??= position;
    return undefined;
  }

  /** The position to go back to when there is nothing new, if any. It is returned once. */
  later(): string | undefined {
    const position = this.#later;
    this.#later = undefined;
    return position;
  }
}
