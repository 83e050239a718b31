/** What AWS reports minute by minute: of a day in which nothing fails, and of failures, with the alarms that they ring. */
import type { AlarmName } from "../../lib/monitoring/alarms.ts";
import type { Values } from "./alarm-evaluation.ts";

const none: Values = {};

const visible = "ApproximateNumberOfMessagesVisible";
const hidden = "ApproximateNumberOfMessagesNotVisible";
const age = "ApproximateAgeOfOldestMessage";

/** A minute in which people use the stage, and nothing fails. */
export const healthy: Values = {
  "5xx Api": 0,
  "Latency Api": 400,
  "IteratorAge Relay": 300,
  "Invocations Relay": 2,
  Registrations: 2,
  "Count Api": 180,
  "Invocations Sweeper": 1,
  "Errors Sweeper": 0,
  Throttles: 0,
  "Reputation.BounceRate": 0.01,
  "Reputation.ComplaintRate": 0.0002,
  [`${age} MailQueue`]: 2,
};
const { "Invocations Sweeper": runs = 0, ...people } = healthy;
/** A minute of the night. */
const night: Values = { "Invocations Sweeper": runs, "Errors Sweeper": 0 };

/** A day of a quiet week: a night without a request, a rush at noon, and what goes wrong now and then without a fault. */
export const quietDay: readonly Values[] = Array.from({ length: 1_440 }, (_, ofDay) => {
  const ofHour = ofDay % 60;
  // EventBridge is two minutes late, and a run fails.
  if (ofHour === 20 || ofHour === 21) return ofDay < 420 ? none : people;
  if (ofHour === 22) return { ...night, "Errors Sweeper": 1 };
  if (ofDay < 420) return night;
  const rush = { "5xx Api": 2, "Latency Api": 3_300, "Count Api": 5_000, Throttled: 8, "ThrottledRequests Table": 20 };
  if (ofDay >= 720 && ofDay < 723) return { ...healthy, ...rush, Registrations: 300, "IteratorAge Relay": 20_000 };
  // A registration at the end of a minute, whose message the relay sends in the next one.
  if (ofDay === 1_000) return { ...night, Registrations: 1, "Count Api": 3, "5xx Api": 1 };
  // A message whose first two tries fail, and other things that happen once.
  if (ofDay === 900) return { ...healthy, [`${age} ChatQueue`]: 700, MailsRefused: 1, PaymentEventsRefused: 1 };
  return healthy;
});

type Rings = Readonly<Partial<Record<AlarmName, number>>>;
/** The values of each minute while something goes wrong, and the minutes within which each alarm rings for it. */
export type Failure = readonly [Values | ((minute: number) => Values), Rings];

const once = (values: Values) => (minute: number) => (minute === 0 ? values : none);
const after = (minutes: number, values: Values) => (minute: number) => (minute < minutes ? none : values);
const aging = (queue: string) => (minute: number) => ({ [`${age} ${queue}`]: minute * 60 });
/** A queue that no function reads has no values for six hours, and then up to 15 minutes late. */
const awake = 15;

/**
 * SQS's values: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/monitoring-using-cloudwatch.html
 * and https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html.
 */
export const failures: Readonly<Record<string, Failure>> = {
  "a function of the API throws": [{ "5xx Api": 3 }, { apiErrors: 10 }],
  "seats are contended for ten minutes": [{ "5xx Api": 5 }, { apiErrors: 10 }],
  "DynamoDB is out, or a right on it is missing": [
    { "5xx Api": 60, "Errors Sweeper": 1 },
    { apiErrors: 10, sweeper: 10 },
  ],
  "DynamoDB throttles": [{ "ThrottledRequests Table": 80 }, { tableThrottled: 10 }],
  "a flood of requests": [{ Throttled: 2_000 }, { apiThrottled: 5 }],
  "a flood that the limits let pass": [{ "Count Api": 18_000 }, { apiFlooded: 20 }],
  "the payment provider answers slowly": [{ "Latency Api": 12_000 }, { apiSlow: 20 }],
  "the concurrency of the account is used up": [
    { Throttles: 6, "5xx Api": 6 },
    { apiErrors: 10, runsRefused: 6 },
  ],
  "the bus refuses the relay": [(minute) => ({ "IteratorAge Relay": minute * 60_000 }), { relayLate: 12 }],
  "the relay has skipped rows": [after(awake, { [`${visible} RelayFailures`]: 1 }), { seatsGivenUp: 20 }],
  "the mapping of a queue is off": [aging("PromoterQueue"), { queuesLate: 25 }],
  // Its messages count until the third of their tries, which are 12 minutes apart, and are dead after the fifth.
  "the function of a queue runs out of time": [
    (minute) =>
      minute < 25 ? aging("ClearUpQueue")(minute) : after(60 + awake, { [`${visible} ClearUpFailures`]: 1 })(minute),
    { queuesLate: 25, seatsGivenUp: 80 },
  ],
  // Three minutes apart: the third is over before the message is late.
  "the function of a queue fails": [
    (minute) =>
      minute < 7 ? aging("PromoterQueue")(minute) : after(15 + awake, { [`${visible} PromoterFailures`]: 1 })(minute),
    { seatsGivenUp: 35 },
  ],
  "a campaign stands still": [aging("CampaignsQueue"), { campaignsLate: 255 }],
  "the bus cannot reach a queue": [after(awake, { [`${visible} AnnouncerFailures`]: 1 }), { mailsGivenUp: 20 }],
  "a message is not understood": [after(awake, { [`${visible} ChatFailures`]: 1 }), { othersGivenUp: 20 }],
  "SES has paused the account": [
    after(15, { [`${hidden} MailLater`]: 3, [`${hidden} CampaignsLater`]: 1 }),
    { mailsPostponed: 20 },
  ],
  "the quota of campaigns is used up": [after(90, { [`${hidden} CampaignsLater`]: 1 }), { mailsPostponed: 95 }],
  "a template is wrong": [{ MailsRefused: 8 }, { mailsRefused: 5 }],
  "mails come back": [{ "Reputation.BounceRate": 0.06 }, { mailBounces: 5 }],
  "people complain": [{ "Reputation.ComplaintRate": 0.002 }, { mailComplaints: 5 }],
  "holds cannot be ended": [{ "Errors Sweeper": 1 }, { sweeper: 10 }],
  "the user pool does not answer": [{ SignUpsUndecided: 1 }, { signUpsUndecided: 6 }],
  "a flood of sign-ups": [{ CodesHeldBack: 140 }, { codesHeldBack: 5 }],
  "the webhook's secret is wrong": [{ PaymentEventsRefused: 2 }, { paymentEventsRefused: 6 }],
  "the payment provider's key lacks a right": [once({ MoneyForTreasurer: 3, "5xx Api": 3 }), { moneyForTreasurer: 5 }],
  "a refund fails": [once({ MoneyForTreasurer: 1 }), { moneyForTreasurer: 5 }],
  "the payment provider takes no refunds": [after(60, { [`${hidden} BooksLater`]: 40 }), { mailsPostponed: 65 }],
  "the chat refuses messages, or does not confirm them": [once({ ChatPostsMissing: 1 }), { chatPostsMissing: 5 }],
};

const { "Invocations Relay": _, "IteratorAge Relay": __, ...withoutRelay } = healthy;
/** What is told by values that are missing: all that a minute has. */
export const silences: Readonly<Record<string, Failure>> = {
  "the relay's mapping is off": [withoutRelay, { relayStopped: 15 }],
  "the sweeper has stopped": [people, { sweeper: 12 }],
  "nothing runs at all": [none, { sweeper: 12 }],
};
