import { type CampaignRecord, progressOf } from "#domain/mail/campaigns/campaign.ts";
import { readDeliveries } from "#domain/mail/campaigns/deliveries.ts";
import * as store from "#domain/mail/campaigns/store.ts";
import { NotFound } from "#kit/errors.ts";
import { decodeCursor, part } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import * as routes from "./routes.ts";

const lineAnswer = (campaign: CampaignRecord) => {
  const { campaignId, templateName, audience, recipients, createdBy, createdAt, stoppedAt } = campaign;
  const line = { campaignId, templateName, audience, recipients, createdBy, createdAt };
  return stoppedAt === undefined ? line : { ...line, stoppedAt };
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

export const stopCampaign = api(routes.stopCampaign, async ({ params, context }) => {
  const exists = await store.stopCampaign(params.id, context);
  if (!exists) throw new NotFound("Campaign");
  return ok({ message: "Campaign stopped: nobody else gets it." });
});
