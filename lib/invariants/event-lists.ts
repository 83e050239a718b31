/** Whether the versions of the lists of events are those of the events in the table. */
import { isDeepStrictEqual } from "node:util";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { EventRecord } from "#domain/events/event.ts";
import { type ListVersions, listVersionsOf } from "#domain/events/list-version.ts";
import { readListVersions } from "#domain/events/store.ts";
import { classified, client, type Key, tableName } from "#kit/table.ts";
import { patiently } from "./patiently.ts";

/** The versions that events make, one event after the other. */
export class EventLists {
  #versions: ListVersions = { visible: 0, hidden: 0 };

  add(event: EventRecord): void {
    const { visible, hidden } = listVersionsOf([event]);
    this.#versions = { visible: this.#versions.visible + visible, hidden: this.#versions.hidden + hidden };
  }

  get versions(): ListVersions {
    return this.#versions;
  }
}

/** One page of all events, with the fields that versions are made of. The read is consistent, and costs the whole table. */
const scanOnce = (last: Key | undefined) =>
  patiently(async () => {
    try {
      return await client.send(
        new ScanCommand({
          TableName: tableName,
          ConsistentRead: true,
          FilterExpression: "begins_with(PK, :events) AND SK = :meta",
          ProjectionExpression: "id, #year, generation, version, isPublished",
          ExpressionAttributeNames: { "#year": "year" },
          ExpressionAttributeValues: { ":events": "EVENT#", ":meta": "META" },
          ExclusiveStartKey: last,
        }),
      );
    } catch (error) {
      throw classified(error);
    }
  });

async function counted(): Promise<ListVersions> {
  const lists = new EventLists();
  let last: Key | undefined;
  do {
    const page = await scanOnce(last);
    for (const item of page.Items ?? []) lists.add(item as EventRecord);
    last = page.LastEvaluatedKey as Key | undefined;
  } while (last);
  return lists.versions;
}

/** Looks at the events while they are edited, at most. Edits are rare. */
const mostLooks = 3;

/**
 * The versions as stored and as the events make them, at one moment: the stored ones were the same before and after the
 * events were read.
 * @returns `busy` when events were edited all the time
 */
export async function lookAtLists(): Promise<{ stored: ListVersions; counted: ListVersions } | "busy"> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const stored = await patiently(readListVersions);
    const versions = await counted();
    if (isDeepStrictEqual(stored, await patiently(readListVersions))) return { stored, counted: versions };
  }
  return "busy";
}
