/**
 * Keys and writes of suppressions. A suppressed person gets no campaigns, but still gets tickets and notices. An admin
 * writes suppressions, and a mail that bounced or was complained of does (`docs/contract.md`, "Emails").
 */
import { itemsOf, type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import { checkIf, drop, type Key, put, putNew, type TransactItem } from "#kit/table.ts";

/** An address that gets no campaigns. */
export interface Suppression {
  readonly email: string;
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

const list = "SUPPRESSED";

/**
 * Days for which a lifted suppression is remembered: longer than an event can wait in the queue, and once more after an
 * operator moves it back from the dead letters.
 */
const daysLifted = 60;

const liftedKey = (email: string): Key => ({ PK: "UNSUPPRESSED", SK: email });

export const suppressionKey = (email: string): Key => ({ PK: list, SK: email });

/** Replaces an existing suppression, so the last reason counts. */
export const putSuppression = (suppression: Suppression): TransactItem =>
  put({ ...suppressionKey(suppression.email), ...suppression });

/**
 * A suppression by an event of a mail. An existing suppression stays as it is, and so does one that an admin has lifted
 * since the event: events come late, twice and in any order. Then the transaction is refused.
 */
export const suppressionByEvent = (suppression: Suppression) => ({
  suppression: putNew({ ...suppressionKey(suppression.email), ...suppression }),
  notLifted: checkIf(liftedKey(suppression.email), {
    ConditionExpression: "attribute_not_exists(PK) OR liftedAt < :occurred",
    ExpressionAttributeValues: { ":occurred": suppression.createdAt },
  }),
});

/**
 * Lifts a suppression. Does nothing visible when there is none.
 * @param now epoch milliseconds
 */
export const liftSuppression = (email: string, now: number) => ({
  suppression: drop(suppressionKey(email)),
  lifted: put({ ...liftedKey(email), liftedAt: now, ttl: Math.floor(now / 1_000) + daysLifted * 86_400 }),
});

/** Suppressions sorted by email. With `after`, the page begins behind that email. */
export const pageOfSuppressions = ({ limit, after }: PageRequest): Promise<Page<Suppression>> =>
  queryPage<Suppression>(itemsOf(list, after), { limit, sortKeyOf: ({ email }) => email });
