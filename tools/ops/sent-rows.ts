/** Sends outbox rows to the bus, like the relay. */
import type { Item } from "#kit/table/table.ts";
import { busName, putEvents } from "#outbox/bus.ts";
import { type BusEntry, entryOf, requestsOf, Unsendable } from "#outbox/bus-entry.ts";

export interface SentRows {
  readonly sent: number;
  /** Ids of rows that the bus refused, or that are not messages. */
  readonly refused: readonly string[];
}

export async function sendRows(rows: readonly Item[]): Promise<SentRows> {
  const refused: string[] = [];
  const entries: BusEntry[] = [];
  for (const row of rows) {
    try {
      entries.push(entryOf(row as object, busName));
    } catch (error) {
      if (!(error instanceof Unsendable)) throw error;
      refused.push(row.SK);
    }
  }
  for (const request of requestsOf(entries)) {
    for (const { entry } of await putEvents(request)) refused.push(entry.outboxId);
  }
  return { sent: rows.length - refused.length, refused };
}
