/**
 * The business metrics of a stage, which CloudWatch extracts from log lines (`kit/count.ts`). The stack creates alarms and
 * the dashboard from the same table.
 */
import { type Count, count as countAny } from "#kit/count.ts";

interface Metric extends Pick<Count, "unit"> {
  /** What one value counts. */
  readonly meaning: string;
}

/** Each occurrence counts once, in the function that has committed or seen it. No value identifies a person or an event. */
export const metrics = {
  Registered: { unit: "Count", meaning: "A person registered and has a seat." },
  RegisteredUnpaid: { unit: "Count", meaning: "A person registered, and a seat is held until it is paid for." },
  Waitlisted: { unit: "Count", meaning: "A person registered and waits in line." },
  Applied: { unit: "Count", meaning: "A person applied for a seat." },
  Accepted: { unit: "Count", meaning: "An admin accepted an application, to be paid for or not." },
  RefusedFull: { unit: "Count", meaning: "A registration was refused: a chosen workshop has no room." },
  RefusedClosed: { unit: "Count", meaning: "A registration was refused: the event takes none now." },
  RefusedDuplicate: { unit: "Count", meaning: "A registration was refused: the person is registered already." },
  Promoted: { unit: "Count", meaning: "A person who waited in line got a seat." },
  Contended: { unit: "Count", meaning: "A request was answered with 503 CONTENDED." },
  MoneyIn: { unit: "None", meaning: "Money of a payment arrived, in cents." },
  MoneyOwedBack: { unit: "None", meaning: "Money has to go back to the payer, in cents; 0 if the amount is unknown." },
  PaymentEventsRefused: {
    unit: "Count",
    meaning: "A message to the payment webhook had no valid signature, or was no JSON.",
  },
  MailsSent: { unit: "Count", meaning: "The mail service took a mail." },
  MailsRefused: { unit: "Count", meaning: "A mail can never be sent: the mail service refuses it, or it has no text." },
  MailsPostponed: { unit: "Count", meaning: "The mail service took no mail for now. The mail is tried again." },
  MailsUnconfirmed: { unit: "Count", meaning: "The mail service did not answer, so a mail may have been sent." },
  MailsSuppressed: { unit: "Count", meaning: "A person who wants no campaign mails got none." },
  ChatPostsRefused: { unit: "Count", meaning: "The chat refused a message for good." },
  ChatPostsUnconfirmed: { unit: "Count", meaning: "The chat did not confirm a message, so it may have been posted." },
  SignUpsRefused: { unit: "Count", meaning: "A person could not make an account." },
  SweeperRuns: { unit: "Count", meaning: "The sweeper did its work, also when there was nothing to do." },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

/** One value of a metric: 1, or cents. */
export const countOf = (name: MetricName, value = 1): Count => ({ name, value, unit: metrics[name].unit });

/** Counts an occurrence. */
export const count = (name: MetricName, value?: number): void => countAny(countOf(name, value));
