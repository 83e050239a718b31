/** The entry file of every Lambda function. Each is bundled on its own. */
export const functionEntries = {
  // Behind the gateway.
  btx: "lambda/btx/index.ts",
  emails: "lambda/emails/index.ts",
  events: "lambda/events/index.ts",
  feedback: "lambda/feedback/index.ts",
  images: "lambda/images/index.ts",
  members: "lambda/members/index.ts",
  "payment-webhook": "lambda/payment-webhook/index.ts",
  payments: "lambda/payments/index.ts",
  prizes: "lambda/prizes/index.ts",
  profiles: "lambda/profiles/index.ts",
  registrations: "lambda/registrations/index.ts",
  users: "lambda/users/index.ts",
  // Between the table's stream and the bus.
  relay: "lambda/outbox/relay.ts",
  // Behind the bus.
  announce: "lambda/notifications/announce.ts",
  "clear-up": "lambda/events/clear-up.ts",
  "close-checkout": "lambda/payments/close-checkout.ts",
  "forget-user": "lambda/users/forget-user.ts",
  promoter: "lambda/registrations/promoter.ts",
  "send-campaign": "lambda/campaigns/send-campaign.ts",
  "send-chat": "lambda/notifications/send-chat.ts",
  "send-mail": "lambda/notifications/send-mail.ts",
  // Behind the image bucket, the user pool and a schedule.
  "cache-header": "lambda/images/cache-header.ts",
  "pre-sign-up": "lambda/identity/pre-sign-up.ts",
  sweeper: "lambda/holds/sweeper.ts",
} as const;

export type FunctionName = keyof typeof functionEntries;
