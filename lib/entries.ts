/** The entry file of each Lambda function, each bundled separately. */
export const functionEntries = {
  // Called by the API gateway.
  btx: "lambda/api/btx/index.ts",
  calendar: "lambda/api/calendar/index.ts",
  door: "lambda/api/door/index.ts",
  emails: "lambda/api/emails/index.ts",
  events: "lambda/api/events/index.ts",
  feedback: "lambda/api/feedback/index.ts",
  images: "lambda/api/images/index.ts",
  members: "lambda/api/members/index.ts",
  "payment-webhook": "lambda/api/payment-webhook/index.ts",
  payments: "lambda/api/payments/index.ts",
  prizes: "lambda/api/prizes/index.ts",
  profiles: "lambda/api/profiles/index.ts",
  registrations: "lambda/api/registrations/index.ts",
  users: "lambda/api/users/index.ts",
  // Called with the records of the table's stream.
  relay: "lambda/consumers/relay.ts",
  // Called with messages of the bus, each function through its own queue.
  announce: "lambda/consumers/announce.ts",
  "clear-up": "lambda/consumers/remove-event-data.ts",
  "close-checkout": "lambda/consumers/close-checkout.ts",
  "forget-user": "lambda/consumers/forget-user.ts",
  "keep-books": "lambda/consumers/keep-books.ts",
  promoter: "lambda/consumers/promoter.ts",
  "send-campaign": "lambda/consumers/send-campaign.ts",
  "send-chat": "lambda/consumers/send-chat.ts",
  "send-mail": "lambda/consumers/send-mail.ts",
  // Called with the events of SES about mails, through a queue.
  "suppress-address": "lambda/consumers/suppress-address.ts",
  // Called by the image bucket, the user pool and schedules.
  "cache-header": "lambda/consumers/cache-header.ts",
  "pre-sign-up": "lambda/consumers/pre-sign-up.ts",
  reconcile: "lambda/consumers/reconcile.ts",
  sweeper: "lambda/consumers/sweeper.ts",
} as const;

export type FunctionName = keyof typeof functionEntries;
