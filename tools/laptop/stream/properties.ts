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
  readonly FilterCriteria?: FilterCriteria;
  readonly FunctionResponseTypes?: readonly string[];
  /** -1 when absent: unlimited. */
  readonly MaximumRetryAttempts?: number;
  readonly ParallelizationFactor?: number;
  readonly StartingPosition?: string;
}

/** All settings of the mapping. */
export interface StreamSettings {
  readonly batchSize: number;
  readonly bisects: boolean;
  /** ARN of the queue that gets the reports of discarded records. */
  readonly failureDestination: string | undefined;
  readonly retries: number;
  /** Batches that are delivered at the same time, of all shards together. */
  readonly lanes: number;
}

const unsupported = [
  "Enabled",
  "MaximumBatchingWindowInSeconds",
  "MaximumRecordAgeInSeconds",
  "TumblingWindowInSeconds",
] as const;

/**
 * @param shards of the stream
 * @throws Error for properties that the local stage does not support
 */
export function readStreamSettings(properties: StreamMappingProperties, shards = 1): StreamSettings {
  const { ParallelizationFactor = 1, StartingPosition = "TRIM_HORIZON", MaximumRetryAttempts = -1 } = properties;
  const other = unsupported.find((name) => name in properties);
  if (other) throw new Error(`The local stage has no mapping of a stream with ${other}.`);
  if (ParallelizationFactor > 1) throw new Error("The local stage has no parallel batches of a shard.");
  if (StartingPosition !== "TRIM_HORIZON") throw new Error(`The local stage does not know ${StartingPosition}.`);
  return {
    batchSize: properties.BatchSize ?? 100,
    bisects: properties.BisectBatchOnFunctionError ?? false,
    failureDestination: properties.DestinationConfig?.OnFailure?.Destination,
    retries: MaximumRetryAttempts < 0 ? Number.POSITIVE_INFINITY : MaximumRetryAttempts,
    lanes: shards,
  };
}
