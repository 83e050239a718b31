/**
 * Values that let an alarm ring and values next to them that do not, the oldest period first; and failures of a stage
 * with the alarms that they ring.
 */
import type { AlarmName } from "../../lib/monitoring/alarms.ts";
import type { Values } from "./alarm-evaluation.ts";

export interface AlarmExample {
  readonly loud: readonly Values[];
  readonly quiet: readonly Values[];
}

const none: Values = {};

/** The periods of one metric; `undefined` is a period without a value. */
const of = (metric: string, ...values: readonly (number | undefined)[]): Values[] =>
  values.map((value) => (value === undefined ? none : { [metric]: value }));

/** So many periods with this value. */
const periods = (count: number, value: Values): Values[] => Array.from({ length: count }, () => value);

const sweeps = (...runs: readonly (readonly [runs: number, failed: number] | undefined)[]): Values[] =>
  runs.map((run) => (run ? { "Invocations Sweeper": run[0], "Errors Sweeper": run[1] } : none));

const visible = "ApproximateNumberOfMessagesVisible";
const hidden = "ApproximateNumberOfMessagesNotVisible";
const age = "ApproximateAgeOfOldestMessage";

export const examples: Readonly<Record<AlarmName, AlarmExample>> = {
  apiErrors: { loud: of("5xx Api", 5, 0, 6), quiet: of("5xx Api", 40, 4, undefined) },
  apiThrottled: { loud: of("Throttled", 50), quiet: of("Throttled", 49) },
  apiFlooded: { loud: of("Count Api", 30_000, 90_000, 30_000), quiet: of("Count Api", 200_000, 200_000, 29_999) },
  apiSlow: { loud: of("Latency Api", 8_000, 9_000, 15_000), quiet: of("Latency Api", 15_000, undefined, 15_000) },
  runsRefused: { loud: of("Throttles", 10), quiet: of("Throttles", 9) },
  relayLate: {
    loud: periods(5, { "IteratorAge Relay": 120_000 }),
    quiet: [...periods(4, { "IteratorAge Relay": 600_000 }), none],
  },
  relayStopped: {
    loud: [{ Registrations: 1 }, ...periods(10, none), { Registrations: 40, "Invocations Relay": 0 }],
    // The last registration of a period, whose message the relay sends in the next one; and a rush.
    quiet: [
      { Registrations: 1 },
      ...periods(10, { "Invocations Relay": 1 }),
      { Registrations: 400, "Invocations Relay": 300 },
    ],
  },
  queuesLate: {
    loud: periods(2, { [`${age} MailQueue`]: 900, [`${age} BooksQueue`]: 60 }),
    quiet: periods(2, { [`${age} MailQueue`]: 899 }),
  },
  campaignsLate: {
    loud: periods(2, { [`${age} CampaignsQueue`]: 4 * 3_600 }),
    quiet: periods(2, { [`${age} CampaignsQueue`]: 4 * 3_600 - 1 }),
  },
  mailsGivenUp: { loud: of(`${visible} MailFailures`, 1), quiet: of(`${visible} MailFailures`, 0) },
  seatsGivenUp: { loud: of(`${visible} PromoterFailures`, 1), quiet: of(`${visible} PromoterFailures`, 0) },
  othersGivenUp: { loud: of(`${visible} ChatFailures`, 1), quiet: [none] },
  mailsPostponed: { loud: of(`${hidden} MailLater`, 1), quiet: [none] },
  mailsRefused: { loud: of("MailsRefused", 5), quiet: of("MailsRefused", 4) },
  mailBounces: { loud: of("Reputation.BounceRate", 0.05), quiet: of("Reputation.BounceRate", 0.049) },
  mailComplaints: { loud: of("Reputation.ComplaintRate", 0.001), quiet: of("Reputation.ComplaintRate", 0.0009) },
  sweeper: {
    loud: sweeps([1, 1], undefined, [1, 0], [0, 0], [1, 0], [1, 1], [1, 0], [1, 0], [1, 0], [2, 2]),
    quiet: sweeps(undefined, [1, 1], [0, 0], [2, 0], [1, 0], [1, 1], [2, 1], [1, 0], [1, 0], [1, 0]),
  },
  tableThrottled: {
    loud: of("ThrottledRequests Table", 50, undefined, 60),
    quiet: of("ThrottledRequests Table", 4_000, 49, undefined),
  },
  signUpsUndecided: { loud: of("SignUpsUndecided", 3), quiet: of("SignUpsUndecided", 2) },
  codesHeldBack: { loud: of("CodesHeldBack", 10), quiet: of("CodesHeldBack", 9) },
  paymentEventsRefused: { loud: of("PaymentEventsRefused", 5), quiet: of("PaymentEventsRefused", 4) },
  moneyForTreasurer: { loud: of("MoneyForTreasurer", 1), quiet: [none] },
  chatPostsMissing: { loud: of("ChatPostsMissing", 1), quiet: [none] },
};

