/** Converts outbox rows of the table's stream to entries of `PutEvents`. Pure. */
import type { PutEventsRequestEntry } from "@aws-sdk/client-eventbridge";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import { chunk } from "#kit/text/chunk.ts";

/** Source of all messages that this service sends to the bus. */
export const source = "club.events";

/** Maximum entries of one request: a quota of EventBridge. */
const maxEntries = 10;
/**
 * Maximum bytes of a message: ten of them fit into a request, which is limited to 1 MB.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
const largestMessage = 64 * 1024;

export interface BusEntry {
  /** Position of the row in the stream. */
  readonly sequenceNumber: string;
  /** The id in the message's metadata: correlates log lines, messages and the work of consumers. */
  readonly outboxId: string;
  readonly detailType: string;
  /** The request that caused the message: correlates its log lines with those of the API. */
  readonly correlationId: string | undefined;
  readonly entry: PutEventsRequestEntry;
}

/** A row that can never be sent. */
export class Unsendable extends Error {}

/** The row in a stream record, as the SDK types it. */
type Image = Parameters<typeof unmarshall>[0];

/** A row as stored, unvalidated. */
interface OutboxRow {
  readonly detailType?: unknown;
  readonly detail?: {
    readonly metadata?: { readonly id?: unknown; readonly occurredAt?: unknown; readonly correlationId?: unknown };
  };
}

/** @throws Unsendable the row is not a message, or too large */
export const busEntry = ({ dynamodb }: DynamoDBRecord, busName: string): BusEntry =>
  entryOf(
    unmarshall((dynamodb?.NewImage ?? {}) as Image, { wrapNumbers: Number }),
    busName,
    dynamodb?.SequenceNumber ?? "",
  );

/**
 * The entry of a row, from the stream or read from the table.
 * @throws Unsendable the row is not a message, or too large
 */
export function entryOf({ detailType, detail }: OutboxRow, busName: string, sequenceNumber = ""): BusEntry {
  const { id, occurredAt, correlationId: request } = detail?.metadata ?? {};
  const at = new Date(String(occurredAt));
  if (typeof detailType !== "string" || typeof id !== "string" || Number.isNaN(at.getTime())) {
    throw new Unsendable("not an event");
  }
  const text = JSON.stringify(detail);
  const size = Buffer.byteLength(text);
  if (size > largestMessage) throw new Unsendable(`${size} bytes, more than an event may have`);
  const entry = {
    EventBusName: busName,
    Source: source,
    DetailType: detailType,
    Detail: text,
    Time: at,
  };
  const correlationId = typeof request === "string" ? request : undefined;
  return { sequenceNumber, outboxId: id, detailType, correlationId, entry };
}

/** Splits entries into as few requests as their order allows. */
export const requestsOf = (entries: readonly BusEntry[]): BusEntry[][] => chunk(entries, maxEntries);
