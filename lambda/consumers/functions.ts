/** The functions that no caller invokes, by their file in this folder. No bundle contains this (`lib/entries.ts`). */
import { holdSettings } from "#domain/registrations/holds/holds.ts";
import { type FunctionDeclaration, transactions } from "#kit/function.ts";
import { treasurersTypes } from "#outbox/catalogue.ts";
import { booksTypes, type MailEvent, mailedRefundTypes, membershipTypes } from "#outbox/messages.ts";
import { type ConsumerDeclaration, noticesOn, promoterSubscription } from "#outbox/subscriptions.ts";

/** Called with messages of the bus, each through its own queue. */
export const consumers = {
  "send-mail": {
    id: "Mail",
    description: "Mails people what became of their registration, and welcomes new members",
    subscribesTo: [
      noticesOn("mail"),
      {
        types: [
          ...membershipTypes,
          "guest.requested",
          "seat.offered",
          "export.requested",
          "links.requested",
          "email.requested",
          "user.emailChanged",
          "user.deleted",
          ...mailedRefundTypes,
        ],
      },
    ],
    alarm: "mailsGivenUp",
    // A batch is ten mails, one after the other. Two batches, and two of later tries, may still be faster than SES
    // allows: then it refuses mails, and their messages come again three minutes later, and at last every hour.
    // https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
    retriesLater: true,
    settings: ["WEB_APP_URL", "EVENT_PAGE", "LINK_PAGE", "TIME_ZONE", "CURRENCY", "REPLY_TO"],
    table: ["GetItem", "Query", "UpdateItem"],
    secrets: ["ticketKey"],
    sendsMail: true,
  },
  "send-campaign": {
    id: "Campaigns",
    description: "Sends mails to many, each person at most once",
    subscribesTo: [{ types: ["campaign.started", "campaign.batch"] }],
    alarm: "mailsGivenUp",
    // One message stands for 25 mails, so a run takes one message. All runs share the rate.
    timeout: 180,
    batchSize: 1,
    retriesLater: true,
    settings: [
      ...["CAMPAIGN_MAIL_INTERVAL_MS", "UNSUBSCRIBE_ADDRESS", "REPLY_TO"],
      ...["WEB_APP_URL", "EVENT_PAGE", "TIME_ZONE"],
    ],
    table: [
      ...["GetItem", "BatchGetItem", "Query", "Query GSI1", "Query REGISTRATIONS"],
      ...["PutItem", "UpdateItem", "ConditionCheckItem"],
    ],
    sendsMail: true,
  },
  "suppress-address": {
    id: "Suppressor",
    description: "Keeps campaigns from addresses whose mail bounced for good or was complained of",
    subscribesTo: [
      { mailEvents: ["Email Bounced", "Email Complaint Received"] satisfies readonly MailEvent["type"][] },
    ],
    alarm: "mailsGivenUp",
    table: ["PutItem", "ConditionCheckItem"],
  },
  "send-chat": {
    id: "Chat",
    description: "Tells the club's chat what became of registrations, and the treasurer about money",
    subscribesTo: [noticesOn("chat"), { types: treasurersTypes }],
    alarm: "othersGivenUp",
    // Time for ten messages to a webhook that does not answer.
    timeout: 60,
    settings: ["TIME_ZONE"],
    table: ["GetItem", "Query", "UpdateItem"],
    secrets: ["chatWebhook"],
  },
  "keep-books": {
    id: "Books",
    description: "Sends refunds to the payment provider, marks seats that were paid back, and records fees and payouts",
    subscribesTo: [{ types: booksTypes }],
    alarm: "seatsGivenUp",
    // Time for five refunds at a slow provider, each with two calls of two tries, or for the pages of a payout. A failed
    // message comes again after six times this, which must be less than the alarm for late messages allows.
    timeout: 120,
    batchSize: 5,
    // A refund survives a provider that does not answer for a day.
    retriesLater: true,
    settings: ["REFUNDS"],
    table: ["GetItem", "BatchGetItem", "Query", ...transactions],
    secrets: ["payments"],
  },
  promoter: {
    description: "Gives seats that are free to those who wait",
    subscribesTo: [{ pattern: promoterSubscription }],
    alarm: "seatsGivenUp",
    settings: holdSettings,
    table: ["GetItem", "BatchGetItem", "Query", ...transactions],
  },
  announce: {
    id: "Announcer",
    description: "Tells the seat holders that an event has moved or is about to begin, and asks for their feedback",
    subscribesTo: [{ types: ["event.rescheduled", "event.mailDue"] }],
    alarm: "mailsGivenUp",
    table: ["GetItem", "BatchGetItem", "PutItem", "Query REGISTRATIONS"],
  },
  "clear-up": {
    description: "Ends the registrations of an event that is deleted or called off",
    subscribesTo: [{ types: ["event.deleted", "event.calledOff"] }],
    alarm: "seatsGivenUp",
    // The function ends every registration of an event, one by one.
    timeout: 120,
    settings: holdSettings,
    table: ["GetItem", "BatchGetItem", "Query", "Query REGISTRATIONS", ...transactions],
  },
  "forget-user": {
    description: "Cancels the registrations of people whose account is deleted, and moves records to a new email",
    subscribesTo: [{ types: ["user.deleted", "user.emailChanged"] }],
    alarm: "seatsGivenUp",
    // The function ends every registration of a person.
    timeout: 120,
    settings: holdSettings,
    table: ["GetItem", "BatchGetItem", "Query", "Query GSI1", ...transactions],
  },
  "close-checkout": {
    description: "Ends checkouts that must not be paid any more, and asks what became of those whose hold is over",
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
          "member.renewed",
          "user.deleted",
        ],
      },
      { prefix: "registration.updated", data: { followUps: ["closeCheckout"] } },
      { prefix: "event.", data: { changed: ["pricing", "nonBizTechAllowed"] } },
    ],
    alarm: "seatsGivenUp",
    // Time for ten sessions at a slow provider.
    timeout: 120,
    settings: [...holdSettings, "ADMIN_EMAIL_DOMAIN", "MEMBERSHIP_TERM", "TIME_ZONE"],
    table: ["GetItem", "BatchGetItem", "Query", "Query REGISTRATIONS", ...transactions, "ConditionCheckItem"],
    secrets: ["payments"],
  },
} as const satisfies Readonly<Record<string, ConsumerDeclaration>>;