/** A stage where nothing fails: the values of each period. */
export const healthy: Values = {
  "5xx Api": 0,
  "Latency Api": 400,
  "IteratorAge Relay": 300,
  "Invocations Relay": 2,
  Registrations: 2,
  "Count Api": 900,
  "Invocations Sweeper": 1,
  "Errors Sweeper": 0,
  Throttles: 0,
};

/** What AWS reports in each period while something goes wrong, and what rings for it. */
export const failures: Readonly<Record<string, readonly [Values, ...AlarmName[]]>> = {
  "a function of the API throws": [{ "5xx Api": 12 }, "apiErrors"],
  "seats are contended for ten minutes": [{ "5xx Api": 25 }, "apiErrors"],
  "DynamoDB is out": [{ "5xx Api": 300, "Errors Sweeper": 1 }, "apiErrors", "sweeper"],
  "a right on the table is missing": [{ "5xx Api": 300, "Errors Sweeper": 1 }, "apiErrors", "sweeper"],
  "DynamoDB throttles": [{ "ThrottledRequests Table": 400 }, "tableThrottled"],
  "a flood of requests": [{ Throttled: 10_000 }, "apiThrottled"],
  "a flood that the limits let pass": [{ "Count Api": 90_000 }, "apiFlooded"],
  "the payment provider answers slowly": [{ "Latency Api": 12_000 }, "apiSlow"],
  "the concurrency of the account is used up": [{ Throttles: 30, "5xx Api": 30 }, "apiErrors", "runsRefused"],
  "the bus refuses the relay": [{ "IteratorAge Relay": 900_000 }, "relayLate"],
  "the relay's mapping is off": [{ "Invocations Relay": 0 }, "relayStopped"],
  "the relay has skipped rows": [{ [`${visible} RelayFailures`]: 1 }, "seatsGivenUp"],
  "the function of a queue fails, or its mapping is off": [{ [`${age} PromoterQueue`]: 1_000 }, "queuesLate"],
  "the function of a queue runs out of time": [{ [`${age} ClearUpQueue`]: 1_500 }, "queuesLate"],
  "a campaign stands still": [{ [`${age} CampaignsQueue`]: 15_000 }, "campaignsLate"],
  "the bus cannot reach a queue": [{ [`${visible} AnnouncerFailures`]: 1 }, "mailsGivenUp"],
  "SES has paused the account": [{ [`${hidden} MailLater`]: 3, [`${hidden} CampaignsLater`]: 1 }, "mailsPostponed"],
  "the quota of campaigns is used up": [{ [`${hidden} CampaignsLater`]: 1 }, "mailsPostponed"],
  "a template is wrong": [{ MailsRefused: 40 }, "mailsRefused"],
  "mails come back": [{ "Reputation.BounceRate": 0.06 }, "mailBounces"],
  "people complain": [{ "Reputation.ComplaintRate": 0.002 }, "mailComplaints"],
  "the sweeper has stopped": [{ "Invocations Sweeper": 0 }, "sweeper"],
  "holds cannot be ended": [{ "Errors Sweeper": 1 }, "sweeper"],
  "the user pool does not answer": [{ SignUpsUndecided: 4 }, "signUpsUndecided"],
  "a flood of sign-ups": [{ CodesHeldBack: 700 }, "codesHeldBack"],
  "the webhook's secret is wrong": [{ PaymentEventsRefused: 9 }, "paymentEventsRefused"],
  "the payment provider's key lacks a right": [{ MoneyForTreasurer: 3, "5xx Api": 3 }, "moneyForTreasurer"],
  "a refund fails": [{ MoneyForTreasurer: 1 }, "moneyForTreasurer"],
  "the payment provider takes no refunds": [{ [`${hidden} BooksLater`]: 40 }, "mailsPostponed"],
  "the chat refuses messages, or does not confirm them": [{ ChatPostsMissing: 1 }, "chatPostsMissing"],
};
