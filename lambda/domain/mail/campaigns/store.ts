/**
 * Keys, items and writes of campaigns. Content and batches are written first; the campaign itself last, with the message
 * that starts send-campaign. If a request fails in between, its items belong to no campaign and expire.
 */

import { type UserRecord, userKey } from "#domain/people/users/store.ts";
import { itemsOf, type Page, type PageRequest, queryPage } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/table/execute.ts";
import type { Deadline } from "#kit/table/retry.ts";
import { getItem, getNamed, type Key, put, putIf, type TransactItem, updateIf } from "#kit/table/table.ts";
import { chunk } from "#kit/text/chunk.ts";
import { auditRow } from "#outbox/audit.ts";
import { type MessageContext, nameOf, outboxRow } from "#outbox/store.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import { type Suppression, suppressionKey } from "../suppressions.ts";
import { type CampaignContent, type CampaignRecord, clearedAt, type Recipient } from "./campaign.ts";

/** Batches in one transaction. Fifty of maximum size stay below DynamoDB's 4 MB. */
const batchesAtOnce = 50;
/** Outbox rows in one transaction: DynamoDB allows 100 items. */
const rowsAtOnce = 100;

export const campaignKey = (id: string): Key => keyOf("campaign", { id });
export const contentKey = (id: string): Key => keyOf("content of a campaign", { id });
export const batchKey = (id: string, batch: number): Key =>
  keyOf("batch of a campaign", { id, number: `${batch}`.padStart(5, "0") });
const requestKey = (hash: string): Key => keyOf("request for a campaign", { hash });

export const readCampaign = (id: string) => getItem<CampaignRecord>(campaignKey(id), "strong");

/** Stores the content and the recipients, without starting the campaign. */
export async function storeBatches(
  { campaignId, createdAt }: Pick<CampaignRecord, "campaignId" | "createdAt">,
  content: CampaignContent,
  batches: readonly (readonly Recipient[])[],
  deadline: Deadline,
): Promise<void> {
  const ttl = clearedAt(createdAt);
  const items = [
    { ...contentKey(campaignId), ...content, ttl },
    ...batches.map((recipients, index) => ({ ...batchKey(campaignId, index), recipients, ttl })),
  ];
  await Promise.all(
    chunk(items, batchesAtOnce).map((some) =>
      writeOnce(Object.fromEntries(some.map((item) => [item.SK, put(item, "new key")])), deadline),
    ),
  );
}

/** A request for a campaign. A repetition starts no second one. */
export interface CampaignRequest {
  /** The same for each repetition. */
  readonly id: string;
  /** Hash of template name and audience. */
  readonly content: string;
  /** Seconds from its campaign's creation for which a repetition is recognized. */
  readonly countsFor: number;
  /** Whether it still counts after its campaign was stopped. */
  readonly endures?: boolean;
}

/** A stored request: the campaign that it has started. */
export interface KnownRequest {
  readonly campaignId: string;
  readonly recipients: number;
  readonly content: string;
  /** Epoch seconds. DynamoDB deletes expired items late, so readers compare it. */
  readonly ttl: number;
}

export const readRequest = ({ id }: CampaignRequest) => getItem<KnownRequest>(requestKey(id), "strong");

const putRequest = (
  { id, content, countsFor }: CampaignRequest,
  { campaignId, recipients, createdAt }: CampaignRecord,
  outdated = "",
): TransactItem =>
  putIf(
    { ...requestKey(id), campaignId, recipients, content, ttl: Math.ceil(createdAt / 1_000) + countsFor },
    {
      ConditionExpression: "attribute_not_exists(PK) OR campaignId = :outdated",
      ExpressionAttributeValues: { ":outdated": outdated },
    },
  );

/**
 * Starts a stored campaign. Refused when another campaign belongs to the same request.
 * @param outdated id of an earlier campaign of the same request, which no longer counts
 */
