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
  readonly MaximumBatchingWindowInSeconds?: number;
  /** Seconds; -1 when absent: as long as the stream keeps a record. */
  readonly MaximumRecordAgeInSeconds?: number;
  /** -1 when absent: unlimited. */
  readonly MaximumRetryAttempts?: number;
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
  readonly recordAge: number;
  readonly retries: number;
  /** Batches that are delivered at the same time, of all shards together. */
  readonly lanes: number;
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
  const { ParallelizationFactor = 1, StartingPosition = "TRIM_HORIZON" } = properties;
  if (properties.TumblingWindowInSeconds || properties.MaximumBatchingWindowInSeconds || ParallelizationFactor > 1)
    throw new Error("The local stage has no windows of streams, and no parallel batches of a shard.");
  if (StartingPosition !== "TRIM_HORIZON") throw new Error(`The local stage does not know ${StartingPosition}.`);
  return {
    batchSize: properties.BatchSize ?? 100,
    bisects: properties.BisectBatchOnFunctionError ?? false,
    failureDestination: properties.DestinationConfig?.OnFailure?.Destination,
    recordAge: Math.min(retention, unlimited(properties.MaximumRecordAgeInSeconds, retention / 1000) * 1000),
    retries: unlimited(properties.MaximumRetryAttempts, Number.POSITIVE_INFINITY),
    lanes: shards,
  };
}
