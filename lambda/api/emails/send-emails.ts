import { batchesOf, fingerprintOf } from "#domain/mail/campaigns/campaign.ts";
import {
  type KnownRequest,
  type RequestName,
  readCampaign,
  readRequest,
  startOf,
  storeBatches,
} from "#domain/mail/campaigns/store.ts";
import { readTemplate, type TemplateRecord } from "#domain/mail/templates/store.ts";
import { accepted } from "#kit/answer.ts";
import { answeredOnce } from "#kit/answered-once.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate, NotFound } from "#kit/errors.ts";
import { answer, type Decision, type Depth, execute, write } from "#kit/execute.ts";
import { audienceFrom, audienceText, peopleOf } from "./audience.ts";
import { eventValues } from "./event-values.ts";
import * as routes from "./routes.ts";

const club = {
  webAppUrl: requiredEnv("WEB_APP_URL"),
  eventPage: requiredEnv("EVENT_PAGE"),
  timeZone: requiredEnv("TIME_ZONE"),
};

/**
 * Milliseconds for which a request without a key counts as a repetition of the same one: a double click, a lost answer,
 * or two executives at once.
 */
const sameFor = 300_000;

/** Without a key, the present version of the template and the audience make a request the same. */
const requestFrom = (name: string | undefined, template: TemplateRecord | undefined, asked: unknown[]): RequestName =>
  name === undefined
    ? { fingerprint: fingerprintOf([...asked, template?.createdAt, template?.version]) }
    : { name, fingerprint: fingerprintOf(asked) };

async function isOutdated({ campaignId, createdAt }: KnownRequest, now: number): Promise<boolean> {
  if (now - createdAt > sameFor) return true;
  // An admin who stops a campaign and sends it again wants a new one.
  return (await readCampaign(campaignId))?.stoppedAt !== undefined;
}

interface Started {
  readonly campaignId: string;
  readonly recipients: number;
}

/**
 * The campaign that the same request has started before: the answer to repeat, or a campaign that does not count any
 * more.
 */
interface Before {
  readonly answer?: Started;
  readonly outdated?: string;
}

/** @throws Duplicate the key was used for another request */
async function startedBefore(request: RequestName, now: number): Promise<Before> {
  const known = await readRequest(request);
  if (!known) return {};
  const { campaignId, recipients, fingerprint } = known;
  if (fingerprint !== request.fingerprint) {
    throw new Duplicate("This idempotencyKey was used for another campaign.", { campaignId });
  }
  const counts = request.name !== undefined || !(await isOutdated(known, now));
  return counts ? { answer: { campaignId, recipients } } : { outdated: campaignId };
}

export const sendEmails = api(
  routes.sendEmails,
  answeredOnce(routes.sendEmails, async ({ body, caller, now, context, claimed }) => {
    const { templateName } = body;
    const audience = audienceFrom(body.audience);
    const template = await readTemplate(templateName);
    const request = requestFrom(body.idempotencyKey, template, [templateName, audience]);
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
    const { campaignId, recipients } = campaign;
    const started = await execute(
      {
        keep: claimed?.keeping(accepted),
        // Only a refused transaction shows that the same request came twice at once.
        read: async (depth: Depth): Promise<Before> => (depth === "cheap" ? before : startedBefore(request, now)),
        decide: ({ answer: known, outdated }: Before): Decision<Started> =>
          known ? answer(known) : write(startOf(campaign, request, context, outdated), { campaignId, recipients }),
      },
      context,
    );
    return accepted(started);
  }),
);
