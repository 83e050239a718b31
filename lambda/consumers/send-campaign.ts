/**
 * Sends campaigns, each person at most once: whoever is claimed and never noted as sent may have got it, is listed as
 * unconfirmed, and gets nothing more by itself (`contract.md`, section 5).
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { CampaignContent, Recipient } from "#domain/mail/campaigns/campaign.ts";
import { campaignMail } from "#domain/mail/campaigns/campaign-mail.ts";
import { type Claim, claim, type Ending, noteEnding } from "#domain/mail/campaigns/deliveries.ts";
import { announceBatches, readBatch, readCampaign, readStanding } from "#domain/mail/campaigns/store.ts";
import { senderOf } from "#domain/mail/sender.ts";
import { isThrottling, MailRefused, post } from "#domain/mail/ses.ts";
import { type ParsedTemplate, parseTemplate, RenderFailed } from "#domain/mail/templates/template.ts";
import { deadlineWithin, type RequestContext } from "#kit/context.ts";
import { requiredEnv } from "#kit/env.ts";
import { writeOnce } from "#kit/execute.ts";
import { log } from "#kit/log.ts";
import { type Deadline, retried } from "#kit/retry.ts";
import { PerhapsSent } from "#kit/unsent.ts";
import { type CampaignMessage, campaignMessage } from "#outbox/messages.ts";
import { consumer, NotYet } from "./consumer.ts";
import { pacer } from "./pace.ts";

const sender = senderOf({ sender: requiredEnv("MAIL_SENDER") });
const desk = { sender, unsubscribeAddress: requiredEnv("UNSUBSCRIBE_ADDRESS") };
const turn = pacer(Number(requiredEnv("CAMPAIGN_MAIL_INTERVAL_MS")));

/** Milliseconds after which a run begins with nobody else; the function has half as long again. */
const maxDuration = 80_000;
/** Milliseconds before another try when SES has had too much for now. */
const longPauses = [1_000, 2_000, 4_000];
type Pauses = readonly number[];

/** A batch takes longer than the deadline of its message allows: each step for a recipient gets a deadline of its own. */
const deadlineFromNow = (): Deadline => ({ deadline: deadlineWithin(undefined) });

/** Recipients in a row of whom nobody knows whether they got it, after which the others are kept for later. */
const mostInDoubt = 2;

interface Letter {
  readonly campaignId: string;
  readonly template: ParsedTemplate;
  readonly content: CampaignContent;
}

/** How a try to send has ended, and the failure behind it where the message has to come again. */
interface Outcome {
  readonly ending: Ending;
  readonly message?: string;
  readonly again?: unknown;
}

async function postPatiently(mail: Parameters<typeof post>[0], [first, ...more]: Pauses): Promise<void> {
  try {
    await post(mail, sender.address);
  } catch (error) {
    if (!isThrottling(error) || first === undefined) throw error;
    await pause(first);
    await postPatiently(mail, more);
  }
}

async function send({ campaignId, template, content }: Letter, recipient: Recipient, pauses: Pauses): Promise<Outcome> {
  try {
    await postPatiently(await campaignMail(campaignId, template, content, recipient, desk), pauses);
    return { ending: "sent" };
  } catch (error) {
    if (error instanceof RenderFailed)
      return { ending: "failed", message: "The mail could not be made for this person." };
    if (error instanceof MailRefused) {
      return { ending: "failed", message: `The mail service refuses it for good (${error.message}).` };
    }
    if (error instanceof PerhapsSent) return { ending: "unconfirmed" };
    return { ending: "released", again: error };
  }
}

async function decide(
  letter: Letter,
  recipient: Recipient,
  pauses: Pauses,
  deadline: Deadline,
): Promise<Outcome | "stopped"> {
  const { campaignId } = letter;
  const standing = await retried(() => readStanding(campaignId, recipient.email), deadline);
  if (standing === "go") return send(letter, recipient, pauses);
  return standing === "suppressed" ? { ending: "suppressed" } : "stopped";
}

/** A claim is given back where nothing was sent, also when something else than the mail service fails. */
async function deliver(letter: Letter, recipient: Recipient, by: Claim, pauses: Pauses): Promise<Outcome | "stopped"> {
  await turn();
  const outcome = await decide(letter, recipient, pauses, deadlineFromNow()).catch(
    (error: unknown): Outcome => ({ ending: "released", again: error }),
  );
  const { ending, message }: Outcome = outcome === "stopped" ? { ending: "released" } : outcome;
  await retried(() => noteEnding(by, ending, message), deadlineFromNow());
  return outcome;
}

/**
 * Sends to everybody in a batch whom nobody has come to yet.
 * @param pauses milliseconds before each further try when SES has had too much for now
 */
export async function sendBatch(
  { id, data }: CampaignMessage<"campaign.batch">,
  context: RequestContext,
  pauses: Pauses = longPauses,
): Promise<void> {
  const { campaignId, batch } = data;
  const found = await retried(() => readBatch(campaignId, batch), context);
  if (!found || found.campaign.stoppedAt !== undefined) {
    log.info("batch not sent: the campaign is stopped or gone", { id, campaignId });
    return;
  }
  const { content, recipients } = found;
  const letter: Letter = { campaignId, content, template: parseTemplate(content) };
  const claimedBy = randomUUID();
  const started = performance.now();
  let failure: unknown;
  let inDoubt = 0;
  for (const recipient of recipients) {
    if (performance.now() - started > maxDuration) throw new NotYet("the rest of the batch has to wait");
    const by = { campaignId, email: recipient.email, claimedBy };
    const refused = await writeOnce({ claim: claim(by, Date.now()) }, deadlineFromNow());
    if (refused) continue;
    const outcome = await deliver(letter, recipient, by, pauses);
    if (outcome === "stopped") return;
    failure ??= outcome.again;
    // Everybody after this one would hear the same.
    if (isThrottling(outcome.again)) break;
    // An hour in which the mail service is down must not use up everybody: who is in doubt is never tried again.
    inDoubt = outcome.ending === "unconfirmed" ? inDoubt + 1 : 0;
    if (inDoubt === mostInDoubt) throw new NotYet("the mail service does not answer");
  }
  if (failure !== undefined) throw failure;
}

/** Tells of the batches of a campaign that has begun. */
async function announce({ data, actor }: CampaignMessage<"campaign.started">, context: RequestContext): Promise<void> {
  const campaign = await retried(() => readCampaign(data.campaignId), context);
  if (campaign) await announceBatches(campaign, { ...context, actor });
}

const isStart = (message: CampaignMessage): message is CampaignMessage<"campaign.started"> =>
  message.type === "campaign.started";

export const handler = consumer(campaignMessage, (message: CampaignMessage, context) =>
  isStart(message) ? announce(message, context) : sendBatch(message as CampaignMessage<"campaign.batch">, context),
);
