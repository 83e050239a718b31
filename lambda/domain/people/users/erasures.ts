/** The notes of erasures to come, in the order in which they are due (`docs/contract.md`, "A person's data"). */

import { randomBytes } from "node:crypto";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { timeText, ttlAfter } from "#kit/table/item.ts";
import {
  drop,
  type Item,
  type Key,
  put,
  type Query,
  queryOnce,
  type TransactItem,
  type Transaction,
} from "#kit/table/table.ts";
import { day } from "#kit/text/time.ts";
import { outboxRow } from "#outbox/store.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import { type Again, limits } from "../once-more.ts";

/** Longer than refunds, repeated messages and the provider's events usually take. */
const daysUntilErasure = 60;
/** Days after which an erasure that never ends is given up. */
const daysKept = 400;

export interface Erasure {
  readonly email: string;
  /** Epoch milliseconds. */
  readonly deletedAt: number;
  /** Instead of the email, from the first try on. */
  readonly pseudonym?: string;
}

export type ErasureNote = Erasure & Item;

const domain = "erased.invalid";

/** A name that leads to no person, for records that outlive their person. No mail reaches it (RFC 2606, 2). */
export const newPseudonym = (): string => `erased-${randomBytes(16).toString("hex")}@${domain}`;

/**
 * The name of all erased people, for records whose ids must stay and are also elsewhere, such as payments: a name of
 * the person's own would lead from these ids to all that has it.
 */
export const erasedName = `erased@${domain}`;

/** Whether an email is one of an erased person. Nothing is sent to it, or about it. */
export const isPseudonym = (email: string): boolean => email.endsWith(`@${domain}`);

/** When the erasure of a person is due who was deleted then. Both epoch milliseconds. */
export const dueAfter = (deletedAt: number): number => deletedAt + daysUntilErasure * day;

function noteOf(erasure: Erasure, due: number): Item {
  const key = keyOf("erasure to come", { ms: timeText(due), email: erasure.email });
  return { ...key, ...erasure, ttl: ttlAfter(due, daysKept) };
}

/** When a note is due, epoch milliseconds. */
export const dueIn = ({ SK }: Key): number => Number(SK.slice(0, 13));

/**
 * The members that begin the erasure of a person: its note, and the message after which consumers forget the person.
 * @param origin of the deletion
 */
export const beginErasure = (email: string, origin: string, context: RequestContext) => ({
  erasure: put(noteOf({ email, deletedAt: context.now }, dueAfter(context.now)), "beside a condition"),
  message: outboxRow({ type: "user.deleted", data: { email, origin } }, context),
});

/** Changes a note, which keeps its place. */
export const changeNote = (note: Item, erasure: Required<Erasure>): TransactItem =>
  put({ ...note, ...erasure }, "last wins");

/** Removes a note, or with a time notes the erasure for then. @param due epoch milliseconds */
export function closeNote(read: Item, again?: { readonly erasure: Erasure; readonly due: number }): Transaction {
  const note = drop(read, "last wins");
  if (!again) return { note };
  const next = noteOf(again.erasure, again.due);
  return next.SK === read.SK ? { note: put(next, "last wins") } : { note, again: put(next, "beside a condition") };
}

const partition = partitionOf("erasure to come", {});

/** All notes. */
export const allErasures = (): Query => itemsOf(partition);

/** The erasures to come of a person. */
export const erasuresOf = async (email: string): Promise<ErasureNote[]> =>
  (await allOf(queryItems<ErasureNote>(allErasures()))).filter((note) => note.email === email);

/** The notes that are due, as they are due. @param now epoch milliseconds */
export const dueErasures = (now: number): Query => ({
  KeyConditionExpression: "PK = :all AND SK < :now",
  ExpressionAttributeValues: { ":all": partition, ":now": timeText(now) },
  ConsistentRead: true,
  Limit: 100,
});

/** Whether an erasure is due. @param now epoch milliseconds */
export const isErasureDue = async (now: number): Promise<boolean> =>
  (await queryOnce({ ...dueErasures(now), Limit: 1 })).items.length > 0;

/** How often the person was deleted recently, by the notes. @param now epoch milliseconds */
export async function recentDeletions(email: string, now: number): Promise<Again | undefined> {
  const since = dueAfter(now - limits.deleteAccount.within);
  const query: Query = {
    KeyConditionExpression: "PK = :all AND SK >= :since",
    ExpressionAttributeValues: { ":all": partition, ":since": timeText(since) },
    ConsistentRead: true,
  };
  const times: number[] = [];
  for await (const note of queryItems<ErasureNote>(query)) if (note.email === email) times.push(note.deletedAt);
  return times.length === 0 ? undefined : { since: Math.min(...times), count: times.length };
}
