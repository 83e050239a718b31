import { audienceFrom, audienceText, eventOf, openAudience, peopleOf } from "#domain/mail/campaigns/audience.ts";
import { batchesOf, type CampaignContent, type CampaignRecord } from "#domain/mail/campaigns/campaign.ts";
import { aboutEvent } from "#domain/mail/campaigns/event-values.ts";
import { sendTime } from "#domain/mail/campaigns/send-time.ts";
import { campaignRequest, startCampaign, startedBefore } from "#domain/mail/campaigns/start.ts";
import { storeBatches } from "#domain/mail/campaigns/store.ts";
import { readTemplate } from "#domain/mail/templates/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import { accepted } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import * as routes from "./routes.ts";

const club = {
  webAppUrl: requiredEnv("WEB_APP_URL"),
  eventPage: requiredEnv("EVENT_PAGE"),
  timeZone: requiredEnv("TIME_ZONE"),
};

/** What precedes the subject of a test. */
const testMark = "[Test] ";

export const sendEmails = apiOnce(routes.sendEmails, async ({ body, caller, now, context, claimed }) => {
  const { templateName, test: isTest = false } = body;
  const audience = audienceFrom(body.audience);
  if (isTest && body.sendAt !== undefined) {
    throw new ValidationFailed([{ path: "/sendAt", message: "must not be set for a test, which goes out at once" }]);
  }
  const sendAt =
    body.sendAt === undefined ? undefined : sendTime(body.sendAt, { timeZone: club.timeZone, now, createdAt: now });
  const template = await readTemplate(templateName);
  const asked = { templateName, audience, ...(sendAt && { sendAt }), ...(isTest && { testOf: caller.email }) };
  const request = campaignRequest(body.idempotencyKey, asked, template);
  const before = await startedBefore(request, now);
  if (before.answer) return accepted(before.answer);
  if (!template) throw new NotFound("Template");
  const event = await eventOf(audience);
  const people = isTest ? [{ email: caller.email }] : await peopleOf(audience, event, now);
  // The people of an event, and members, are those of its time. A list is fixed.
  const batches = sendAt !== undefined && audience.kind !== "emails" ? [] : batchesOf(people);
  const campaign: CampaignRecord = {
    campaignId: context.newId(),
    templateName,
    recipients: people.length,
    batches: batches.length,
    audience: audienceText(audience),
    createdBy: caller.email,
    createdAt: now,
    ...(sendAt !== undefined && { sendAt, open: openAudience(audience, event) }),
    ...(isTest && { isTest }),
  };
  const { subject, html, text } = template;
  const content: CampaignContent = {
    ...{ subject: isTest ? `${testMark}${subject}` : subject, html, text },
    ...(event && sendAt === undefined && aboutEvent(event, club)),
  };
  await storeBatches(campaign, content, batches, context);
  const keep = claimed?.keeping(accepted);
  return accepted(await startCampaign(campaign, request, context, keep));
});
