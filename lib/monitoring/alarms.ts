/**
 * Every alarm of a stage: what it says, from which value on, and why. The stack makes alarms of this table; the runbook
 * has an entry for each anchor.
 */

/** What the values mean. CloudWatch's own units where it has them. */
export type AlarmUnit = "answers" | "messages" | "runs" | "milliseconds" | "percent" | "share" | "requests" | "mails";

export interface AlarmRule {
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

/** The names of alarms of which a stage has one for each queue, after the queue's own name. */
export const perQueue = ["deadLetters", "laterTries"] as const;

export const alarms = {
  // The API.
  apiErrors: {
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
    because: "One failed request is tried again by its client. Five in two of three periods are a fault that lasts.",
  },
  apiThrottled: {
    says: "The gateway refuses requests, because there are too many (429).",
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
  apiSlow: {
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

  // Functions. An API function that fails is a 5xx of the API.
  functionErrors: {
    says: "A function behind the bus, the stream or a queue fails again and again.",
    anchor: "function-errors",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 1,
    unit: "runs",
    breaching: 3,
    of: 6,
    missing: "notBreaching",
    because: "A failed run is repeated by itself. Failures in three of six periods do not pass by themselves.",
  },
  functionThrottles: {
    says: "Lambda refuses to run functions: the account has no more concurrency.",
    anchor: "concurrency",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 10,
    unit: "runs",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "A person gets an error for each refused run of the API. The limit is the account's, so is the metric.",
  },
  concurrency: {
    says: "The functions of the account use most of its concurrency.",
    anchor: "concurrency",
    statistic: "Maximum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 80,
    unit: "percent",
    breaching: 3,
    of: 5,
    missing: "notBreaching",
    because: "At 100 percent requests are refused. In a new account the limit is 10. No run means no value.",
  },
  nearTimeout: {
    says: "A function behind the bus, the stream, a queue or a schedule nearly uses up its time.",
    anchor: "near-timeout",
    statistic: "Maximum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 90,
    unit: "percent",
    breaching: 2,
    of: 3,
    missing: "notBreaching",
    because: "One long run may be a large event that is deleted. Two are work that soon does not fit into a run.",
  },
  streamLate: {
    says: "The relay is late: what happened reaches mail, chat and the waitlist late.",
    anchor: "stream-late",
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

  // Queues.
  queuesLate: {
    says: "A message waits longer in its queue than it may: 15 minutes, a campaign's four hours.",
    anchor: "queues-late",
    statistic: "Maximum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 100,
    unit: "percent",
    breaching: 2,
    of: 2,
    missing: "notBreaching",
    because: "The batches of a campaign wait for their turn, other messages do not. An idle queue has no value.",
  },
  deadLetters: {
    says: "Messages were given up.",
    anchor: "dead-letters",
    statistic: "Maximum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "The first one counts: nothing takes it up again by itself. An idle queue has no value.",
  },
  laterTries: {
    says: "Messages failed five times and are tried again every hour.",
    anchor: "dead-letters",
    statistic: "Maximum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "There are three days to mend the cause. Nothing else says that people get no mail.",
  },

  // The sweeper.
  sweeperFails: {
    says: "Some holds are not ended: unpaid seats stay taken.",
    anchor: "sweeper",
    statistic: "Sum",
    periodMinutes: 1,
    comparison: ">=",
    threshold: 1,
    unit: "runs",
    breaching: 5,
    of: 10,
    missing: "notBreaching",
    because: "The next run makes up for a failed one. A sweeper that does not run has an alarm of its own.",
  },
  sweeperStopped: {
    says: "The sweeper does not run: unpaid seats stay taken.",
    anchor: "sweeper-stopped",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: "<",
    threshold: 1,
    unit: "runs",
    breaching: 2,
    of: 2,
    missing: "breaching",
    because: "It runs every minute, and EventBridge may be some minutes late. No run means no value.",
  },

  // The table.
  tableThrottled: {
    says: "DynamoDB refuses reads or writes, because there are too many.",
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
  tableErrors: {
    says: "DynamoDB answers with errors of its own.",
    anchor: "table-errors",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 5,
    unit: "requests",
    breaching: 2,
    of: 3,
    missing: "notBreaching",
    because: "The functions try again. An outage of DynamoDB lasts longer than one period.",
  },
  tableConflicts: {
    says: "Very many writes meet each other at the same records.",
    anchor: "contended",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 5_000,
    unit: "requests",
    breaching: 3,
    of: 3,
    missing: "notBreaching",
    because: "Conflicts are how seats are shared, and a rush has thousands. A quarter of an hour of them is no rush.",
  },

  // The bus.
  busFailures: {
    says: "The bus could not deliver messages.",
    anchor: "bus-failures",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "EventBridge has tried for a day by then. It has no value while there is no failure.",
  },

  // Mails.
  mailBounces: {
    says: "Too many mails come back. SES may pause the account.",
    anchor: "mail-reputation",
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
    says: "Too many people call the mails spam. SES may pause the account.",
    anchor: "mail-reputation",
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
  mailsRefused: {
    says: "Mails can never be sent: SES refuses them, or they have no text.",
    anchor: "mails-refused",
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
  mailsPostponed: {
    says: "SES takes no mails now: rate, quota, or the account is paused.",
    anchor: "mails-postponed",
    statistic: "Sum",
    periodMinutes: 15,
    comparison: ">=",
    threshold: 10,
    unit: "mails",
    breaching: 2,
    of: 2,
    missing: "notBreaching",
    because: "Single mails are postponed when many go out at once. Half an hour of it is a quota or a pause.",
  },

  // Seams to others, and rushes.
  signUpsUndecided: {
    says: "People cannot sign up: the user pool does not answer the rule.",
    anchor: "sign-ups",
    statistic: "Sum",
    periodMinutes: 15,
    comparison: ">=",
    threshold: 3,
    unit: "runs",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "A person tries again after one failure. Refusals by the rule do not count: they are as they should be.",
  },
  paymentEventsRefused: {
    says: "Messages of the payment provider are refused: paid seats and memberships are not noted.",
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
  chatRefused: {
    says: "The chat refuses messages for good.",
    anchor: "chat-refused",
    statistic: "Sum",
    periodMinutes: 60,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "The message may be a refund that the treasurer must see. No refusal means no value.",
  },
  chatUnconfirmed: {
    says: "The chat did not confirm messages: they may be missing in it.",
    anchor: "chat-unconfirmed",
    statistic: "Sum",
    periodMinutes: 60,
    comparison: ">=",
    threshold: 1,
    unit: "messages",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because: "Such a message is never repeated, and it may be a refund. Every post confirmed means no value.",
  },
  contended: {
    says: "Requests give up a contended seat or record (503 CONTENDED).",
    anchor: "contended",
    statistic: "Sum",
    periodMinutes: 5,
    comparison: ">=",
    threshold: 50,
    unit: "answers",
    breaching: 1,
    of: 1,
    missing: "notBreaching",
    because:
      "Clients try again, so single ones harm no person. Fifty in five minutes is a rush that the table cannot serve.",
  },
} as const satisfies Readonly<Record<string, AlarmRule>>;

export type AlarmName = keyof typeof alarms;
