/** The simulated SES account: which mails it refuses, as AWS does. */
import { type Clock, systemClock } from "../service-kit/clock.ts";
import type { Judge, Refusal, SentMail } from "./sending.ts";

/** State of the account, read for each mail. Absent values refuse nothing. */
export interface MailAccount {
  /** No identity of the sender is verified. */
  readonly unverifiedSender?: boolean;
  /** Only verified recipients get mails: those in the sender's domain, and the mailbox simulator. */
  readonly sandbox?: boolean;
  /** Recipients in a second. */
  readonly mailRate?: number;
  /** Recipients in 24 hours. */
  readonly mailQuota?: number;
}

const day = 86_400_000;

/** Addresses that SES always takes. https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html */
const simulator = "simulator.amazonses.com";

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

/** https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html */
const unverified = (region: string, addresses: readonly string[]): Refusal => ({
  code: "MessageRejected",
  message:
    "Email address is not verified. The following identities failed the check in region " +
    `${region.toUpperCase()}: ${addresses.join(", ")}`,
});

/** https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html */
const throttled = (message: string): Refusal => ({ code: "Throttling", message });

/**
 * Checks mails against the account. A mail of a verified sender to verified recipients counts for rate and quota when
 * it is taken; a refused mail does not count. SES counts recipients, in the second and the 24 hours before a mail
 * (https://docs.aws.amazon.com/ses/latest/dg/quotas.html).
 */
export function judgeOfAccount(account: MailAccount, region: string, clock: Clock = systemClock): Judge {
  /** Time of each recipient that was sent to, oldest first; none is older than a day. */
  let sent: number[] = [];
  return ({ from, to }: SentMail) => {
    const { unverifiedSender, sandbox, mailRate = Infinity, mailQuota = Infinity } = account;
    const isVerified = (address: string): boolean =>
      domainOf(address) === simulator || (!unverifiedSender && domainOf(address) === domainOf(from));
    const failed = [...(unverifiedSender ? [from] : []), ...(sandbox ? to.filter((one) => !isVerified(one)) : [])];
    if (failed.length > 0) return unverified(region, failed);
    const now = clock.now();
    sent = sent.filter((at) => at > now - day);
    if (sent.length + to.length > mailQuota) return throttled("Daily message quota exceeded.");
    const inSecond = sent.filter((at) => at > now - 1_000).length;
    if (inSecond + to.length > mailRate) return throttled("Maximum sending rate exceeded.");
    for (const _ of to) sent.push(now);
    return undefined;
  };
}
