/**
 * Every alarm of a stage: what it says, from which value on, and why. The stack makes alarms of this table; the runbook
 * has an entry for each anchor. What a metric in an alarm costs is in `tools/upkeep/bench/prices.ts`.
 */

/** What the values mean. CloudWatch's own units where it has them. */
export type AlarmUnit = "answers" | "messages" | "runs" | "milliseconds" | "percent" | "share" | "requests" | "mails";

export interface AlarmRule {
  /** What is broken for members: the subject of the mail. At most 50 characters. */
  readonly name: string;
  /** What has happened, as the mail says it. */
  readonly says: string;
  /** Anchor of the entry in docs/runbook.md. */
  readonly anchor: string;
  /** The alarm compares one value for each period with the threshold. */
  readonly statistic: "Sum" | "Maximum" | "p99";
  readonly periodMinutes: 1 | 5 | 15 | 60;
  readonly comparison: ">=" | "<";
  readonly threshold: number;
  readonly unit: AlarmUnit;
  /** Rings when `breaching` of the last `of` periods are beyond the threshold. */
  readonly breaching: number;
  readonly of: number;
  /** What a period without a value counts as. `ignore` leaves the alarm as it is. */
  readonly missing: "breaching" | "notBreaching" | "ignore";
  /** Why this threshold, these periods, and this meaning of a missing value. */
  readonly because: string;
}

