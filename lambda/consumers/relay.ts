/**
 * The relay: outbox rows of the table's stream become events on the bus, at least once and in the order of their
 * commits. At the first one that does not get out it stops, and the stream comes back with it and all behind it; what
 * never gets out is given up after the mapping's retries, and a dead-letter queue says where in the stream it is.
 */
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { log } from "#kit/log.ts";
import { busName, putEvents } from "#outbox/bus.ts";
import { type BusEntry, busEntry, requestsOf, Unsendable } from "#outbox/bus-entry.ts";

/** Where a batch broke off; undefined when all of it is on the bus. */
type BrokenAt = string | undefined;

export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const { entries, brokenAt } = readEntries(Records);
  const failed = (await send(entries)) ?? brokenAt;
  return { batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
}

/** The rows that can be sent, up to the first that cannot. */
function readEntries(records: readonly DynamoDBRecord[]): { entries: BusEntry[]; brokenAt: BrokenAt } {
  const entries: BusEntry[] = [];
  for (const record of records) {
    try {
      entries.push(busEntry(record, busName));
    } catch (error) {
      if (!(error instanceof Unsendable)) throw error;
      const sequenceNumber = record.dynamodb?.SequenceNumber ?? "";
      // An outbox row's key is a time and a random id.
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
      for (const { entry, code } of refused) {
        const { outboxId, detailType, sequenceNumber } = entry;
        log.error("event not taken by the bus", { code, outboxId, detailType, sequenceNumber });
      }
      return first.entry.sequenceNumber;
    }
  }
  for (const { outboxId, detailType } of entries) log.info("event sent", { outboxId, detailType });
  return undefined;
}
