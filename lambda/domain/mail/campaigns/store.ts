/**
 * Keys, items and writes of campaigns. Content and batches are written first; the campaign itself last, with the message
 * that starts send-campaign. If a request fails in between, its items belong to no campaign and expire.
 */

import { type UserRecord, userKey } from "#domain/people/users/store.ts";
import { itemsOf, type Page, type PageRequest, queryPage } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { claim, recordEnd } from "#kit/table/claims.ts";
import { answer, type Decision, edit, execute, write, writeOnce } from "#kit/table/execute.ts";
import { keyIn, timeText } from "#kit/table/item.ts";
import type { Deadline } from "#kit/table/retry.ts";
import {
  checkIf,
  drop,
  getItem,
  getNamed,
  type Key,
  put,
  putIf,
  putNew,
  type Query,
  type TransactItem,
  updateIf,
} from "#kit/table/table.ts";
import { chunk } from "#kit/text/chunk.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import { type MessageContext, nameOf, outboxRow } from "#outbox/store.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import { CampaignBegun } from "../refusals.ts";
import { type Suppression, suppressionKey } from "../suppressions.ts";
import {
  begunAtOf,
  type CampaignContent,
  type CampaignRecord,
  clearedAt,
  isAhead,
  type Recipient,
} from "./campaign.ts";
import { mailTo } from "./deliveries.ts";

/** Batches in one transaction. Fifty of maximum size stay below DynamoDB's 4 MB. */
export const batchesAtOnce = 50;
/** Outbox rows in one transaction: DynamoDB allows 100 items. */
const rowsAtOnce = 100;

export const campaignKey = (id: string): Key => keyOf("campaign", { id });
export const contentKey = (id: string): Key => keyOf("content of a campaign", { id });
export const batchKey = (id: string, batch: number): Key =>
  keyOf("batch of a campaign", { id, number: `${batch}`.padStart(5, "0") });
const requestKey = (hash: string): Key => keyOf("request for a campaign", { hash });

export const readCampaign = (id: string) => getItem<CampaignRecord>(campaignKey(id), "strong");

const batchItem = (
  campaign: Pick<CampaignRecord, "campaignId" | "createdAt" | "sendAt">,
  index: number,
  recipients: readonly Recipient[],
) => ({ ...batchKey(campaign.campaignId, index), recipients, ttl: clearedAt(campaign) });

