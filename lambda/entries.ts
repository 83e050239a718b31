/** The entry file of every Lambda function. Each is bundled on its own. */
export const functionEntries = {
  // Behind the gateway.
  emails: "lambda/emails/index.ts",
  btx: "lambda/btx/index.ts",
  events: "lambda/events/index.ts",
  feedback: "lambda/feedback/index.ts",
  images: "lambda/images/index.ts",
  prizes: "lambda/prizes/index.ts",
  members: "lambda/members/index.ts",
  payments: "lambda/payments/index.ts",
  "payment-webhook": "lambda/webhook/index.ts",
  profiles: "lambda/profiles/index.ts",
  registrations: "lambda/registrations/index.ts",
  users: "lambda/users/index.ts",
  // Behind the image bucket.
  "cache-header": "lambda/images/cache-header.ts",
  // Between the table's stream and the bus.
  relay: "lambda/outbox/relay.ts",
  // Behind the bus.
  "send-mail": "lambda/notifications/send-mail.ts",
  "send-chat": "lambda/notifications/send-chat.ts",
  "send-campaign": "lambda/campaigns/send-campaign.ts",
  announce: "lambda/notifications/announce.ts",
  promoter: "lambda/registrations/promoter.ts",
  "clear-up": "lambda/events/clear-up.ts",
  // Behind the user pool.
  "pre-sign-up": "lambda/identity/pre-sign-up.ts",
  "forget-user": "lambda/users/forget-user.ts",
  "close-checkout": "lambda/payments/close-checkout.ts",
  // Behind a schedule.
  sweeper: "lambda/holds/sweeper.ts",
} as const;

export type FunctionName = keyof typeof functionEntries;
