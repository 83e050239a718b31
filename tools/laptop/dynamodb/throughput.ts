/**
 * The throughput of one partition key. DynamoDB allows 1,000 write units per second of a key, and throttles the excess.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
import type { Consumption } from "./capacity.ts";
import { failure } from "./protocol.ts";

/** The write units per second that AWS allows to a partition key. */
export const partitionLimit = 1_000;

const message =
  "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or " +
  "index so please try again shortly. If exceptions persist, check if you have a hot key: " +
  "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";

/** The reason of a cancelled member whose partition key is used up. */
export const throttledMember = { Code: "ThrottlingError", Message: message } as const;

/**
 * The error of a single write whose partition key is used up.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
export const throttling = () => failure("ThrottlingException", message);

/** A bucket of units that fills up again within a second. */
interface Bucket {
  units: number;
  at: number;
}

/**
 * A bucket of units for each partition key. A write is admitted while its bucket is not empty, and pays when its units
 * are known. So a bucket may go negative, and admits nothing until it is positive again.
 */
export class Throughput {
  readonly #limit: number | undefined;
  readonly #clock: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param limit units per second of a partition key; absent: nothing is throttled */
  constructor(limit: number | undefined, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Whether a write to this partition is throttled now. */
  isUsedUp(partition: string): boolean {
    return this.#limit !== undefined && this.#bucketOf(partition, this.#limit).units <= 0;
  }

  /** Takes the units of an executed write. */
  spend({ partitions }: Consumption): void {
    for (const [partition, units] of partitions) this.spendOn(partition, units);
  }

  spendOn(partition: string, units: number): void {
    if (this.#limit !== undefined) this.#bucketOf(partition, this.#limit).units -= units;
  }

  #bucketOf(partition: string, limit: number): Bucket {
    const now = this.#clock();
    const { units, at } = this.#buckets.get(partition) ?? { units: limit, at: now };
    const bucket = { units: Math.min(limit, units + (Math.max(0, now - at) * limit) / 1_000), at: now };
    this.#buckets.set(partition, bucket);
    return bucket;
  }
}
