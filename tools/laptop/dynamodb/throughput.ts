/**
 * The throughput of one partition key. DynamoDB allows 3,000 read units and 1,000 write units per second of a key, in a
 * table and in each of its indexes, and throttles the excess.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
import type { Consumption, UnitKind } from "./capacity.ts";
import { failure, RequestFailed } from "./protocol.ts";

/** Units per second of each partition key. */
export interface PartitionLimits {
  readonly reads: number;
  readonly writes: number;
}

/** The limits of AWS. */
export const partitionLimits: PartitionLimits = { reads: 3_000, writes: 1_000 };

/** The error when a partition key is used up: the code of a cancelled member, and the message. */
export const throttled = {
  table: {
    Code: "ThrottlingError",
    Message:
      "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or " +
      "index so please try again shortly. If exceptions persist, check if you have a hot key: " +
      "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html",
  },
  index: {
    Code: "ThrottlingError",
    Message:
      "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically " +
      "scaling your index so please try again shortly.",
  },
} as const;

const throttlingException = "ThrottlingException";

/**
 * The error of a single read or write.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
export const throttling = (of: keyof typeof throttled): RequestFailed =>
  failure(throttlingException, throttled[of].Message);

export const isThrottling = (error: unknown): boolean =>
  error instanceof RequestFailed && String(error.body.__type).endsWith(throttlingException);

/** A bucket of units that fills up again within a second. */
interface Bucket {
  units: number;
  at: number;
}

/** Buckets that are kept, before those that are full again are forgotten. */
const maxBuckets = 10_000;

/**
 * A bucket of units for each partition key and kind. A request is admitted while its buckets are not empty, and pays
 * when its units are known. So a bucket may go negative, and admits nothing until it is positive again.
 */
export class Throughput {
  readonly #limits: PartitionLimits | undefined;
  readonly #clock: () => number;
  readonly #buckets: Readonly<Record<UnitKind, Map<string, Bucket>>> = { Read: new Map(), Write: new Map() };

  /** @param limits absent: nothing is throttled */
  constructor(limits: PartitionLimits | undefined, clock: () => number) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get isLimited(): boolean {
    return this.#limits !== undefined;
  }

  /** Whether a request for this partition is throttled now. */
  isUsedUp(kind: UnitKind, partition: string): boolean {
    return this.#limits !== undefined && this.#bucketOf(kind, partition, this.#limits).units <= 0;
  }

  /** Takes the units of an executed request. */
  spend(consumption: Consumption): void {
    for (const [partition, units] of consumption.partitions) this.spendOn(consumption.kind, partition, units);
  }

  spendOn(kind: UnitKind, partition: string, units: number): void {
    if (this.#limits) this.#bucketOf(kind, partition, this.#limits).units -= units;
  }

  #bucketOf(kind: UnitKind, partition: string, { reads, writes }: PartitionLimits): Bucket {
    const buckets = this.#buckets[kind];
    const most = kind === "Read" ? reads : writes;
    const now = this.#clock();
    const filled = ({ units, at }: Bucket) => Math.min(most, units + (Math.max(0, now - at) * most) / 1_000);
    const known = buckets.get(partition);
    if (known) return Object.assign(known, { units: filled(known), at: now });
    if (buckets.size >= maxBuckets) {
      for (const [name, bucket] of buckets) if (filled(bucket) >= most) buckets.delete(name);
    }
    const bucket = { units: most, at: now };
    buckets.set(partition, bucket);
    return bucket;
  }
}