export const alarms = {
  apiErrors: {
    name: "People get errors",
    says: "The API answers with errors of its own (5xx).",
    anchor: "api-errors",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 5,
    unit: "answers",
    breaching: 2,
    of: 3,
    missing: "notBreaching",
    because:
      "One failed request is tried again by its client. Five in two of three periods are a fault that lasts: of a function, of the table, or a seat that too many people want (503).",
  },
  apiThrottled: {
    name: "Requests are refused, too many (429)",
    says: "The gateway refuses requests.",
    anchor: "api-throttled",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 50,
    unit: "answers",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "A rush stays below the limits, so this is a flood or a limit that is too low. No refusal means no value.",
  },
  apiFlooded: {
    name: "A flood of requests costs money",
    says: "The API has answered more than 100 requests a second for a quarter of an hour.",
    anchor: "api-throttled",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 30_000,
    unit: "requests",
    breaching: 3,
    of: 3,
    missing: "notBreaching",
    because:
      "A rush ends within 15 minutes. A flood below the limits is refused nowhere: at 300 requests a second it costs 2 USD an hour.",
  },
  apiSlow: {
    name: "People wait for seconds",
    says: "The slowest requests take longer than people wait.",
    anchor: "api-slow",
    statistic: "p99",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 8_000,
    unit: "milliseconds",
    breaching: 3,
    of: 3,
    missing: "notBreaching",
    because:
      "A cold start takes two seconds, and a contended seat is tried for 15 in a rush that ends within 15 minutes.",
  },
  runsRefused: {
    name: "Requests and mails fail, no concurrency left",
    says: "Lambda refuses to run functions: the account's concurrency is used up.",
    anchor: "concurrency",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 10,
    unit: "runs",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because:
      "A person gets an error for each refused run of the API. The limit is the account's, and so is the metric.",
  },
  relayLate: {
    name: "Mails, chat and waitlist stand still",
    says: "The relay is late: no message reaches the bus.",
    anchor: "late-messages",
    statistic: "Maximum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 120_000,
    unit: "milliseconds",
    breaching: 5,
    of: 5,
    missing: "notBreaching",
    because: "A row that cannot be sent is tried for a while. An empty stream has no value.",
  },
  relayStopped: {
    name: "Registrations leave no mail: the relay is off",
    says: "There are registrations, and the relay does not run.",
    anchor: "late-messages",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 1,
    unit: "requests",
    breaching: 2,
    of: 12,
    missing: "notBreaching",
    because:
      "A registration leaves a message, and the relay runs within seconds, perhaps in the next period: one such period may be chance. A relay whose mapping is off has no other sign, and after a day its messages are gone.",
  },
  queuesLate: {
    name: "Mails, chat or waitlist are late",
    says: "A message waits longer in its queue than it may: 15 minutes, a campaign's four hours.",
    anchor: "late-messages",
    statistic: "Maximum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 100,
    unit: "percent",
    breaching: 2,
    of: 2,
    missing: "notBreaching",
    because:
      "A message that fails waits in its queue for the next try, so this also means functions that fail or run out of time. The batches of a campaign wait for their turn. An idle queue has no value.",
  },
  mailsGivenUp: {
    name: "Mails were given up",
    says: "Messages about mails are in a dead-letter queue.",
    anchor: "dead-letters",
    statistic: "Maximum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "Nothing takes up a dead letter by itself. A queue without messages has no value.",
  },
  seatsGivenUp: {
    name: "Seats were not passed on or settled",
    says: "Messages about seats and payments are in a dead-letter queue.",
    anchor: "dead-letters",
    statistic: "Maximum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "Nothing takes up a dead letter by itself. A queue without messages has no value.",
  },
  othersGivenUp: {
    name: "Chat messages or pictures were given up",
    says: "Messages about the chat or pictures are in a dead-letter queue.",
    anchor: "dead-letters",
    statistic: "Maximum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "Nothing takes up a dead letter by itself. A queue without messages has no value.",
  },
  mailsPostponed: {
    name: "Mails or refunds wait, tried every hour",
    says: "Messages failed five times and are tried again every hour: SES takes no mails, or the provider no refunds.",
    anchor: "mails",
    statistic: "Maximum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "There are three days to fix the cause. Nothing else says that people get no mail or refund.",
  },
  mailsRefused: {
    name: "Mails can never be sent",
    says: "SES refuses mails for good, or they have no text.",
    anchor: "mails",
    statistic: "Sum",
    periodMinutes: 60,
    comparison: ">=",
    threshold: 5,
    unit: "mails",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "Now and then an address is wrong. Five in an hour are a template or a sender. No refusal means no value.",
  },
  mailBounces: {
    name: "Mails come back",
    says: "SES may pause the account: the bounce rate is too high.",
    anchor: "mails",
    statistic: "Maximum",
    periodMinutes: 60,
    comparison: ">=",
    threshold: 0.05,
    unit: "share",
    breaching: 1,
    of: 1,
    missing: "ignore",
    because:
      "SES reviews an account from 5 percent on and may pause it at 10. Without mails the rate stays what it was.",
  },
  mailComplaints: {
    name: "Mails are called spam",
    says: "SES may pause the account: the complaint rate is too high.",
    anchor: "mails",
    statistic: "Maximum",
    periodMinutes: 60,
    comparison: ">=",
    threshold: 0.001,
    unit: "share",
    breaching: 1,
    of: 1,
    missing: "ignore",
    because:
      "SES reviews an account from 0.1 percent on and may pause it at 0.5. Without mails the rate stays what it was.",
  },
  sweeper: {
    name: "Unpaid seats stay taken",
    says: "The sweeper does not run, or its runs fail.",
    anchor: "sweeper",
    statistic: "Sum",
    periodMinutes: 1,
    comparison: "<",
    threshold: 1,
    unit: "runs",
    breaching: 5,
    of: 10,
    missing: "breaching",
    because:
      "It runs every minute, EventBridge may be some minutes late, and the next run makes up for a failed one. No run means no value.",
  },
  tableThrottled: {
    name: "Requests fail, the table is throttled",
    says: "DynamoDB refuses requests, because there are too many.",
    anchor: "table-throttled",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 50,
    unit: "requests",
    breaching: 2,
    of: 3,
    missing: "notBreaching",
    because: "A table on demand grows within minutes, and the functions try again. No refusal means no value.",
  },
  signUpsUndecided: {
    name: "Nobody can sign up",
    says: "The user pool does not answer the rule for sign-ups.",
    anchor: "sign-ups",
    statistic: "Sum",
    periodMinutes: 15,
    comparison: ">=",
    threshold: 3,
    unit: "runs",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "A person tries again after one failure. Refusals by the rule do not count: they are correct.",
  },
  codesHeldBack: {
    name: "New people get no code, sign-up is flooded",
    says: "More mails with codes are asked for than the stage's limits allow in an hour.",
    anchor: "sign-ups",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 10,
    unit: "mails",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because:
      "A person whose mailbox has had five codes tries a few times more. Ten are a flood, or a rush of people whose domain is not open. No refusal means no value.",
  },
  paymentEventsRefused: {
    name: "Payments are not noted",
    says: "Messages of the payment provider are refused.",
    anchor: "payment-events-refused",
    statistic: "Sum",
    periodMinutes: 15,
    comparison: ">=",
    threshold: 5,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because:
      "A stranger may try the address once. The provider sends each message again, so a wrong secret shows soon.",
  },
  moneyForTreasurer: {
    name: "The treasurer has to look at money",
    says: "A refund waits for a person, has failed, a payment is disputed, or only the reconciliation found money.",
    anchor: "refunds",
    statistic: "Sum",
    periodMinutes: 60,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "People wait for their money, and a dispute has a deadline. Nothing open means no value.",
  },
  chatPostsMissing: {
    name: "The club's chat misses messages",
    says: "The chat refused messages for good, or did not confirm them.",
    anchor: "chat",
    statistic: "Sum",
    periodMinutes: 60,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because:
      "Such a message is never repeated, and it may be a refund that the treasurer must see. No failure means no value.",
  },
} as const satisfies Readonly<Record<string, AlarmRule>>;

export type AlarmName = keyof typeof alarms;

/** The alarms that ring for dead letters. Each dead-letter queue names its own. */
export type DeadLetterAlarm = "mailsGivenUp" | "seatsGivenUp" | "othersGivenUp";
