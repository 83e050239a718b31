/**
 * Consumer that sends campaigns, to each person at most once. A recipient whose claim has no recorded result may have got
 * the mail. The campaign lists them as unconfirmed, and does not send to them again (`docs/contract.md`, "Emails").
 */
import { type CampaignContent, isNameless, named, type Recipient } from "#domain/mail/campaigns/campaign.ts";
import { campaignMail } from "#domain/mail/campaigns/campaign-mail.ts";
import { type Ending, mailTo } from "#domain/mail/campaigns/deliveries.ts";
import { announceBatches, readBatch, readCampaign, readStanding } from "#domain/mail/campaigns/store.ts";
import { isQuotaUsedUp, isThrottling, MailRefused, post } from "#domain/mail/ses.ts";
import { type ParsedTemplate, parseTemplate, RenderFailed } from "#domain/mail/templates/template.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";
import { deadlineWithin, type RequestContext } from "#kit/request/context.ts";
import { seam } from "#kit/seam.ts";
import { type Claim, claim, recordEnd, release } from "#kit/table/claims.ts";
import { type Deadline, retried } from "#kit/table/retry.ts";
import { PerhapsSent } from "#kit/unsent.ts";
import { campaignMessage, type Message, NotYet } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";
import { pacer } from "./pace.ts";

const sender = { name: requiredEnv("MAIL_SENDER_NAME"), address: requiredEnv("MAIL_SENDER") };
const sending = { from: sender.address, configurationSet: requiredEnv("MAIL_CONFIGURATION_SET") };
const desk = { sender, unsubscribeAddress: requiredEnv("UNSUBSCRIBE_ADDRESS"), replyTo: requiredEnv("REPLY_TO") };
const club = {
  webAppUrl: requiredEnv("WEB_APP_URL"),
  eventPage: requiredEnv("EVENT_PAGE"),
  timeZone: requiredEnv("TIME_ZONE"),
};
const turn = pacer(Number(requiredEnv("CAMPAIGN_MAIL_INTERVAL_MS")));

/** Milliseconds after which a run starts no other recipient. The function's timeout is 1.5 times as long. */
const maxDuration = 120_000;
/** Milliseconds before each retry after throttling by SES. */
const pauses: readonly number[] = [1_000, 2_000, 4_000];

/** Each step for a recipient has its own deadline, so that one recipient cannot use up the time of the batch. */
const deadlineFromNow = (): Deadline => ({ deadline: deadlineWithin(undefined) });

/** After this many consecutive recipients that are unconfirmed or failed, the rest of the batch waits. */
const maxInTrouble = 2;

interface Letter {
  readonly campaignId: string;
  readonly template: ParsedTemplate;
  readonly content: CampaignContent;
}

type FixAudience = typeof import("#domain/mail/campaigns/fix-audience.ts").fixAudience;

/** How a try to send ended, and the error after which the message must be delivered again. */
interface Outcome {
  readonly ending: Ending;
  readonly message?: string;
  readonly again?: unknown;
}

async function postPatiently(mail: Parameters<typeof post>[0], [first, ...more] = pauses): Promise<void> {
  try {
    await post(mail, sending);
  } catch (error) {
    if (!isThrottling(error) || isQuotaUsedUp(error) || first === undefined) throw error;
    await seam.pause(first);
    await postPatiently(mail, more);
  }
}

async function send({ template, content }: Letter, recipient: Recipient): Promise<Outcome> {
  try {
    await postPatiently(await campaignMail(template, content, recipient, desk));
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

async function decide(letter: Letter, recipient: Recipient): Promise<Outcome | "stopped"> {
  const { email } = recipient;
  const reading = () => readStanding(letter.campaignId, email, isNameless(recipient));
  const { verdict, account } = await retried(reading, deadlineFromNow());
  if (verdict === "go") return send(letter, account ? named(email, account.fname, account.lname) : recipient);
  return verdict === "suppressed" ? { ending: "suppressed" } : "stopped";
}

/**
 * Sends to one recipient and records the result. Releases the claim when nothing was sent, whatever failed.
 */
async function deliver(letter: Letter, recipient: Recipient, claimed: Claim): Promise<Outcome | "stopped"> {
  await turn();
  const outcome = await decide(letter, recipient).catch(
    (error: unknown): Outcome => ({ ending: "released", again: error }),
  );
  if (outcome !== "stopped" && outcome.ending === "failed") {
    log.error("mail refused", { campaignId: letter.campaignId, reason: outcome.message });
  }
  if (outcome === "stopped" || outcome.ending === "released") await release(claimed, deadlineFromNow());
  else {
    const { ending: state, message } = outcome;
    await recordEnd(claimed, { state, ...(message && { message }) }, deadlineFromNow());
  }
  return outcome;
}

/**
 * Sends to the recipients of a batch that no run has claimed yet.
 * @throws NotYet the time is over, or the mail service does not respond: the rest of the batch has to wait. Any other
 * error: sending to some recipients failed, and they wait too.
 */
export async function sendBatch({ id, data }: Message<"campaign.batch">, context: RequestContext): Promise<void> {
  const { campaignId, batch } = data;
  const found = await retried(() => readBatch(campaignId, batch), context);
  if (!found || found.campaign.stoppedAt !== undefined) {
    log.info("batch not sent: the campaign is stopped or gone", { id, campaignId });
    return;
  }
  const { content, recipients } = found;
  const letter: Letter = { campaignId, content, template: parseTemplate(content) };
  const started = performance.now();
  let failure: unknown;
  let inTrouble = 0;
  for (const recipient of recipients) {
    if (performance.now() - started > maxDuration) throw new NotYet("the rest of the batch has to wait");
    const claimed = await claim(mailTo(campaignId, recipient.email), Date.now(), deadlineFromNow());
    if (claimed.outcome === "busy") failure ??= new NotYet("another run has just given a recipient back");
    if (claimed.outcome !== "claimed") continue;
    const outcome = await deliver(letter, recipient, claimed.claim);
    if (outcome === "stopped") return;
    failure ??= outcome.again;
    // SES would throttle the next recipients too.
    if (isThrottling(outcome.again)) break;
    // While the mail service is down or refuses all mails, a run must not process the whole batch: unconfirmed
    // recipients are never retried.
    inTrouble = outcome.ending === "unconfirmed" || outcome.again !== undefined ? inTrouble + 1 : 0;
    if (inTrouble === maxInTrouble) throw failure ?? new NotYet("the mail service does not answer");
  }
  if (failure !== undefined) throw failure;
}

/** Loaded for a campaign at a time, not by each batch. */
async function fix(...[campaign, context]: [Parameters<FixAudience>[0], RequestContext]): ReturnType<FixAudience> {
  const { fixAudience } = await import("#domain/mail/campaigns/fix-audience.ts");
  return fixAudience(campaign, club, context);
}

/** Writes one message per batch of a started campaign, whose audience it fixes first if it began at its time. */
async function announce({ data, actor }: Message<"campaign.started">, context: RequestContext): Promise<void> {
  const campaign = await retried(() => readCampaign(data.campaignId), context);
  if (!campaign || campaign.stoppedAt !== undefined) return;
  const { open } = campaign;
  const fixed = open ? await fix({ ...campaign, open }, context) : campaign;
  if (fixed) await announceBatches(fixed, { ...context, actor });
}

export const handler = consumer(campaignMessage, (message, context) =>
  message.type === "campaign.started" ? announce(message, context) : sendBatch(message, context),
);
