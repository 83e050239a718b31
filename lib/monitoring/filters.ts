/**
 * The custom metrics of a stage: lines of the logs that CloudWatch counts. Each metric costs 0.30 USD in a month in which
 * it always has values.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntaxForMetricFilters.html
 */

export interface CountedLines {
  /** The log groups: that of the gateway's requests, or those of functions by their names in the stack. */
  readonly of: "requests" | readonly string[];
  /** In CloudWatch's syntax for JSON lines. */
  readonly pattern: string;
  /** What a line means, as the dashboard says it. */
  readonly meaning: string;
}

export const filters = {
  // HTTP APIs count these with all other 4xx.
  Throttled: { of: "requests", pattern: '{ $.status = "429" }', meaning: "refused by the gateway (429)" },
  Registrations: {
    of: "requests",
    pattern: '{ $.routeKey = "POST /registrations" && $.status = "201" }',
    meaning: "registrations, with a seat or in line",
  },
  SignUpsUndecided: {
    of: ["IdentityPreSignUp"],
    pattern: '{ $.message = "sign-up not decided" }',
    meaning: "sign-ups that the user pool did not answer",
  },
  CodesHeldBack: {
    of: ["IdentityPreSignUp", "Registrations"],
    pattern: '{ $.message = "mail with a code above a limit" }',
    meaning: "mails with codes and guests' links above a limit of the stage",
  },
  MailsRefused: {
    of: ["Mail", "Campaigns"],
    pattern: '{ $.message = "mail refused" }',
    meaning: "mails that can never be sent",
  },
  PaymentEventsRefused: {
    of: ["PaymentWebhook"],
    pattern: '{ $.message = "payment event refused" }',
    meaning: "payment events whose signature fits no secret",
  },
  // Without an alarm. It would tell a person nothing to do.
  PaymentAddressTried: {
    of: ["PaymentWebhook"],
    pattern: '{ $.message = "payment address tried" }',
    meaning: "strangers at the address for payment events",
  },
  MoneyForTreasurer: {
    of: ["Books", "PaymentWebhook", "CloseCheckout", "Reconciler", "Payments"],
    pattern: '{ $.message = "money for the treasurer" || $.message = "the payment provider refused" }',
    meaning: "refunds by hand, failed refunds and payouts, disputes, refusals, what only the reconciliation found",
  },
  ChatPostsMissing: {
    of: ["Chat"],
    pattern: '{ $.message = "chat message refused" || $.message = "given up: the chat message may have been posted" }',
    meaning: "messages that may be missing in the chat",
  },
} as const satisfies Readonly<Record<string, CountedLines>>;

export type CountedMetric = keyof typeof filters;
