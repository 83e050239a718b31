/** Sends outbox rows to the bus, like the relay. */
import { isPseudonym } from "#domain/people/users/erasures.ts";
import type { Item } from "#kit/table/table.ts";
import { busName, putEvents } from "#outbox/bus.ts";
import { type BusEntry, entryOf, requestsOf, Unsendable } from "#outbox/bus-entry.ts";

export interface SentRows {
  readonly sent: number;
  /** Ids of rows that the bus refused, or that are not messages. */
  readonly refused: readonly string[];
}

const isAboutErased = (row: Item): boolean =>
  isPseudonym((row as { detail?: { data?: { email?: string } } }).detail?.data?.email ?? "");

/** Sends all but those about people who are erased. */
export async function sendRows(rows: readonly Item[]): Promise<SentRows> {
  const refused: string[] = [];
  const entries: BusEntry[] = [];
  // No message tells of a person who is erased.
  const heard = rows.filter((row) => !isAboutErased(row));
  for (const row of heard) {
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
  return { sent: heard.length - refused.length, refused };
}
