/** Keys and writes of what is noted of a campaign's recipients, from the moment on in which the worker comes to them. */
import { queryItems } from "#kit/pages.ts";
import { type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import { clearedAfter, type Delivery, daysKept } from "./campaign.ts";

/**
 * Milliseconds after which somebody who is claimed and not noted counts as unconfirmed. A slow table and a slow mail service
 * together may take longer; what is noted then still counts.
 */
const lease = 60_000;

const deliveryKey = (id: string, email: string): Key => ({ PK: `CMPR#${id}`, SK: email });

/** Of all whom the worker has come to. */
export async function readDeliveries(id: string): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  const query = {
    KeyConditionExpression: "PK = :campaign",
    ExpressionAttributeValues: { ":campaign": deliveryKey(id, "").PK },
    ConsistentRead: true,
  };
  for await (const row of queryItems<Delivery>(query)) deliveries.push(row);
  return deliveries;
}

/** One recipient of a campaign, and the try that has claimed them. */
export interface Claim {
  readonly campaignId: string;
  readonly email: string;
  readonly claimedBy: string;
}

/**
 * Claims a recipient, before anything is sent to them. Of all who try, ever, one gets it, unless it is given back.
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

/** How a claim ends; `released`: nothing was sent, and somebody may try again. */
export type Ending = Exclude<Delivery["state"], "sending">;

/** Notes how it went. Nobody takes a claim over, therefore it is still this try's, however late. */
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
