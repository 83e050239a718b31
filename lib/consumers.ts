/** The consumers: the messages that each subscribes to, and its permissions. */

import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { Settings } from "#kit/env.ts";
import { treasurersTypes } from "#outbox/catalogue.ts";
import { booksTypes, type MailEvent, mailedRefundTypes } from "#outbox/messages.ts";
import { channelsOf, type NoticeKind } from "#outbox/notice-kinds.ts";
import { promoterSubscription } from "#outbox/subscriptions.ts";
import { Consumer, type Subscription } from "./consumer.ts";
import type { ClubEventBus } from "./event-bus.ts";
import type { MailSender } from "./mail-sender.ts";
import type { StageConfig } from "./stages.ts";
import { StoredSecret } from "./stored-secret.ts";
import { type ClubTable, transactions } from "./table.ts";
import type { TicketKey } from "./ticket-key.ts";

export interface ConsumersProps {
  readonly stage: StageConfig;
  readonly bus: ClubEventBus;
  readonly table: ClubTable;
  readonly mailSender: MailSender;
  readonly ticketKey: TicketKey;
  readonly paymentsSecret: StoredSecret;
  /** Environment variables: the durations of holds, in milliseconds. */
  readonly holds: Settings;
}

/** Concurrent batches of a queue. 2 is the minimum that AWS allows for a queue's mapping. */
const campaignsAtOnce = 2;
/** A consumer with later tries has two queues. */
const campaignQueues = 2;

/** The messages about registrations with a notice for this channel. */
const noticesOn = (channel: "mail" | "chat"): Subscription => ({
  prefix: "registration.",
  data: { notice: (Object.keys(channelsOf) as NoticeKind[]).filter((kind) => channelsOf[kind][channel]) },
});

