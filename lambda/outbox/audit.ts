/**
 * The audit: who changed what (`docs/contract.md`, "Audit"). A change with a message has its row of the outbox, with the
 * changed fields beside the message, which the bus does not get. A change without one has a row of its own. Either is in the
 * transaction of the change.
 */

import { ulid } from "ulid";
import { putNew, type TransactItem } from "#kit/table/table.ts";
import { hourOf, keptUntil, type MessageContext } from "./row.ts";
import { keyOf, partitionOf } from "./stored-kinds.ts";

/** A changed field. A personal one, and one whose value is long, has only its name. */
export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What is noted of a change, besides who made it and when. */
export interface Audited {
  readonly changes?: readonly FieldChange[];
  /** Why, where the request says so. */
  readonly reason?: string;
}

/** The record that a change without a message is about. */
export interface AuditEntry extends Audited {
  /** What was done, such as `prize.updated`. */
  readonly action: string;
  /** Of the person whose record it is. */
  readonly email?: string;
  readonly eventID?: string;
  readonly year?: number;
  /** Of another record: a prize, a template, a project. */
  readonly id?: string;
}

/** Fields that change with every write, that follow from others, or that count. */
const unnoted = new Set([
  ...["PK", "SK", "GSI1PK", "GSI1SK", "leaderboard", "version", "noticeVersion", "termsVersion", "scheduleVersion"],
  ...[
    "isWithdrawn",
    "updatedAt",
    "changedBy",
    "again",
    "amended",
    "favoured",
    "queueKey",
    "registeredAt",
    "ticketId",
    "calendarUid",
  ],
]);
/** Characters of a value in JSON. */
const longestValue = 300;

const isShort = (json: string | undefined): boolean => (json?.length ?? 0) <= longestValue;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields that differ between two states of a record. Pure.
 * @param before undefined for a new record, of which only the fields in `shown` are noted
 * @param personal the fields that are noted by name only
 */
export function changesOf(
  before: object | undefined,
  after: object | undefined,
  personal: readonly string[] = [],
): FieldChange[] {
  const [was, is]: readonly [Fields, Fields] = [{ ...before }, { ...after }];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
  return fields.flatMap((field): FieldChange[] => {
    const [old, next] = [JSON.stringify(was[field]), JSON.stringify(is[field])];
    if (unnoted.has(field) || old === next) return [];
    if (personal.includes(field) || !isShort(old) || !isShort(next)) return [{ field }];
    return [
      {
        field,
        ...(old !== undefined && { before: was[field] }),
        ...(next !== undefined && { after: is[field] }),
      },
    ];
  });
}

/** The row of a change without a message. */
export const auditRow = (
  { changes, reason, ...entry }: AuditEntry,
  { now, actor, requestId }: MessageContext,
): TransactItem =>
  putNew({
    ...keyOf("audit row", { hour: hourOf(now), ulid: ulid(now) }),
    ...entry,
    actor,
    at: now,
    requestId,
    ...((changes ?? reason) !== undefined && { audit: { ...(changes && { changes }), ...(reason && { reason }) } }),
    ttl: keptUntil(now),
  });

/** @param now epoch milliseconds */
export const auditPartition = (now: number): string => partitionOf("audit row", { hour: hourOf(now) });
