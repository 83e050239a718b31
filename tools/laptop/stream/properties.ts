/** An event source mapping of a table's stream as CloudFormation describes it, with AWS's defaults. */
import type { FilterCriteria } from "../patterns/event-filter.ts";

/** `AWS::Lambda::EventSourceMapping`, the properties for streams of tables. */
export interface StreamMappingProperties {
  /** ARN of the stream. */
  readonly EventSourceArn: string;
  /** Records; 100 when absent. */
  readonly BatchSize?: number;
  readonly BisectBatchOnFunctionError?: boolean;
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination?: string } };
  readonly Enabled?: boolean;
  readonly FilterCriteria?: FilterCriteria;
  readonly FunctionResponseTypes?: readonly string[];
  /** Seconds; 0 when absent. */
  readonly MaximumBatchingWindowInSeconds?: number;
  /** Seconds; -1 when absent: as long as the stream keeps a record. */
  readonly MaximumRecordAgeInSeconds?: number;
  /** -1 when absent: unlimited. */
  readonly MaximumRetryAttempts?: number;
  /** Batches at a time, each with items of its own; 1 when absent. */
  readonly ParallelizationFactor?: number;
  readonly StartingPosition?: string;
  readonly TumblingWindowInSeconds?: number;
}

/** All settings of the mapping, times in milliseconds. */
export interface StreamSettings {
  readonly batchSize: number;
  readonly bisects: boolean;
  /** ARN of the queue that gets the reports of discarded records. */
  readonly failureDestination: string | undefined;
  readonly window: number;
  readonly recordAge: number;
  readonly retries: number;
  /** Batches that are delivered at the same time, of all shards together. */
  readonly lanes: number;
  readonly startsAtEnd: boolean;
}

/** A stream keeps its records for a day. */
const retention = 24 * 3_600_000;

const unlimited = (value: number | undefined, otherwise: number): number =>
  value === undefined || value < 0 ? otherwise : value;

/**
 * @param shards of the stream
 * @throws Error for properties that the local stage does not support
 */
export function readStreamSettings(properties: StreamMappingProperties, shards = 1): StreamSettings {
  if (properties.TumblingWindowInSeconds) throw new Error("The local stage has no tumbling windows.");
  const start = properties.StartingPosition ?? "TRIM_HORIZON";
  if (start !== "TRIM_HORIZON" && start !== "LATEST") throw new Error(`A stream of a table has no position ${start}.`);
  return {
    batchSize: properties.BatchSize ?? 100,
    bisects: properties.BisectBatchOnFunctionError ?? false,
    failureDestination: properties.DestinationConfig?.OnFailure?.Destination,
    window: (properties.MaximumBatchingWindowInSeconds ?? 0) * 1000,
    recordAge: Math.min(retention, unlimited(properties.MaximumRecordAgeInSeconds, retention / 1000) * 1000),
    retries: unlimited(properties.MaximumRetryAttempts, Number.POSITIVE_INFINITY),
    lanes: shards * (properties.ParallelizationFactor ?? 1),
    startsAtEnd: start === "LATEST",
  };
}
