/**
 * Keys and writes of suppressions. A suppressed person gets no campaigns, but still gets tickets and notices. Admins
 * create suppressions, as do permanent bounces and complaints (`docs/contract.md`, "Emails").
 */

import { itemsOf, type Page, type PageRequest, queryPage } from "#kit/lists/pages.ts";
import { ttlAfter } from "#kit/table/item.ts";
import { checkIf, drop, type Key, put, putNew, type TransactItem } from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";

export interface Suppression {
  readonly email: string;
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * Days for which a lifted suppression is remembered: longer than an event can stay in the queue, the dead-letter queue
 * and again in the queue.
 */
const daysLifted = 60;

const liftedKey = (email: string): Key => keyOf("lifted suppression", { email });

export const suppressionKey = (email: string): Key => keyOf("suppression", { email });

/** Replaces an existing suppression, so the last reason counts. */
export const putSuppression = (suppression: Suppression): TransactItem =>
  put({ ...suppressionKey(suppression.email), ...suppression }, "last wins");

/**
 * A suppression after an SES event. Refused when there is a suppression already, or an admin has lifted it since the
 * event: events may be late, duplicated and in any order.
 */
export const suppressionByEvent = (suppression: Suppression) => ({
  suppression: putNew({ ...suppressionKey(suppression.email), ...suppression }),
  notLifted: checkIf(liftedKey(suppression.email), {
    ConditionExpression: "attribute_not_exists(PK) OR liftedAt < :occurred",
    ExpressionAttributeValues: { ":occurred": suppression.createdAt },
  }),
});

/**
 * Lifts a suppression. Without one, only the time is stored.
 * @param now epoch milliseconds
 */
export const liftSuppression = (email: string, now: number) => ({
  suppression: drop(suppressionKey(email), "last wins"),
  lifted: put({ ...liftedKey(email), liftedAt: now, ttl: ttlAfter(now, daysLifted) }, "last wins"),
});

/** Suppressions sorted by email. With `after`, the page begins behind that email. */
export const pageOfSuppressions = ({ limit, after }: PageRequest): Promise<Page<Suppression>> =>
  queryPage<Suppression>(itemsOf(partitionOf("suppression", {}), after), { limit, sortKeyOf: ({ email }) => email });
