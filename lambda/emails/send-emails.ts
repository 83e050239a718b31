import { ulid } from "ulid";
import { accepted } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate, NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { audienceFrom, audienceText, peopleOf } from "../campaigns/audience.ts";
import { batchesOf, fingerprintOf } from "../campaigns/campaign.ts";
import { eventValues } from "../campaigns/event-values.ts";
import { type RequestName, readRequest, startCampaign, storeBatches } from "../campaigns/store.ts";
import { readTemplate } from "../templates/store.ts";
import * as routes from "./routes.ts";

const club = { webAppUrl: requiredEnv("WEB_APP_URL"), timeZone: requiredEnv("TIME_ZONE") };

/**
 * The campaign that a request of this name has started before.
 * @throws Duplicate it asked for something else
 */
async function startedBefore(request: RequestName | undefined) {
  const known = request && (await readRequest(request.key));
  if (!known) return undefined;
  if (known.fingerprint !== request.fingerprint) {
    throw new Duplicate("This idempotencyKey was used for another campaign.", { campaignId: known.campaignId });
  }
  return { campaignId: known.campaignId, recipients: known.recipients };
}

export const sendEmails = api(routes.sendEmails, async ({ body, caller, now, requestId }) => {
  const { templateName, idempotencyKey: key } = body;
  const audience = audienceFrom(body.audience);
  const request = key === undefined ? undefined : { key, fingerprint: fingerprintOf([templateName, audience]) };
  const before = await startedBefore(request);
  if (before) return accepted(before);
  const [template, { people, event }] = await Promise.all([readTemplate(templateName), peopleOf(audience)]);
  if (!template) throw new NotFound("Template");
  const batches = batchesOf(people);
  const campaign = {
    campaignId: ulid(now),
    templateName,
    recipients: people.length,
    batches: batches.length,
    audience: audienceText(audience),
    createdBy: caller.email,
    createdAt: now,
  };
  const { subject, html, text } = template;
  await storeBatches(campaign, { subject, html, text, ...(event && { event: eventValues(event, club) }) }, batches);
  const origin = { now, actor: caller.email, correlationId: requestId };
  const { campaignId, recipients } = campaign;
  return accepted(
    await untilSettled(async () => {
      if (await startCampaign(campaign, request, origin)) return { campaignId, recipients };
      // The same request has come twice at once.
      return (await startedBefore(request)) ?? again;
    }),
  );
});
