/** How far the reconciliation has come. One item, changed after each page, so that a run goes on where another stopped. */

import { writeOnce } from "#kit/table/execute.ts";
import type { Deadline } from "#kit/table/retry.ts";
import { getRecord, isAsRead, putIf } from "#kit/table/table.ts";
import { day } from "#kit/text/time.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { type ListName, type ListPage, lists } from "../provider/provider-lists.ts";

export interface Mark {
  /** Epoch milliseconds: when the last complete run began. What it has read is not read again. */
  readonly since: number;
  /** Epoch milliseconds: when the present run began. */
  readonly begunAt: number;
  /** The list that is next; absent when the run is complete. */
  readonly list?: ListName;
  /** The id of the last object that was handled in this list. */
  readonly after?: string;
  /** An object of the next page failed once. */
  readonly hasFailed?: true;
  /** Counts the writes. */
  readonly version: number;
}

/** The first run reads what the webhook could still be sent again. */
const firstDays = 35;
const key = keyOf("mark of the reconciliation", {});

export const readMark = (): Promise<Mark | undefined> => getRecord<Mark>(key, "strong");

/** The mark of a new run, or of one that has not come to its end. @param now epoch milliseconds */
export function begun(stored: Mark | undefined, now: number): Mark {
  if (stored?.list !== undefined) return stored;
  const { since = now - firstDays * day, version = 0 } = stored ?? {};
  return { since, begunAt: now, list: lists[0], version };
}

/** The mark after a page. */
export function passed({ after: _, hasFailed: __, ...mark }: Mark, { objects, hasMore }: ListPage): Mark {
  const last = objects.at(-1);
  if (hasMore && last) return { ...mark, after: last.id };
  const list = mark.list && lists[lists.indexOf(mark.list) + 1];
  if (list !== undefined) return { ...mark, list };
  const { list: ___, ...complete } = mark;
  return { ...complete, since: mark.begunAt };
}

/** Stores the next mark. @returns undefined when another run has moved it */
export async function moveMark(read: Mark, { version: _, ...next }: Mark, within: Deadline): Promise<Mark | undefined> {
  const moved: Mark = { ...next, version: read.version + 1 };
  const mark = putIf({ ...key, ...moved }, isAsRead(read.version === 0 ? undefined : read));
  const refused = await writeOnce({ mark }, within);
  return refused ? undefined : moved;
}
