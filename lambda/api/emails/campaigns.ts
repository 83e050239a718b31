import { type CampaignRecord, progressOf } from "#domain/mail/campaigns/campaign.ts";
import { readDeliveries } from "#domain/mail/campaigns/deliveries.ts";
import { sendTime } from "#domain/mail/campaigns/send-time.ts";
import * as store from "#domain/mail/campaigns/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { decodeCursor, part } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { momentText } from "#kit/text/time-zone.ts";
import * as routes from "./routes.ts";

const timeZone = requiredEnv("TIME_ZONE");

const lineAnswer = (campaign: CampaignRecord) => {
  const { campaignId, templateName, audience, recipients, createdBy, createdAt } = campaign;
  const { stoppedAt, stoppedBecause, sendAt, isTest } = campaign;
  return {
    ...{ campaignId, templateName, audience, recipients, createdBy, createdAt },
    ...(stoppedAt !== undefined && { stoppedAt }),
    ...(stoppedBecause && { stoppedBecause }),
    ...(sendAt !== undefined && { sendAt }),
    ...(isTest && { test: true }),
  };
};

export const listCampaigns = api(routes.listCampaigns, async ({ query: { limit, cursor } }) => {
  const page = await store.pageOfCampaigns({ limit, after: decodeCursor(cursor, part.ulid) });
  return ok(page.rows.map(lineAnswer), nextHeader(page));
});

export const getCampaign = api(routes.getCampaign, async ({ params, now }) => {
  const [campaign, deliveries] = await Promise.all([store.readCampaign(params.id), readDeliveries(params.id)]);
  if (!campaign) throw new NotFound("Campaign");
  return ok({ ...lineAnswer(campaign), ...progressOf(campaign, deliveries, now) });
});

export const moveCampaign = api(routes.moveCampaign, async ({ params, body: { sendAt = "" }, now, context }) => {
  const timeOf = (createdAt: number) => sendTime(sendAt, { timeZone, now, createdAt });
  const moved = await store.moveCampaign(params.id, timeOf, context);
  return ok({ message: `The mail goes out on ${momentText(moved, timeZone)}.` });
});

export const stopCampaign = api(routes.stopCampaign, async ({ params, context }) => {
  const exists = await store.stopCampaign(params.id, context);
  if (!exists) throw new NotFound("Campaign");
  return ok({ message: "Campaign stopped: nobody else gets it." });
});
