/** The simulated SES account: which mails it refuses, as AWS does. */
import { type Clock, systemClock } from "../service-kit/clock.ts";
import type { Judge, Refusal, SentMail } from "./sending.ts";

/** State of the account, read for each mail. Absent values refuse nothing. */
export interface MailAccount {
  /** No identity of the sender is verified. */
  readonly unverifiedSender?: boolean;
  /** Recipients in 24 hours. */
  readonly mailQuota?: number;
}

const day = 86_400_000;

/** https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html */
const unverified = (region: string, address: string): Refusal => ({
  code: "MessageRejected",
  message:
    "Email address is not verified. The following identities failed the check in region " +
    `${region.toUpperCase()}: ${address}`,
});

/** https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html */
const spent: Refusal = { code: "Throttling", message: "Daily message quota exceeded." };

/**
 * Checks mails against the account. A mail of a verified sender counts for the quota when it is taken; a refused mail does not
 * count. SES counts recipients in the 24 hours before a mail (https://docs.aws.amazon.com/ses/latest/dg/quotas.html).
 */
export function judgeOfAccount(account: MailAccount, region: string, clock: Clock = systemClock): Judge {
  /** Time of each recipient that was sent to, oldest first; none is older than a day. */
  let sent: number[] = [];
  return ({ from, to }: SentMail) => {
    const { unverifiedSender, mailQuota = Infinity } = account;
    if (unverifiedSender) return unverified(region, from);
    const now = clock.now();
    sent = sent.filter((at) => at > now - day);
    if (sent.length + to.length > mailQuota) return spent;
    sent.push(...to.map(() => now));
    return undefined;
  };
}
