/**
 * Keys, items and writes of campaigns. Everything is written before the campaign itself, which is what lets the worker
 * begin; what a request that died has left behind is nobody's, and time to live clears it away.
 */
import { createHash } from "node:crypto";
import type { RequestContext } from "#kit/context.ts";
import { writeOnce } from "#kit/execute.ts";
import { type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import type { Deadline } from "#kit/retry.ts";
import { getItem, getItems, type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import { type MessageContext, nameOf, outboxRow } from "#outbox/store.ts";
import { type Suppression, suppressionKey } from "../suppressions.ts";
import {
  batchesOf,
  type CampaignContent,
  type CampaignRecord,
  clearedAfter,
  daysKept,
  type Recipient,
} from "./campaign.ts";

/** Of an idempotency key. */
const daysRemembered = 30;
/** Of a request without one: more than the minutes for which it counts. */
const daysUnnamed = 1;
/** Of a transaction; 4 MB are room for more of the largest batches. */
const batchesAtOnce = 50;
const rowsAtOnce = 100;

const list = "CMP";
const campaignKey = (id: string): Key => ({ PK: list, SK: id });
const contentKey = (id: string): Key => ({ PK: `CMP#${id}`, SK: "CONTENT" });
const batchKey = (id: string, batch: number): Key => ({
  PK: `CMP#${id}`,
  SK: `BATCH#${String(batch).padStart(5, "0")}`,
});
/** Names are free text: hashed, they are as long as all others. A request without one is known by what it asks for. */
const requestKey = ({ name, fingerprint }: RequestName): Key => ({
  PK: name === undefined ? `CMPSAME#${fingerprint}` : `CMPKEY#${createHash("sha256").update(name).digest("base64url")}`,
  SK: "CMPKEY",
});

export const readCampaign = (id: string) => getItem<CampaignRecord>(campaignKey(id), "strong");

const put = <T extends Key>(item: T): TransactItem => ({ Put: { TableName: tableName, Item: { ...item } } });

/** Stores what a campaign says and whom it is for. Nothing begins yet. */
export async function storeBatches(
  { campaignId, createdAt }: Pick<CampaignRecord, "campaignId" | "createdAt">,
  content: CampaignContent,
  batches: readonly (readonly Recipient[])[],
  deadline: Deadline,
): Promise<void> {
  const ttl = clearedAfter(daysKept, createdAt);
  const items = [
    { ...contentKey(campaignId), ...content, ttl },
    ...batches.map((recipients, index) => ({ ...batchKey(campaignId, index), recipients, ttl })),
  ];
  await Promise.all(
    batchesOf(items, batchesAtOnce).map((some) =>
      writeOnce(Object.fromEntries(some.map((item) => [item.SK, put(item)])), deadline),
    ),
  );
}

/** How a request is known again, so that asking again is no second campaign. */
export interface RequestName {
  /** What the client calls it. */
  readonly name?: string;
  readonly fingerprint: string;
}

/** A request that has started a campaign. */
export interface KnownRequest {
  readonly campaignId: string;
  readonly recipients: number;
  readonly fingerprint: string;
  /** Of the campaign, epoch milliseconds. */
  readonly createdAt: number;
}

export const readRequest = (request: RequestName) => getItem<KnownRequest>(requestKey(request), "strong");

const putRequest = (
  request: RequestName,
  { campaignId, recipients, createdAt }: CampaignRecord,
  outdated: string | undefined,
): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: {
      ...requestKey(request),
      campaignId,
      recipients,
      fingerprint: request.fingerprint,
      createdAt,
      ttl: clearedAfter(request.name === undefined ? daysUnnamed : daysRemembered, createdAt),
    },
    ...(outdated === undefined
      ? { ConditionExpression: "attribute_not_exists(PK)" }
      : {
          ConditionExpression: "campaignId = :outdated",
          ExpressionAttributeValues: { ":outdated": outdated },
        }),
  },
});

/**
 * Lets a stored campaign begin. Refused when its request was given to another campaign.
 * @param outdated id of the campaign that the same request has started before and that does not count any more
 */
export const startOf = (
  campaign: CampaignRecord,
  request: RequestName,
  context: MessageContext,
  outdated?: string,
) => ({
  campaign: put({ ...campaignKey(campaign.campaignId), ...campaign, ttl: clearedAfter(daysKept, campaign.createdAt) }),
  request: putRequest(request, campaign, outdated),
  started: outboxRow(
    { type: "campaign.started", data: { campaignId: campaign.campaignId, recipients: campaign.recipients } },
    context,
  ),
});

/**
 * Tells the worker of every batch by a message of its own. A message that comes twice tells nobody twice: the rows have
 * names of their own, and a refused transaction was carried out whole before.
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
  for (const some of batchesOf(rows, rowsAtOnce)) {
    await writeOnce(Object.fromEntries(some.entries()), context);
  }
}

/** From now on nobody else gets it. @returns false when there is no such campaign */
export const stopCampaign = (id: string, now: number): Promise<boolean> =>
  writeIf({
    Key: campaignKey(id),
    UpdateExpression: "SET stoppedAt = if_not_exists(stoppedAt, :now)",
    ConditionExpression: "attribute_exists(PK)",
    ExpressionAttributeValues: { ":now": now },
  });

/** Campaigns, newest first, behind the id `after`. */
export const pageOfCampaigns = ({ limit, after }: PageRequest): Promise<Page<CampaignRecord>> =>
  queryPage<CampaignRecord>(
    {
      KeyConditionExpression: after === undefined ? "PK = :list" : "PK = :list AND SK < :after",
      ExpressionAttributeValues: { ":list": list, ...(after !== undefined && { ":after": after }) },
      ScanIndexForward: false,
      ConsistentRead: true,
    },
    { limit, sortKeyOf: ({ campaignId }) => campaignId },
  );

/** What the worker needs for a batch; undefined when the campaign is gone. */
export async function readBatch(id: string, batch: number) {
  const [campaign, content, recipients] = await Promise.all([
    readCampaign(id),
    getItem<CampaignContent>(contentKey(id), "strong"),
    getItem<{ readonly recipients: readonly Recipient[] }>(batchKey(id, batch), "strong"),
  ]);
  return campaign && content && recipients ? { campaign, content, recipients: recipients.recipients } : undefined;
}

/** Whether this mail may still go out: read after the claim, so that whoever stops it before the claim is heard. */
export async function readStanding(id: string, email: string): Promise<"go" | "stopped" | "suppressed"> {
  const keys = [campaignKey(id), suppressionKey(email)];
  const items = await getItems<Partial<CampaignRecord & Suppression>>(keys, "strong");
  const campaign = items.find(({ PK }) => PK === list);
  if (!campaign || campaign.stoppedAt !== undefined) return "stopped";
  return items.some((item) => item.email === email) ? "suppressed" : "go";
}
