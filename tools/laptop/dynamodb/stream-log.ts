/**
 * The log of committed writes, in commit order: the records of a table's stream. Each record is stored in the commit
 * that it reports.
 */
import { randomUUID } from "node:crypto";
import { type BatchOperation, type Store, within } from "./dynalite.ts";
import { itemSize } from "./item-size.ts";
import { type AttributeMap, sameValue, type TableDescription } from "./protocol.ts";
import type { ItemChange } from "./views.ts";

export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: "INSERT" | "MODIFY" | "REMOVE";
  readonly eventVersion: "1.1";
  readonly eventSource: "aws:dynamodb";
  readonly awsRegion: string;
  readonly eventSourceARN: string;
  readonly userIdentity?: { readonly type: "Service"; readonly principalId: "dynamodb.amazonaws.com" };
  readonly dynamodb: {
    /** Epoch seconds. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: AttributeMap;
    readonly NewImage?: AttributeMap;
    readonly OldImage?: AttributeMap;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: string;
  };
}

const prefix = "stream~";
const digits = 21;
const retentionMilliseconds = 24 * 3_600_000;

const keyOf = (sequence: string): string => prefix + sequence;

export interface StreamOrigin {
  readonly region: string;
  readonly accountId: string;
  readonly viewType: string;
  readonly expired: boolean;
  readonly now: number;
}

export class StreamLog {
  readonly #store: Store;
  readonly #listeners = new Set<(records: readonly StreamRecord[]) => void>();
  #last: bigint;

  private constructor(store: Store, last: bigint) {
    this.#store = store;
    this.#last = last;
  }

  /** Continues the sequence numbers of the stored log. */
  static async open(store: Store): Promise<StreamLog> {
    let last = 0n;
    for await (const key of store.db.keys({ ...within(prefix), reverse: true, limit: 1 })) {
      last = BigInt(key.slice(prefix.length));
    }
    return new StreamLog(store, last);
  }

  /** The record of a write; undefined when it changed nothing. */
  record(
    { table, before, after }: ItemChange,
    description: TableDescription,
    origin: StreamOrigin,
  ): StreamRecord | undefined {
    if (sameValue(before, after)) return undefined;
    this.#last += 1n;
    const present = (after ?? before) as AttributeMap;
    const keys = Object.fromEntries(
      description.KeySchema.map(({ AttributeName: n }) => [n, present[n]]),
    ) as AttributeMap;
    return {
      eventID: randomUUID().replaceAll("-", ""),
      eventName: before ? (after ? "MODIFY" : "REMOVE") : "INSERT",
      eventVersion: "1.1",
      eventSource: "aws:dynamodb",
      awsRegion: origin.region,
      eventSourceARN: `arn:aws:dynamodb:${origin.region}:${origin.accountId}:table/${table}/stream/local`,
      ...(origin.expired && { userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" } }),
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(origin.now / 1000),
        Keys: keys,
        ...(after && origin.viewType.includes("NEW") && { NewImage: after }),
        ...(before && origin.viewType.includes("OLD") && { OldImage: before }),
        SequenceNumber: this.#last.toString().padStart(digits, "0"),
        SizeBytes: [keys, before, after].reduce((sum, item) => sum + (item ? itemSize(item) : 0), 0),
        StreamViewType: origin.viewType,
      },
    };
  }

  /** The operations that store the records, for the batch of their commit. */
  operations(records: readonly StreamRecord[]): BatchOperation[] {
    return records.map((record) => ({ type: "put", key: keyOf(record.dynamodb.SequenceNumber), value: record }));
  }

  /** Tells the listeners about the records; to be called after the commit. */
  announce(records: readonly StreamRecord[]): void {
    if (records.length > 0) for (const listener of this.#listeners) listener(records);
  }

  onAppend(listener: (records: readonly StreamRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Records behind a sequence number, oldest first.
   * @param after absent or empty: from the oldest that is kept
   */
  async read(after = "", limit = 100): Promise<StreamRecord[]> {
    const records: StreamRecord[] = [];
    const { gte, lt } = within(prefix);
    const range = { ...(after ? { gt: keyOf(after) } : { gte }), lt, limit };
    for await (const [, record] of this.#store.db.iterator(range)) records.push(record as StreamRecord);
    return records;
  }

  /** Deletes all records up to and including a sequence number. */
  async trim(upTo: string): Promise<void> {
    await this.#store.db.clear({ gte: prefix, lte: keyOf(upTo) });
  }

  /** Deletes records that are older than a day, as a stream does. */
  async trimOld(now: number): Promise<void> {
    let newestOld: string | undefined;
    for await (const [, record] of this.#store.db.iterator(within(prefix))) {
      const { ApproximateCreationDateTime: seconds, SequenceNumber } = (record as StreamRecord).dynamodb;
      if (seconds * 1000 >= now - retentionMilliseconds) break;
      newestOld = SequenceNumber;
    }
    if (newestOld) await this.trim(newestOld);
  }
}