export const startOf = (
  campaign: CampaignRecord,
  request: CampaignRequest,
  context: MessageContext,
  outdated?: string,
) => ({
  campaign: put({ ...campaignKey(campaign.campaignId), ...campaign, ttl: clearedAt(campaign.createdAt) }, "new key"),
  request: putRequest(request, campaign, outdated),
  started: outboxRow(
    { type: "campaign.started", data: { campaignId: campaign.campaignId, recipients: campaign.recipients } },
    context,
  ),
});

/**
 * Writes one `campaign.batch` message per batch. Idempotent: each row has a fixed name, and a refused transaction means
 * that an earlier call wrote all its rows.
 */
export async function announceBatches(campaign: CampaignRecord, context: RequestContext): Promise<void> {
  const { campaignId, batches, createdAt } = campaign;
  const rows = Array.from(
    { length: batches },
    (_, batch): TransactItem =>
      outboxRow(
        { type: "campaign.batch", data: { campaignId, batch } },
        { ...context, now: createdAt },
        nameOf(createdAt, ["campaign.batch", campaignId, batch]),
      ),
  );
  for (const some of chunk(rows, rowsAtOnce)) {
    await writeOnce(Object.fromEntries(some.entries()), context);
  }
}

const putStop = (id: string, now: number): TransactItem =>
  updateIf(campaignKey(id), {
    UpdateExpression: "SET stoppedAt = :now",
    ConditionExpression: "attribute_exists(PK) AND attribute_not_exists(stoppedAt)",
    ExpressionAttributeValues: { ":now": now },
  });

/**
 * Stops a campaign, so that no further recipient gets it.
 * @returns false when the campaign does not exist
 * @throws Contended UnknownOutcome
 */
export const stopCampaign = (id: string, context: RequestContext): Promise<boolean> =>
  execute(
    {
      read: () => readCampaign(id),
      decide(campaign: CampaignRecord | undefined): Decision<boolean> {
        if (!campaign || campaign.stoppedAt !== undefined) return answer(campaign !== undefined);
        const audit = auditRow({ action: "campaign.stopped", id }, context);
        return write({ campaign: putStop(id, context.now), audit }, true);
      },
    },
    context,
  );

/** Campaigns, newest first. With `after`, the page begins behind that id. */
export const pageOfCampaigns = ({ limit, after }: PageRequest): Promise<Page<CampaignRecord>> =>
  queryPage<CampaignRecord>(itemsOf(partitionOf("campaign", {}), after, false), {
    limit,
    sortKeyOf: ({ campaignId }) => campaignId,
  });

/** The campaign, its content and the recipients of one batch. Undefined when the campaign is gone. */
export async function readBatch(id: string, batch: number) {
  const [campaign, content, recipients] = await Promise.all([
    readCampaign(id),
    getItem<CampaignContent>(contentKey(id), "strong"),
    getItem<{ readonly recipients: readonly Recipient[] }>(batchKey(id, batch), "strong"),
  ]);
  return campaign && content && recipients ? { campaign, content, recipients: recipients.recipients } : undefined;
}

/** Facts read right before the mail to one person. */
export interface Standing {
  readonly verdict: "go" | "stopped" | "suppressed";
  /** The names in the person's account. Absent: there is no account, or it was not requested. */
  readonly account?: Pick<UserRecord, "fname" | "lname">;
}

type StandingItems = { campaign: CampaignRecord; suppression: Suppression; account: UserRecord };

/**
 * Whether this mail may still be sent. It is read after the claim, so that a stop before the claim takes effect.
 * @param withNames also reads the person's names
 */
export async function readStanding(id: string, email: string, withNames: boolean): Promise<Standing> {
  const keys = { campaign: campaignKey(id), suppression: suppressionKey(email) };
  const more = withNames && { account: userKey(email) };
  const { campaign, suppression, account } = await getNamed<StandingItems>({ ...keys, ...more }, "strong");
  if (!campaign || campaign.stoppedAt !== undefined) return { verdict: "stopped" };
  if (suppression) return { verdict: "suppressed" };
  return { verdict: "go", ...(account && { account }) };
}
