/** Keys and transaction members of payments: what each was settled as, once. */
import { getItem, type Key, type TransactItem, tableName } from "#kit/table.ts";

/** What became of money that arrived. */
export type Settlement = "seat" | "refund";

const settledKey = (paymentId: string): Key => ({ PK: `PAY#${paymentId}`, SK: "SETTLED" });

/** Refused when the payment has been settled already. */
export const putSettled = (
  { paymentId, email }: { readonly paymentId: string; readonly email: string },
  as: Settlement,
): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...settledKey(paymentId), email, as },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

export const readSettlement = async (paymentId: string): Promise<Settlement | undefined> =>
  (await getItem<{ readonly as: Settlement }>(settledKey(paymentId), "strong"))?.as;