/** Stores the content and the recipients, without starting the campaign. */
export async function storeBatches(
  campaign: Pick<CampaignRecord, "campaignId" | "createdAt" | "sendAt">,
  content: CampaignContent,
  batches: readonly (readonly Recipient[])[],
  deadline: Deadline,
): Promise<void> {
  const { campaignId } = campaign;
  const ttl = clearedAt(campaign);
  const items = [
    { ...contentKey(campaignId), ...content, ttl },
    ...batches.map((recipients, index) => batchItem(campaign, index, recipients)),
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

const putCampaign = (campaign: CampaignRecord): TransactItem =>
  put({ ...campaignKey(campaign.campaignId), ...campaign, ttl: clearedAt(campaign) }, "new key");

const started = ({ campaignId, recipients }: CampaignRecord, context: MessageContext): TransactItem =>
  outboxRow({ type: "campaign.started", data: { campaignId, recipients } }, context);

export const timeKey = ({ campaignId: id }: Pick<CampaignRecord, "campaignId">, sendAt: number): Key =>
  keyOf("campaign to come", { ms: timeText(sendAt), id });

/** The sweeper reads it when it is due. */
const putTime = (campaign: CampaignRecord, sendAt: number): TransactItem => {
  const { campaignId } = campaign;
  return put({ ...timeKey(campaign, sendAt), campaignId, ttl: clearedAt(campaign) }, "beside a condition");
};

/**
 * Starts a stored campaign, or schedules it. Refused when another campaign belongs to the same request.
 * @param outdated id of an earlier campaign of the same request, which no longer counts
 */
export const startOf = (
  campaign: CampaignRecord,
  request: CampaignRequest,
  context: MessageContext,
  outdated?: string,
) => ({
  campaign: putCampaign(campaign),
  request: putRequest(request, campaign, outdated),
  ...(campaign.sendAt === undefined
    ? { started: started(campaign, context) }
    : {
        time: putTime(campaign, campaign.sendAt),
        audit: auditRow({ action: "campaign.scheduled", id: campaign.campaignId }, context),
      }),
});

/** Starts the campaign of a rule, with its content. The caller's marker makes it the only one. */
export const startOfRule = (
  campaign: CampaignRecord,
  content: CampaignContent | undefined,
  context: MessageContext,
) => ({
  campaign: putCampaign(campaign),
  ...(content && {
    content: put({ ...contentKey(campaign.campaignId), ...content, ttl: clearedAt(campaign) }, "new key"),
    started: started(campaign, context),
  }),
});

/** The campaigns that are due, as they are due. @param now epoch milliseconds */
export const dueCampaigns = (now: number): Query => ({
  KeyConditionExpression: "PK = :all AND SK < :now",
  ExpressionAttributeValues: { ":all": partitionOf("campaign to come", {}), ":now": timeText(now + 1) },
  Limit: 100,
});

/** When a line of the campaigns to come says that its campaign begins, epoch milliseconds. */
const timeIn = ({ SK }: Key): number => Number(SK.slice(0, SK.indexOf("#")));

/** While a campaign waits for this time. */
const waits = {
  ConditionExpression: "sendAt = :sendAt AND attribute_not_exists(begunAt) AND attribute_not_exists(stoppedAt)",
};

/** Begins a campaign whose time has come. A line that a stop or another time has left behind goes. */
export const beginCampaign = ({ campaignId, ...line }: Key & DueCampaign, context: RequestContext): Promise<boolean> =>
  execute(
    {
      read: () => readCampaign(campaignId),
      decide(campaign: CampaignRecord | undefined): Decision<boolean> {
        const time = drop(keyIn(line as Key), "last wins");
        if (!campaign || !isAhead(campaign) || campaign.sendAt !== timeIn(line)) return write({ time }, false);
        const begun = updateIf(campaignKey(campaignId), {
          UpdateExpression: "SET begunAt = :now",
          ...waits,
          ExpressionAttributeValues: { ":now": context.now, ":sendAt": campaign.sendAt },
        });
        return write({ campaign: begun, time, started: started(campaign, context) }, true);
      },
    },
    context,
  );

/** A line of the campaigns to come. */
export interface DueCampaign {
  readonly campaignId: string;
}

/**
 * Changes the time of a campaign that has not begun.
 * @param timeOf the new time by when the campaign was made, epoch milliseconds
 * @throws NotFound CampaignBegun ValidationFailed Contended UnknownOutcome
 */
export const moveCampaign = (
  id: string,
  timeOf: (createdAt: number) => number,
  context: RequestContext,
): Promise<number> =>
  edit(
    "Campaign",
    () => readCampaign(id),
    (campaign): Decision<number> => {
      const { sendAt: before } = campaign;
      if (!isAhead(campaign) || before === undefined) throw new CampaignBegun(campaign.stoppedAt !== undefined);
      const sendAt = timeOf(campaign.createdAt);
      if (sendAt === before) return answer(sendAt);
      const moved = updateIf(campaignKey(id), {
        UpdateExpression: "SET sendAt = :next",
        ...waits,
        ExpressionAttributeValues: { ":next": sendAt, ":sendAt": before },
      });
      const changes = changesOf({ sendAt: before }, { sendAt });
      const audit = auditRow({ action: "campaign.rescheduled", id, changes }, context);
      const time = putTime(campaign, sendAt);
      return write({ campaign: moved, former: drop(timeKey(campaign, before), "last wins"), time, audit }, sendAt);
    },
    context,
  );

/**
 * Writes one `campaign.batch` message per batch. Idempotent: each row has a fixed name, and a refused transaction means
 * that an earlier call wrote all its rows.
 */
export async function announceBatches(campaign: CampaignRecord, context: RequestContext): Promise<void> {
  const { campaignId, batches } = campaign;
  const begunAt = begunAtOf(campaign);
  const rows = Array.from(
    { length: batches },
    (_, batch): TransactItem =>
      outboxRow(
        { type: "campaign.batch", data: { campaignId, batch } },
        { ...context, now: begunAt },
        nameOf(begunAt, ["campaign.batch", campaignId, batch]),
      ),
  );
  for (const some of chunk(rows, rowsAtOnce)) {
    await writeOnce(Object.fromEntries(some.entries()), context);
  }
}

/** While the audience is not fixed. */
const isOpen = {
  ConditionExpression: "attribute_exists(#open) AND attribute_not_exists(stoppedAt)",
  ExpressionAttributeNames: { "#open": "open" },
};

/** The next batches of a campaign. Refused when another run has stored the first of them, or the audience is fixed. */
export const nextBatches = (campaign: CampaignRecord, first: number, batches: readonly (readonly Recipient[])[]) => ({
  ...Object.fromEntries(
    batches.map((recipients, index) => [`batch ${index}`, putNew(batchItem(campaign, first + index, recipients))]),
  ),
  campaign: checkIf(campaignKey(campaign.campaignId), isOpen),
});

/** Fixes the audience of a campaign, and what its mails have from the event. Refused when it is fixed or stopped. */
export const fixedAs = (
  { campaignId, recipients, batches }: CampaignRecord,
  about: Pick<CampaignContent, "event" | "replyTo"> | undefined,
) => ({
  campaign: updateIf(campaignKey(campaignId), {
    UpdateExpression: "SET recipients = :recipients, batches = :batches REMOVE #open",
    ...isOpen,
    ExpressionAttributeValues: { ":recipients": recipients, ":batches": batches },
  }),
  ...(about && {
    content: updateIf(contentKey(campaignId), {
      UpdateExpression: about.replyTo === undefined ? "SET #event = :event" : "SET #event = :event, replyTo = :replyTo",
      ConditionExpression: "attribute_exists(PK)",
      ExpressionAttributeNames: { "#event": "event" },
      ExpressionAttributeValues: {
        ":event": about.event,
        ...(about.replyTo !== undefined && { ":replyTo": about.replyTo }),
      },
    }),
  }),
});

/** Stops a campaign whose audience is gone. @param now epoch milliseconds */
export const stoppedAs = (
  { campaignId }: CampaignRecord,
  because: NonNullable<CampaignRecord["stoppedBecause"]>,
  now: number,
): TransactItem =>
  updateIf(campaignKey(campaignId), {
    UpdateExpression: "SET stoppedAt = :now, stoppedBecause = :because",
    ...isOpen,
    ExpressionAttributeValues: { ":now": now, ":because": because },
  });

/** Leaves a person of a list out, as if the address got no campaigns. */
export const leaveOut = async (id: string, email: string, context: RequestContext): Promise<void> => {
  const claimed = await claim(mailTo(id, email), context.now, context);
  if (claimed.outcome === "claimed") await recordEnd(claimed.claim, { state: "suppressed" }, context);
};

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
        const { sendAt } = campaign;
        const time = isAhead(campaign) && sendAt !== undefined && drop(timeKey(campaign, sendAt), "last wins");
        return write({ campaign: putStop(id, context.now), ...(time && { time }), audit }, true);
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
