/** The local stage's event source mapping between a table's stream and a function. */
import type { StreamLog, StreamRecord } from "../dynamodb/index.ts";
import { eventFilter } from "../patterns/event-filter.ts";
import { Activity, closingTime } from "../service-kit/activity.ts";
import { reportsFailures } from "../service-kit/batch-response.ts";
import { type Clock, systemClock } from "../service-kit/clock.ts";
import type { Disorder } from "../service-kit/disorder.ts";
import { Pauses } from "../service-kit/pauses.ts";
import { Checkpoint } from "./checkpoint.ts";
import type { DeliveryOptions } from "./delivery.ts";
import { Lane } from "./lane.ts";
import { readStreamSettings, type StreamMappingProperties } from "./properties.ts";
import { shards } from "./repeats.ts";

export type { DiscardedBatch } from "./discarded.ts";
export type { StreamMappingProperties } from "./properties.ts";

export interface StreamMappingOptions extends Pick<DeliveryOptions, "functionArn" | "invoke" | "onDiscarded"> {
  /** Name of the checkpoint's file: the mapping's logical id. */
  readonly name: string;
  readonly properties: StreamMappingProperties;
  readonly stream: Pick<StreamLog, "read" | "onAppend">;
  /** Where the checkpoint is kept. Absent: in memory. */
  readonly directory?: string;
  /** Milliseconds before the first retry; doubled each time. 500 when absent. */
  readonly retryDelay?: number;
  /** Counts the work of all services together. */
  readonly activity?: Activity;
  readonly clock?: Clock;
  /** Several shards without an order between them, and batches that come again. Absent: one shard, each record once. */
  readonly disorder?: Disorder | undefined;
}

export interface StreamMapping {
  /** Resolves when all records of the stream are delivered, or wait for the next attempt. */
  settled(): Promise<void>;
  /** Starts no more deliveries; the running function may end. */
  close(): Promise<void>;
}

/**
 * The lane of a record: items with the same partition key are always in the same lane. The first key of a table is its
 * partition key.
 */
function laneOf(record: StreamRecord, lanes: number): number {
  if (lanes === 1) return 0;
  const [partitionKey] = Object.values(record.dynamodb.Keys);
  let hash = 0;
  for (const character of JSON.stringify(partitionKey)) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash % lanes;
}

/**
 * Starts to deliver at the position of the last stop or kill. Each record is delivered at least once.
 * @throws Error for properties that the local stage does not support
 */
export async function startStreamMapping(options: StreamMappingOptions): Promise<StreamMapping> {
  const { properties, stream, clock = systemClock } = options;
  const { disorder } = options;
  const settings = readStreamSettings(properties, disorder ? shards : 1);
  const passes = eventFilter(properties.FilterCriteria);
  const checkpoint = new Checkpoint(options.directory, options.name, settings.lanes);
  const activity = new Activity(options.activity);
  const pauses = new Pauses(clock, activity);
  let closed = false;
  const lanes = Array.from({ length: settings.lanes }, (_, number) => {
    const wants = (record: StreamRecord): boolean =>
      record.eventSourceARN === properties.EventSourceArn &&
      laneOf(record, settings.lanes) === number &&
      passes(record);
    return new Lane({
      settings,
      reportsFailures: reportsFailures(properties.FunctionResponseTypes),
      functionArn: options.functionArn,
      invoke: options.invoke,
      onDiscarded: options.onDiscarded,
      retryDelay: options.retryDelay ?? 500,
      clock,
      pauses,
      activity,
      isClosed: () => closed,
      stream,
      checkpoint,
      number,
      wants,
      disorder: disorder?.of(`${options.name} ${number}`),
    });
  });
  const stopListening = stream.onAppend(() => {
    for (const lane of lanes) lane.notify();
  });
  for (const lane of lanes) void lane.run();
  return {
    settled: () => activity.settled(),
    close: async () => {
      closed = true;
      stopListening();
      pauses.close();
      for (const lane of lanes) lane.notify();
      await activity.settledWithin(closingTime);
    },
  };
}
