/**
 * The item of a new email (`docs/contract.md`, "A person's data"): first the request, which both addresses confirm within a day,
 * then the note of what has still to follow. It is under the former address, and goes when everything has followed, so that
 * nothing leads from the new address to the former one.
 */

import { ttlAfter } from "#kit/table/item.ts";
import { deleteIf, getItem, type Key, putIf, type TransactItem } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import type { Side } from "./sides.ts";

const daysToConfirm = 1;

export interface NewEmail {
  /** The former address. */
  readonly email: string;
  readonly to: string;
  /** In the links of the mails. A later request has another one, which ends the earlier links. */
  readonly requestId: string;
  /** When each address has confirmed, epoch milliseconds. */
  readonly confirmed: { readonly [S in Side]?: number };
  /** The executive who confirms in place of the former address, which may be lost. */
  readonly by?: string;
  /** Epoch seconds. */
  readonly ttl?: number;
  /** Since then what remains follows, epoch milliseconds. */
  readonly movedAt?: number;
}

const newEmailKey = (email: string): Key => keyOf("new email", { email });

export const readNewEmail = (email: string): Promise<NewEmail | undefined> =>
  getItem<NewEmail>(newEmailKey(email), "strong");

/** Replaces an earlier request. Refused while records follow. @param now epoch milliseconds */
export const putRequest = (request: NewEmail, now: number): TransactItem =>
  putIf(
    { ...newEmailKey(request.email), ...request, ttl: ttlAfter(now, daysToConfirm) },
    { ConditionExpression: "attribute_not_exists(movedAt)" },
  );

/** The condition that neither the request nor what was confirmed has changed. */
const asRead = ({ requestId, confirmed }: NewEmail) => ({
  ConditionExpression: "requestId = :id AND confirmed = :confirmed AND attribute_not_exists(movedAt)",
  ExpressionAttributeValues: { ":id": requestId, ":confirmed": confirmed },
});

/** Stores that an address has confirmed. Refused when the request has changed since it was read. */
export const putConfirmed = (read: NewEmail, confirmed: NewEmail["confirmed"]): TransactItem =>
  putIf({ ...newEmailKey(read.email), ...read, confirmed }, asRead(read));

/** Notes that records have moved, and others follow. Refused likewise. @param now epoch milliseconds */
export const putMoved = (read: NewEmail, confirmed: NewEmail["confirmed"], now: number): TransactItem => {
  const { ttl: _, ...request } = read;
  return putIf({ ...newEmailKey(read.email), ...request, confirmed, movedAt: now }, asRead(read));
};

/** Everything has followed. */
export const dropMoved = ({ email, requestId }: NewEmail): TransactItem =>
  deleteIf(newEmailKey(email), {
    ConditionExpression: "attribute_not_exists(PK) OR requestId = :id",
    ExpressionAttributeValues: { ":id": requestId },
  });

/** Whether its links still work. @param now epoch milliseconds */
export const isOpen = ({ ttl = 0, movedAt }: NewEmail, now: number): boolean =>
  movedAt === undefined && ttl * 1_000 > now;
