/**
 * The relay: sends the outbox rows of the table's stream to the bus, at least once and in the order of their commits. It
 * stops at the first row that fails, and the stream delivers that row and all later rows again. After the last retry the
 * row is discarded, and its position in the stream goes to a dead-letter queue (`docs/design.md`, "Messages and
 * consumers").
 */
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { log } from "#kit/log.ts";
import { busName, putEvents } from "#outbox/bus.ts";
import { type BusEntry, busEntry, requestsOf, Unsendable } from "#outbox/bus-entry.ts";

/** Sequence number of the first record that was not sent; undefined when the whole batch was. */
type BrokenAt = string | undefined;

export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const { entries, brokenAt } = readEntries(Records);
  const failed = (await send(entries)) ?? brokenAt;
  return { batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
}

/**
 * Whether a row came with nothing but its key. `npm run ops -- restore` puts a row so, and then fills it, which is no insert:
 * the stage that the copy is of has sent the message.
 */
const isEmptied = ({ dynamodb: { NewImage = {} } = {} }: DynamoDBRecord): boolean =>
  Object.keys(NewImage).sort().join() === "PK,SK";

/** The entries of the rows before the first row that can never be sent, and the sequence number of that row. */
function readEntries(records: readonly DynamoDBRecord[]): { entries: BusEntry[]; brokenAt: BrokenAt } {
  const entries: BusEntry[] = [];
  for (const record of records) {
    if (isEmptied(record)) continue;
    try {
      entries.push(busEntry(record, busName));
    } catch (error) {
      if (!(error instanceof Unsendable)) throw error;
      const sequenceNumber = record.dynamodb?.SequenceNumber ?? "";
      // Safe to log: the sort key of an outbox row is a ULID.
      const outboxId = record.dynamodb?.Keys?.SK?.S;
      log.error("outbox row cannot be sent", { reason: error.message, outboxId, sequenceNumber });
      return { entries, brokenAt: sequenceNumber };
    }
  }
  return { entries, brokenAt: undefined };
}

async function send(entries: readonly BusEntry[]): Promise<BrokenAt> {
  for (const request of requestsOf(entries)) {
    const refused = await putEvents(request);
    const [first] = refused;
    if (first) {
      for (const { entry, ...why } of refused) {
        const { outboxId, detailType, sequenceNumber } = entry;
        log.error("event not taken by the bus", { ...why, outboxId, detailType, sequenceNumber });
      }
      return first.entry.sequenceNumber;
    }
  }
  for (const { outboxId, detailType, correlationId } of entries) {
    log.info("event sent", { outboxId, detailType, correlationId });
  }
  return undefined;
}