/** Creates the consumers of the bus, each under its own name in the scope. */
export function addConsumers(
  scope: Construct,
  { stage, table, mailSender, ticketKey, paymentsSecret, holds, ...props }: ConsumersProps,
): void {
  const consuming = { stage, bus: props.bus.bus, memory: 512, timeout: Duration.seconds(30) };

  new Consumer(scope, "Mail", {
    ...consuming,
    bundle: "send-mail",
    description: "Mails people what became of their registration, and welcomes new members",
    alarm: "mailsGivenUp",
    subscribesTo: [
      noticesOn("mail"),
      { types: ["member.granted", "guest.requested", "export.requested", "user.deleted", ...mailedRefundTypes] },
    ],
    // A batch is ten mails, one after the other. Two batches, and two of later tries, may still be faster than SES
    // allows: then it refuses mails, and their messages come again three minutes later, and at last every hour.
    // https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
    maxConcurrency: 2,
    retriesLater: true,
    environment: {
      ...{ WEB_APP_URL: stage.webAppUrl, EVENT_PAGE: stage.eventPage, LINK_PAGE: stage.linkPage },
      ...{ TIME_ZONE: stage.timeZone, CURRENCY: stage.currency },
    },
  })
    .uses(table, ["GetItem", "Query", "UpdateItem"])
    .uses(ticketKey, ["read"])
    .uses(mailSender, ["SendRawEmail"]);

  const { mailsPerSecond, unsubscribeAddress } = stage.campaigns;
  new Consumer(scope, "Campaigns", {
    ...consuming,
    bundle: "send-campaign",
    description: "Sends mails to many, each person at most once",
    alarm: "mailsGivenUp",
    subscribesTo: { types: ["campaign.started", "campaign.batch"] },
    // One message stands for 25 mails, so a run takes one message. All runs share the rate.
    timeout: Duration.minutes(3),
    batchSize: 1,
    maxConcurrency: campaignsAtOnce,
    retriesLater: true,
    environment: {
      CAMPAIGN_MAIL_INTERVAL_MS: `${Math.ceil((1_000 * campaignsAtOnce * campaignQueues) / mailsPerSecond)}`,
      UNSUBSCRIBE_ADDRESS: unsubscribeAddress,
    },
  })
    .uses(table, ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"])
    .uses(mailSender, ["SendRawEmail"]);

  const { bus: _ownBus, ...onDefaultBus } = consuming;
  new Consumer(scope, "Suppressor", {
    ...onDefaultBus,
    bundle: "suppress-address",
    description: "Keeps campaigns from addresses whose mail bounced for good or was complained of",
    alarm: "mailsGivenUp",
    subscribesTo: {
      service: "aws.ses",
      types: ["Email Bounced", "Email Complaint Received"] satisfies MailEvent["type"][],
      // Other stages of the account publish to the same bus. SES tags each mail with its configuration set.
      detail: { mail: { tags: { "ses:configuration-set": [mailSender.configurationSet] } } },
    },
    maxConcurrency: 2,
  }).uses(table, ["PutItem", "ConditionCheckItem"]);

  if (stage.chatWebhookSecret !== undefined) {
    new Consumer(scope, "Chat", {
      ...consuming,
      bundle: "send-chat",
      description: "Tells the club's chat what became of registrations, and the treasurer about money",
      alarm: "othersGivenUp",
      subscribesTo: [noticesOn("chat"), { types: treasurersTypes }],
      // Time for ten messages to a webhook that does not answer.
      timeout: Duration.seconds(60),
      maxConcurrency: 2,
      environment: { TIME_ZONE: stage.timeZone },
    })
      .uses(table, ["GetItem", "Query", "UpdateItem"])
      .uses(
        // Anybody who knows the webhook's URL can post to the chat, so it is a secret.
        new StoredSecret(scope, "ChatWebhook", {
          variable: "CHAT_WEBHOOK_SECRET",
          secretName: stage.chatWebhookSecret,
        }),
        ["read"],
      );
  }

  new Consumer(scope, "Books", {
    ...consuming,
    bundle: "keep-books",
    description: "Sends refunds to the payment provider, marks seats that were paid back, and records fees and payouts",
    alarm: "seatsGivenUp",
    subscribesTo: {
      types: booksTypes,
    },
    // Time for five refunds at a slow provider, each with two calls of two tries, or for the pages of a payout. A failed
    // message comes again after six times this, which must be less than the alarm for late messages allows.
    timeout: Duration.minutes(2),
    batchSize: 5,
    maxConcurrency: 2,
    // A refund survives a provider that does not answer for a day.
    retriesLater: true,
    environment: { REFUNDS: stage.refunds },
  })
    .uses(table, ["GetItem", "BatchGetItem", "Query GSI1", ...transactions])
    .uses(paymentsSecret, ["read"]);

  new Consumer(scope, "Promoter", {
    ...consuming,
    bundle: "promoter",
    description: "Gives seats that are free to those who wait",
    alarm: "seatsGivenUp",
    subscribesTo: { pattern: promoterSubscription },
    maxConcurrency: 2,
    environment: holds,
  }).uses(table, ["GetItem", "BatchGetItem", "Query", ...transactions]);

  new Consumer(scope, "Announcer", {
    ...consuming,
    bundle: "announce",
    description: "Tells the seat holders that an event has moved or is about to begin, and asks for their feedback",
    alarm: "mailsGivenUp",
    subscribesTo: { types: ["event.rescheduled", "event.mailDue"] },
    maxConcurrency: 2,
  }).uses(table, ["GetItem", "BatchGetItem", "PutItem", "Query REGISTRATIONS"]);

  new Consumer(scope, "ClearUp", {
    ...consuming,
    bundle: "clear-up",
    description: "Clears away what belonged to an event that is deleted",
    alarm: "seatsGivenUp",
    subscribesTo: { types: ["event.deleted"] },
    // The function ends every registration of an event, one by one.
    timeout: Duration.minutes(2),
    maxConcurrency: 2,
    environment: holds,
  }).uses(table, ["GetItem", "BatchGetItem", "Query", "Query REGISTRATIONS", ...transactions]);

  new Consumer(scope, "ForgetUser", {
    ...consuming,
    bundle: "forget-user",
    description: "Cancels the registrations of people whose account is deleted",
    alarm: "seatsGivenUp",
    subscribesTo: { types: ["user.deleted"] },
    // The function ends every registration of a person.
    timeout: Duration.minutes(2),
    maxConcurrency: 2,
    environment: holds,
  }).uses(table, ["GetItem", "BatchGetItem", "Query", ...transactions]);

  new Consumer(scope, "CloseCheckout", {
    ...consuming,
    bundle: "close-checkout",
    description: "Ends checkouts that must not be paid any more, and asks what became of those whose hold is over",
    alarm: "seatsGivenUp",
    subscribesTo: [
      {
        types: [
          "payment.unheard",
          "registration.registered",
          "registration.acceptedComplete",
          "registration.cancelled",
          "registration.deleted",
          "registration.rejected",
          "member.granted",
          "user.deleted",
        ],
      },
      { prefix: "registration.updated", data: { followUps: ["closeCheckout"] } },
      { prefix: "event.", data: { changed: ["pricing", "nonBizTechAllowed"] } },
    ],
    // Time for ten sessions at a slow provider.
    timeout: Duration.minutes(2),
    maxConcurrency: 2,
    environment: { ...holds, ADMIN_EMAIL_DOMAIN: stage.adminEmailDomain },
  })
    .uses(table, ["GetItem", "BatchGetItem", "Query", "Query REGISTRATIONS", ...transactions, "ConditionCheckItem"])
    .uses(paymentsSecret, ["read"]);
}