/** Called by the table's stream, schedules, the image bucket and the user pool: constructs of their own in `lib`. */
export const otherFunctions = {
  relay: {
    description: "Sends outbox messages from the table's stream to the bus",
    // Time for the ten requests of a batch, with retries.
    timeout: 60,
  },
  sweeper: {
    description: "Ends expired holds, announces reminders and invitations to give feedback, and begins campaigns",
    memory: 512,
    // A run ends before the next one begins, and is never retried, so there are no concurrent runs. Reserved concurrency
    // would ensure the same, but AWS refuses it in a new account, whose concurrency limit is ten.
    timeout: 50,
    settings: [...holdSettings, "REMINDERS", "TIME_ZONE", "ANSWERS_KEPT_DAYS"],
    table: [
      ...["GetItem", "BatchGetItem", "Query", "Query GSI1", "Query REGISTRATIONS"],
      ...transactions,
      "ConditionCheckItem",
    ],
  },
  reconcile: {
    description: "Settles what the payment provider knows and the table lacks, and ends memberships",
    memory: 512,
    // On a laptop, 10,000 payments that the webhook has missed take ten minutes, and 80 seconds otherwise. Lambda repeats
    // a run whose time is over twice, and it goes on where it was.
    timeout: 840,
    settings: [...holdSettings, "ADMIN_EMAIL_DOMAIN", "MEMBERSHIP_TERM", "TIME_ZONE"],
    table: ["GetItem", "BatchGetItem", "Query", ...transactions, "ConditionCheckItem"],
    secrets: ["payments"],
  },
  "cache-header": {
    description: "Adds the cache header to uploaded banners, and removes those that are too large",
    images: ["GetObject", "PutObject", "DeleteObject", "ListBucket"],
  },
  "pre-sign-up": {
    description:
      "Decides who gets an account or a code by mail, and links Google to an account with the same verified email",
    // The person waits for the cold start. Cognito times out after five seconds and retries.
    memory: 512,
    timeout: 5,
    settings: ["SIGN_UP_LIMITS"],
    table: ["BatchGetItem", "UpdateItem"],
  },
} as const satisfies Readonly<Record<string, FunctionDeclaration>>;
