/**
 * Reads the audit, newest first: the rows of the outbox and those of the audit, hour by hour. No index lists them by person
 * or event, since an index would cost a write unit at each registration; an hour without rows costs 4.5 read units.
 */

import pMap from "p-map";
import { decodeTime, encodeTime } from "ulid";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import type { Item } from "#kit/table/table.ts";
import { hour } from "#kit/text/time.ts";
import { type Audited, auditPartition, type FieldChange } from "./audit.ts";
import { hourOf } from "./row.ts";
import { outboxPartitions } from "./store.ts";

const daysKept = 400;
/** Hours of one request, read some at a time: fewer when something was found. */
const mostHours = { found: 24, empty: 72 };
const hoursAtOnce = 6;
/** Milliseconds after which a request reads no more hours. */
const within = 10_000;

/** One change of one record. */
export interface AuditedChange {
  /** A ULID; the rows are sorted by it. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: string;
  /** The type of the message, or what was done without one. */
  readonly action: string;
  readonly email?: string;
  readonly eventID?: string;
  readonly year?: number;
  /** The id of another record. */
  readonly of?: string;
  readonly changes?: readonly FieldChange[];
  readonly reason?: string;
  readonly requestId: string;
}

interface StoredMessage extends Item {
  readonly detailType: string;
  readonly detail: {
    readonly metadata: { readonly occurredAt: string; readonly actor: string; readonly correlationId: string };
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly audit?: Audited;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** A row of the outbox or of the audit as a change. Pure. */
export function changeIn(item: Item): AuditedChange {
  const isMessage = item.detailType !== undefined;
  const { detailType, detail, audit } = item as StoredMessage;
  const data: Readonly<Record<string, unknown>> = isMessage ? detail.data : item;
  // Messages about events call the event's id `id`, all others `eventID`.
  const isOfEvent = isMessage && detailType.startsWith("event.");
  const found = {
    email: textOf(data.email),
    eventID: textOf(isOfEvent ? data.id : data.eventID),
    year: numberOf(data.year),
    of: isOfEvent ? undefined : textOf(data.id ?? data.campaignId ?? data.paymentId),
    reason: audit?.reason ?? textOf(data.reason),
    changes: audit?.changes,
  };
  return {
    id: item.SK,
    at: isMessage ? Date.parse(detail.metadata.occurredAt) : Number(item.at),
    actor: isMessage ? detail.metadata.actor : String(item.actor),
    action: isMessage ? detailType : String(item.action),
    requestId: isMessage ? detail.metadata.correlationId : String(item.requestId),
    ...(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Partial<AuditedChange>),
  };
}

/** The rows of an hour, newest first. @param time in it, epoch milliseconds */
async function rowsOfHour(time: number): Promise<AuditedChange[]> {
  const partitions = [...outboxPartitions(hourOf(time)), auditPartition(time)];
  const found = await Promise.all(partitions.map((partition) => allOf(queryItems<Item>(itemsOf(partition)))));
  return found
    .flat()
    .map(changeIn)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** Whether a text is the id of a row: a ULID, whose time has 48 bits. */
export const isRowId = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

export interface Trail {
  readonly rows: readonly AuditedChange[];
  /** Where the next page begins: behind this ULID, which may be of no row. Absent: there are no earlier rows. */
  readonly next?: string;
}

/** Which rows of the audit a page has. Times in epoch milliseconds. */
interface Wanted {
  readonly limit: number;
  /** The id behind which it begins. Absent: now. */
  readonly before?: string | undefined;
  /** Earlier hours are not read. */
  readonly from?: number | undefined;
  readonly now: number;
}

/** The least ULID of a time. @param time epoch milliseconds */
const firstIdOf = (time: number): string => encodeTime(time, 10) + "0".repeat(16);

/**
 * A page of the audit.
 * @param isWanted whether a row belongs to it
 * @param until when no more hours are read, as `performance.now()`
 */
export async function trail(
  isWanted: (change: AuditedChange) => boolean,
  { limit, before, from: since = 0, now }: Wanted,
  until = performance.now() + within,
): Promise<Trail> {
  // Clocks of instances differ by a little.
  const newest = Math.min(before === undefined ? Number.POSITIVE_INFINITY : decodeTime(before), now + hour);
  const first = newest - (newest % hour);
  const oldest = Math.max(now - daysKept * 24 * hour, since - (since % hour));
  const rows: AuditedChange[] = [];
  for (let done = 0; ; done += hoursAtOnce) {
    const from = first - done * hour;
    if (from < oldest) return { rows };
    const most = rows.length > 0 ? mostHours.found : mostHours.empty;
    if (done >= most || performance.now() > until) return { rows, next: firstIdOf(from + hour) };
    const hours = Array.from({ length: hoursAtOnce }, (_, index) => from - index * hour);
    const found = (await pMap(hours, rowsOfHour)).flat();
    const wanted = found.filter((row) => (before === undefined || row.id < before) && isWanted(row));
    rows.push(...wanted.slice(0, limit - rows.length));
    if (rows.length === limit) return { rows, next: rows.at(-1)?.id ?? "" };
  }
}
