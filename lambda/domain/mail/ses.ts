/** Sends mails by Amazon SES. */
import { SESClient, SendRawEmailCommand } from "@aws-sdk/client-ses";
import { callLimits } from "#kit/call-limits.ts";
import { neverConnected, PerhapsSent } from "#kit/unsent.ts";
import type { Mail } from "./mime.ts";

/** Each call makes a connection of its own. */
const ownConnection = { keepAlive: false };

/**
 * One try only, because a second try may send the mail twice. The queue brings the message again. A connection is not
 * used again either: Lambda cuts idle ones, and a call that fails on one does not tell whether the mail was sent.
 * https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html
 */
export const client = new SESClient({
  maxAttempts: 1,
  requestHandler: {
    ...callLimits(10_000),
    // There is no second try, so a late connection has more time than with other services.
    connectionTimeout: 5_000,
    httpsAgent: ownConnection,
    httpAgent: ownConnection,
  },
});

/** This mail can never be sent. */
export class MailRefused extends Error {}

/**
 * Errors about the mail itself. `MessageRejected` is not among them: SES also answers it when the sender is not
 * verified, or the account is paused or in its sandbox, and then the same mail is sent when this is mended. A virus is
 * no such answer: SES takes the mail and does not deliver it.
 * https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html
 */
const refusals = new Set(["InvalidParameterValue"]);

/** Errors about too many mails in a second or a day. */
const throttlings = new Set(["Throttling", "ThrottlingException", "TooManyRequestsException"]);

/** Whether SES refuses because of too many mails. Then it has not sent the mail. */
export const isThrottling = (error: unknown): boolean => throttlings.has((error as SesError | undefined)?.name ?? "");

/**
 * Whether SES refuses because the quota of the day is used up. Then another try soon does not help.
 * https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
 */
export const isQuotaUsedUp = (error: unknown): boolean =>
  isThrottling(error) && ((error as SesError).message ?? "").startsWith("Daily message quota exceeded");

interface SesError {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** The error to throw. It is logged by its name only, because the text of an SES error contains addresses. */
function classified(error: unknown): unknown {
  const { name = "", $metadata } = error as SesError;
  if (refusals.has(name)) return new MailRefused(name);
  const status = $metadata?.httpStatusCode;
  const wasAnswered = status !== undefined && status >= 400 && status < 500;
  // Throttling, a missing right, a paused or unverified account: SES has not sent the mail, and another try may work.
  return wasAnswered || neverConnected(error) ? error : new PerhapsSent(name, { cause: error });
}

/** How the mails of a stage are sent. */
export interface Sending {
  /** The sender's bare address. */
  readonly from: string;
  /** Name of the SES configuration set. */
  readonly configurationSet: string;
}

/**
 * Sends a mail under the configuration set of the stage: it demands TLS, and publishes bounces and complaints.
 * @throws MailRefused the mail can never be sent
 * @throws PerhapsSent SES did not answer, so it may have sent the mail. Any other error means that the mail was not
 * sent and another try may work.
 */
export async function post({ to, raw }: Mail, { from, configurationSet }: Sending): Promise<void> {
  try {
    await client.send(
      new SendRawEmailCommand({
        Source: from,
        Destinations: [to],
        RawMessage: { Data: raw },
        ConfigurationSetName: configurationSet,
      }),
    );
  } catch (error) {
    throw classified(error);
  }
}
