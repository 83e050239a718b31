/** Keys of deliveries: one record per recipient of a campaign, written when send-campaign claims it. */

import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import type { Work } from "#kit/table/claims.ts";
import type { Key } from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import { type Delivery, daysKept } from "./campaign.ts";

/**
 * Milliseconds after which a claimed recipient without a result counts as unconfirmed. If the table or the mail service
 * is slow, a try may take longer; its later result still counts.
 */
const lease = 60_000;

export const deliveryKey = (id: string, email: string): Key => keyOf("delivery of a campaign", { id, email });

/** The deliveries of all recipients that send-campaign has claimed. */
export const readDeliveries = (id: string): Promise<Delivery[]> =>
  allOf(queryItems<Delivery>(itemsOf(partitionOf("delivery of a campaign", { id }))));

/**
 * The mail to a recipient, as work to claim. It is sent at most once, so no other try takes over: a claim without an
 * ending is unconfirmed.
 */
export const mailTo = (campaignId: string, email: string): Work => ({
  key: deliveryKey(campaignId, email),
  lease,
  takesOver: false,
  keptFor: daysKept * 86_400,
  facts: { email },
});

/** How a claim ends. `released`: no mail was sent, and another try may claim the recipient. */
export type Ending = Exclude<Delivery["state"], "claimed">;
