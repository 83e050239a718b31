/** Who wants no mails to many. Tickets and notices reach them all the same. */
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

/** Replaces one that is there: the last reason counts. */
export const putSuppression = (suppression: Suppression): TransactItem => ({
  Put: { TableName: tableName, Item: { ...suppressionKey(suppression.email), ...suppression } },
});

/** Also when there is none. */
export const dropSuppression = (email: string): TransactItem => ({
  Delete: { TableName: tableName, Key: suppressionKey(email) },
});

/** By email, behind the email `after`. */
export const pageOfSuppressions = ({ limit, after }: PageRequest): Promise<Page<Suppression>> =>
  queryPage<Suppression>(
    {
      KeyConditionExpression: after === undefined ? "PK = :list" : "PK = :list AND SK > :after",
      ExpressionAttributeValues: { ":list": list, ...(after !== undefined && { ":after": after }) },
      ConsistentRead: true,
    },
    { limit, sortKeyOf: ({ email }) => email },
  );
