/** Starts a stored campaign, once per request (`docs/contract.md`, "Emails"). */

import { createHash } from "node:crypto";
import { Duplicate } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import type { TemplateRecord } from "../templates/store.ts";
import type { CampaignRecord } from "./campaign.ts";
import { type CampaignRequest, type KnownRequest, readCampaign, readRequest, startOf } from "./store.ts";

/** Seconds for which an equal request counts as a repetition, such as a double click or a lost response. */
const repetitionWindow = 300;
/** Seconds for which the same `idempotencyKey` means the same campaign. */
const keyWindow = 30 * 86_400;

/** A hash has a fixed length: a key is free text, and an audience may be 10,000 addresses. */
const hashOf = (...parts: unknown[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

interface Asked {
  readonly templateName: string;
  readonly audience: unknown;
  /** Epoch milliseconds. */
  readonly sendAt?: number;
  /** The admin who gets the test. */
  readonly testOf?: string;
}

/**
 * Identifies a request for a campaign, so that a repetition is recognized.
 * @param key the client's `idempotencyKey`. Without it, template, its version and audience identify the request.
 */
export function campaignRequest(
  key: string | undefined,
  asked: Asked,
  template: Pick<TemplateRecord, "createdAt" | "version"> | undefined,
): CampaignRequest {
  const { templateName, audience, ...more } = asked;
  // A campaign at once has the hash that it always had.
  const content = hashOf(templateName, audience, ...(Object.keys(more).length > 0 ? [more] : []));
  return key === undefined
    ? { id: hashOf("same", content, template?.createdAt, template?.version), content, countsFor: repetitionWindow }
    : { id: hashOf("key", key), content, countsFor: keyWindow, endures: true };
}

interface Started {
  readonly campaignId: string;
  readonly recipients: number;
}

/** What the same request has started before: the answer to repeat, or a campaign that no longer counts. */
interface Before {
  readonly answer?: Started;
  readonly outdated?: string;
}

async function counts({ endures }: CampaignRequest, { campaignId, ttl }: KnownRequest, now: number): Promise<boolean> {
  if (ttl * 1_000 <= now) return false;
  // An equal request after a stopped campaign means a new one. A repeated key always means the key's campaign.
  return endures === true || (await readCampaign(campaignId))?.stoppedAt === undefined;
}

/**
 * @param now epoch milliseconds
 * @throws Duplicate the key was used for another campaign
 */
export async function startedBefore(request: CampaignRequest, now: number): Promise<Before> {
  const known = await readRequest(request);
  if (!known) return {};
  const { campaignId, recipients, content } = known;
  if (!(await counts(request, known, now))) return { outdated: campaignId };
  if (content === request.content) return { answer: { campaignId, recipients } };
  throw new Duplicate("This idempotencyKey was used for another campaign.", { campaignId });
}

/**
 * Starts the campaign, unless the same request has started one concurrently.
 * @returns the campaign that was started
 * @throws Duplicate Contended UnknownOutcome
 */
export function startCampaign(
  campaign: CampaignRecord,
  request: CampaignRequest,
  context: RequestContext,
  keep?: Keep<Started>,
): Promise<Started> {
  const { campaignId, recipients } = campaign;
  return execute(
    {
      keep,
      read: () => startedBefore(request, context.now),
      decide: ({ answer: known, outdated }: Before): Decision<Started> =>
        known ? answer(known) : write(startOf(campaign, request, context, outdated), { campaignId, recipients }),
    },
    context,
  );
}
