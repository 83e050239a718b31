/**
 * The report of records that a mapping gives up: their position in the stream, not their content.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
import { randomUUID } from "node:crypto";
import type { StreamRecord } from "../dynamodb/index.ts";

export type DiscardedBatch = ReturnType<typeof discardedBatch>;

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

/** Times are ISO 8601; that of a record has no milliseconds. */
export function discardedBatch(discard: Discard) {
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
      // Only when the function itself failed.
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
