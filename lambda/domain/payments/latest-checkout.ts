/**
 * The latest checkout of a person for one purpose. That of the membership also knows when the account was deleted: money
 * of a checkout from before that goes back, because a membership would create the account again.
 */
import type { EventKey } from "#domain/events/event.ts";
import { getItem, type Key, type TransactItem, tableName } from "#kit/table.ts";
import type { LatestCheckout } from "./checkout.ts";

/** The key is in the person's partition. Each event has one latest checkout, and so has the membership. */
export const latestCheckoutKey = (email: string, event: EventKey | undefined): Key => ({
  PK: `USER#${email}`,
  SK: event ? `CHECKOUT#EVENT#${event.id}#${event.year}` : "CHECKOUT#MEMBER",
});

/** @param event undefined for a membership */
export const readLatestCheckout = (email: string, event: EventKey | undefined) =>
  getItem<LatestCheckout>(latestCheckoutKey(email, event), "strong");

/**
 * Closes the latest checkout for a membership, and those before it, together with the account. Refused when the latest
 * checkout is another one than was read.
 * @param read undefined when there is none; then demands that there is still none
 * @param now epoch milliseconds
 */
export const closeWithAccount = (email: string, read: LatestCheckout | undefined, now: number): TransactItem => {
  const at = { TableName: tableName, Key: latestCheckoutKey(email, undefined) };
  if (!read) return { ConditionCheck: { ...at, ConditionExpression: "attribute_not_exists(PK)" } };
  return {
    Update: {
      ...at,
      UpdateExpression: "SET closed = :closed, accountDeletedAt = :deletedAt",
      ConditionExpression: "id = :id",
      ExpressionAttributeValues: {
        ":closed": true,
        // The request of the checkout may have come later than the deletion's, and been faster.
        ":deletedAt": Math.max(now, read.createdAt),
        ":id": read.id,
      },
    },
  };
};

/** Whether the account was deleted after this checkout. */
export const isOfDeletedAccount = (
  { createdAt }: Pick<LatestCheckout, "createdAt">,
  latest: Pick<LatestCheckout, "accountDeletedAt"> | undefined,
): boolean => latest?.accountDeletedAt !== undefined && createdAt <= latest.accountDeletedAt;

/** Demands that the account was not deleted after this checkout for a membership. */
export const accountNotDeletedSince = ({
  email,
  createdAt,
}: Pick<LatestCheckout, "email" | "createdAt">): TransactItem => ({
  ConditionCheck: {
    TableName: tableName,
    Key: latestCheckoutKey(email, undefined),
    ConditionExpression: "attribute_not_exists(accountDeletedAt) OR accountDeletedAt < :createdAt",
    ExpressionAttributeValues: { ":createdAt": createdAt },
  },
});
