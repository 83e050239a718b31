/** Keys and writes of deliveries: one record for each recipient of a campaign, written when send-campaign claims it. */
import { allOf, queryItems } from "#kit/pages.ts";
import { type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import { clearedAfter, type Delivery, daysKept } from "./campaign.ts";

/**
 * Milliseconds after which a claimed recipient without a result counts as unconfirmed. With a slow table and a slow
 * mail service a try may take longer. Its result still counts when it is noted later.
 */
const lease = 60_000;

export const deliveryKey = (id: string, email: string): Key => ({ PK: `CMPR#${id}`, SK: email });

/** The deliveries of all recipients that send-campaign has claimed. */
export function readDeliveries(id: string): Promise<Delivery[]> {
  const query = {
    KeyConditionExpression: "PK = :campaign",
    ExpressionAttributeValues: { ":campaign": deliveryKey(id, "").PK },
    ConsistentRead: true,
  };
  return allOf(queryItems<Delivery>(query));
}

/** One recipient of a campaign, and the try that has claimed this recipient. */
export interface Claim {
  readonly campaignId: string;
  readonly email: string;
  readonly claimedBy: string;
}

/**
 * Claims a recipient before the mail is sent. Only one try ever gets the claim, unless a try releases it.
 * @param now epoch milliseconds
 */
export const claim = ({ campaignId, email, claimedBy }: Claim, now: number): TransactItem => ({
  Update: {
    TableName: tableName,
    Key: deliveryKey(campaignId, email),
    UpdateExpression: "SET #state = :sending, email = :email, claimedBy = :me, leaseUntil = :until, #ttl = :ttl",
    ConditionExpression: "attribute_not_exists(PK) OR #state = :released",
    ExpressionAttributeNames: { "#state": "state", "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":sending": "sending",
      ":released": "released",
      ":email": email,
      ":me": claimedBy,
      ":until": now + lease,
      ":ttl": clearedAfter(daysKept, now),
    },
  },
});

/** The end of a claim. `released`: no mail was sent, and another try may claim the recipient. */
export type Ending = Exclude<Delivery["state"], "sending">;

/** Notes the result. No try takes over the claim of another one, so a late result still belongs to this try. */
export const noteEnding = (
  { campaignId, email, claimedBy }: Claim,
  ending: Ending,
  message?: string,
): Promise<boolean> =>
  writeIf({
    Key: deliveryKey(campaignId, email),
    UpdateExpression: `SET #state = :ending${message === undefined ? "" : ", message = :message"}`,
    ConditionExpression: "claimedBy = :me",
    ExpressionAttributeNames: { "#state": "state" },
    ExpressionAttributeValues: {
      ":ending": ending,
      ":me": claimedBy,
      ...(message !== undefined && { ":message": message }),
    },
  });
