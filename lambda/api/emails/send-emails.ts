import { batchesOf } from "#domain/mail/campaigns/campaign.ts";
import { campaignRequest, startCampaign, startedBefore } from "#domain/mail/campaigns/start.ts";
import { storeBatches } from "#domain/mail/campaigns/store.ts";
import { readTemplate } from "#domain/mail/templates/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { accepted } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import { audienceFrom, audienceText, peopleOf } from "./audience.ts";
import { eventValues } from "./event-values.ts";
import * as routes from "./routes.ts";

const club = {
  webAppUrl: requiredEnv("WEB_APP_URL"),
  eventPage: requiredEnv("EVENT_PAGE"),
  timeZone: requiredEnv("TIME_ZONE"),
};

export const sendEmails = apiOnce(routes.sendEmails, async ({ body, caller, now, context, claimed }) => {
  const { templateName } = body;
  const audience = audienceFrom(body.audience);
  const template = await readTemplate(templateName);
  const request = campaignRequest(body.idempotencyKey, { templateName, audience }, template);
  const before = await startedBefore(request, now);
  if (before.answer) return accepted(before.answer);
  if (!template) throw new NotFound("Template");
  const { people, event } = await peopleOf(audience);
  const batches = batchesOf(people);
  const campaign = {
    campaignId: context.newId(),
    templateName,
    recipients: people.length,
    batches: batches.length,
    audience: audienceText(audience),
    createdBy: caller.email,
    createdAt: now,
  };
  const { subject, html, text } = template;
  const content = { subject, html, text, ...(event && { event: eventValues(event, club) }) };
  await storeBatches(campaign, content, batches, context);
  const keep = claimed?.keeping(accepted);
  return accepted(await startCampaign(campaign, request, context, keep));
});
