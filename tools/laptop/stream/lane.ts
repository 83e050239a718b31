/** One of a mapping's parallel consumers of a stream. It reads ahead of its checkpoint, a batch at a time. */
import type { StreamLog, StreamRecord } from "../dynamodb/index.ts";
import type { Activity } from "../service-kit/activity.ts";
import type { Disorder } from "../service-kit/disorder.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type DeliveryOptions, deliver } from "./delivery.ts";
import { Repeats } from "./repeats.ts";

export interface LaneOptions extends DeliveryOptions {
  readonly activity: Activity;
  readonly stream: Pick<StreamLog, "read">;
  readonly checkpoint: Checkpoint;
  readonly number: number;
  /** Whether a record belongs to this lane. */
  readonly wants: (record: StreamRecord) => boolean;
  /** Absent: batches come at once, and come again only after a failure. */
  readonly disorder: Disorder | undefined;
}

/** Records that one read returns at most. */
const chunk = 1_000;
/** Skipped records after which the checkpoint is moved. */
const maxPassedOver = 1_000;
/** Bytes of a batch as JSON; Lambda's quota for an event is 6 MB. */
const largestBatch = 6 * 1024 * 1024 - 1_024;

export class Lane {
  readonly #options: LaneOptions;
  /** The next batch begins after this sequence number. */
  #position: string;
  readonly #repeats: Repeats | undefined;
  #passedOver = 0;
  #appended = false;
  #wake: (() => void) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#position = options.checkpoint.of(options.number);
    this.#repeats = options.disorder && new Repeats(options.disorder);
  }

  /** Tells the lane that the stream has grown, or that the mapping is closing. */
  notify(): void {
    this.#appended = true;
    const wake = this.#wake;
    if (!wake) return;
    this.#wake = undefined;
    this.#options.activity.begin();
    wake();
  }

  /** Delivers until the mapping is closed. */
  async run(): Promise<void> {
    const { activity, pauses, retryDelay, isClosed, checkpoint, number } = this.#options;
    activity.begin();
    while (!isClosed()) {
      try {
        await this.#step();
      } catch (problem) {
        if (isClosed()) break;
        console.error("stream mapping:", problem);
        this.#position = checkpoint.of(number);
        await pauses.pause(retryDelay);
      }
    }
    activity.end();
  }

  async #step(): Promise<void> {
    const { activity, disorder } = this.#options;
    this.#appended = false;
    const before = this.#position;
    const batch = await this.#collect();
    if (batch.length > 0) {
      await disorder?.pause();
      await deliver(batch, this.#options, (sequenceNumber) => this.#done(sequenceNumber));
      this.#position = this.#repeats?.after(batch, before) ?? this.#position;
    } else if (!this.#appended && !this.#options.isClosed()) {
      if (this.#passedOver >= maxPassedOver) this.#done(this.#position);
      // Records that were appended in the meantime woke no listener.
      if (this.#appended) return;
      const earlier = this.#repeats?.later();
      if (earlier !== undefined) {
        await disorder?.pause();
        this.#position = earlier;
        return;
      }
      activity.end();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #done(sequenceNumber: string): void {
    this.#passedOver = 0;
    this.#options.checkpoint.moveTo(this.#options.number, sequenceNumber);
  }

  /** The next batch of the available records. */
  async #collect(): Promise<StreamRecord[]> {
    const { settings, stream, wants, isClosed } = this.#options;
    const batch: StreamRecord[] = [];
    let bytes = 0;
    while (!isClosed()) {
      const records = await stream.read(this.#position, chunk);
      for (const record of records) {
        if (wants(record)) {
          bytes += Buffer.byteLength(JSON.stringify(record));
          if (batch.length > 0 && bytes > largestBatch) return batch;
          batch.push(record);
        } else this.#passedOver += 1;
        this.#position = record.dynamodb.SequenceNumber;
        if (batch.length >= settings.batchSize) return batch;
      }
      if (records.length < chunk) return batch;
    }
    return [];
  }
}
