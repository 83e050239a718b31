/**
 * The report of records that a mapping gives up: their position in the stream, not their content.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
import { randomUUID } from "node:crypto";
import type { StreamRecord } from "../dynamodb/index.ts";

export interface DiscardedBatch {
  readonly version: "1.0";
  /** ISO 8601, with milliseconds. */
  readonly timestamp: string;
  readonly requestContext: {
    readonly requestId: string;
    readonly functionArn: string;
    readonly condition: "RetryAttemptsExhausted";
    readonly approximateInvokeCount: number;
  };
  readonly responseContext: {
    readonly statusCode: 200;
    readonly executedVersion: "$LATEST";
    /** Only when the function itself failed. */
    readonly functionError?: "Unhandled";
  };
  readonly DDBStreamBatchInfo: {
    readonly shardId: string;
    readonly startSequenceNumber: string;
    readonly endSequenceNumber: string;
    /** ISO 8601, without milliseconds. */
    readonly approximateArrivalOfFirstRecord: string;
    readonly approximateArrivalOfLastRecord: string;
    readonly batchSize: number;
    readonly streamArn: string;
  };
}

export interface Discard {
  readonly records: readonly StreamRecord[];
  readonly functionArn: string;
  readonly invocations: number;
  readonly functionFailed: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

const arrival = (record: StreamRecord): string =>
  new Date(record.dynamodb.ApproximateCreationDateTime * 1000).toISOString().replace(".000Z", "Z");

export function discardedBatch(discard: Discard): DiscardedBatch {
  const { records, functionArn, invocations, functionFailed, now } = discard;
  const first = records[0] as StreamRecord;
  const last = records.at(-1) as StreamRecord;
  return {
    version: "1.0",
    timestamp: new Date(now).toISOString(),
    requestContext: {
      requestId: randomUUID(),
      functionArn,
      condition: "RetryAttemptsExhausted",
      approximateInvokeCount: invocations,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: "$LATEST",
      ...(functionFailed && { functionError: "Unhandled" }),
    },
    DDBStreamBatchInfo: {
      shardId: "shardId-00000000000000000000-00000000",
      startSequenceNumber: first.dynamodb.SequenceNumber,
      endSequenceNumber: last.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: records.length,
      streamArn: first.eventSourceARN,
    },
  };
}
