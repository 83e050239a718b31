/** An outbox row of the table's stream as an entry of PutEvents. Pure. */
import type { PutEventsRequestEntry } from "@aws-sdk/client-eventbridge";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";

/** The source of everything that this service says on the bus. */
export const source = "club.events";

/** Of one request; EventBridge's quotas. */
const mostEntries = 10;
/** Bytes of all entries of a request together. */
const largestRequest = 256 * 1024;

export interface BusEntry {
  /** Where the row is in the stream. */
  readonly sequenceNumber: string;
  /** The id in the event's metadata: joins logs, events and what consumers did. */
  readonly outboxId: string;
  readonly detailType: string;
  readonly entry: PutEventsRequestEntry;
  /** Bytes, as EventBridge counts them. */
  readonly size: number;
}

/** Why a row can never be sent, however often it is tried. */
export class Unsendable extends Error {}

/** The image of a stream's record in the words of the SDK. */
type Image = Parameters<typeof unmarshall>[0];

interface OutboxRow {
  readonly detailType?: unknown;
  readonly detail?: { readonly metadata?: { readonly id?: unknown; readonly occurredAt?: unknown } };
}

/** EventBridge counts 14 bytes for the time. */
const timeSize = 14;

/** @throws Unsendable when the row is no event, or larger than a request may be */
export function busEntry({ dynamodb = {} }: DynamoDBRecord, busName: string): BusEntry {
  const row = unmarshall((dynamodb.NewImage ?? {}) as Image) as OutboxRow;
  const { detailType, detail } = row;
  const { id, occurredAt } = detail?.metadata ?? {};
  const at = new Date(String(occurredAt));
  if (typeof detailType !== "string" || typeof id !== "string" || Number.isNaN(at.getTime())) {
    throw new Unsendable("not an event");
  }
  const text = JSON.stringify(detail);
  const size = timeSize + Buffer.byteLength(source) + Buffer.byteLength(detailType) + Buffer.byteLength(text);
  if (size > largestRequest) throw new Unsendable(`${size} bytes, more than an event may have`);
  const entry = {
    EventBusName: busName,
    Source: source,
    DetailType: detailType,
    Detail: text,
    Time: at,
  };
  return { sequenceNumber: dynamodb.SequenceNumber ?? "", outboxId: id, detailType, entry, size };
}

/** Cuts entries into requests, in their order and as few as that allows. */
export function requestsOf(entries: readonly BusEntry[]): BusEntry[][] {
  const requests: BusEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const request = requests.at(-1);
    if (request && request.length < mostEntries && bytes + entry.size <= largestRequest) {
      request.push(entry);
      bytes += entry.size;
    } else {
      requests.push([entry]);
      bytes = entry.size;
    }
  }
  return requests;
}
