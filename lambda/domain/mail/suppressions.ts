/** Keys and writes of suppressions. A suppressed person gets no campaigns, but still gets tickets and notices. */
import { type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import { type Key, type TransactItem, tableName } from "#kit/table.ts";

/** An address that gets no campaigns. */
export interface Suppression {
  readonly email: string;
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

const list = "SUPPRESSED";

export const suppressionKey = (email: string): Key => ({ PK: list, SK: email });

/** Replaces an existing suppression, so the last reason counts. */
export const putSuppression = (suppression: Suppression): TransactItem => ({
  Put: { TableName: tableName, Item: { ...suppressionKey(suppression.email), ...suppression } },
});

/** Removes a suppression. Does nothing when there is none. */
export const dropSuppression = (email: string): TransactItem => ({
  Delete: { TableName: tableName, Key: suppressionKey(email) },
});

/** Suppressions sorted by email. With `after`, the page begins behind that email. */
export const pageOfSuppressions = ({ limit, after }: PageRequest): Promise<Page<Suppression>> =>
  queryPage<Suppression>(
    {
      KeyConditionExpression: after === undefined ? "PK = :list" : "PK = :list AND SK > :after",
      ExpressionAttributeValues: { ":list": list, ...(after !== undefined && { ":after": after }) },
      ConsistentRead: true,
    },
    { limit, sortKeyOf: ({ email }) => email },
  );
