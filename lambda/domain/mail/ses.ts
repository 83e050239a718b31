/** Sends mails with Amazon SES. */
import { SESClient, SendRawEmailCommand } from "@aws-sdk/client-ses";
import { callLimits } from "#kit/call-limits.ts";
import { neverConnected, PerhapsSent } from "#kit/unsent.ts";
import type { Mail } from "./mime.ts";

const newConnection = { keepAlive: false };

/**
 * No retries, because a retry may send the mail twice; the queue delivers the message again. No reused connections
 * either: Lambda closes idle ones, and a failed call on one does not show whether the mail was sent.
 * https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html
 */
export const client = new SESClient({
  maxAttempts: 1,
  requestHandler: {
    ...callLimits(10_000),
    // Longer than for other services, because there are no retries.
    connectionTimeout: 5_000,
    httpsAgent: newConnection,
    httpAgent: newConnection,
  },
});

/** This mail can never be sent. */
export class MailRefused extends Error {}

/**
 * Errors about the mail itself. `MessageRejected` is not among them: SES also returns it when the sender is not verified,
 * or the account is paused or in the sandbox, and the same mail can be sent once this is fixed. A virus causes no error:
 * SES accepts the mail and does not deliver it.
 * https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html
 */
const refusals = new Set(["InvalidParameterValue"]);

/** Errors about too many mails per second or day. */
const throttlings = new Set(["Throttling", "ThrottlingException", "TooManyRequestsException"]);

/** Whether SES throttled the request, so the mail was not sent. */
export const isThrottling = (error: unknown): boolean => throttlings.has((error as SesError | undefined)?.name ?? "");

/**
 * Whether the daily quota is exhausted, so that an early retry is useless.
 * https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
 */
export const isQuotaUsedUp = (error: unknown): boolean =>
  isThrottling(error) && ((error as SesError).message ?? "").startsWith("Daily message quota exceeded");

interface SesError {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** The error to throw. SES names addresses in its messages: `lambda/consumers/consumer.ts` leaves them out. */
function classified(error: unknown): unknown {
  const { name = "", $metadata } = error as SesError;
  if (refusals.has(name)) return new MailRefused(name);
  const status = $metadata?.httpStatusCode;
  const wasAnswered = status !== undefined && status >= 400 && status < 500;
  // Throttling, a missing permission, a paused or unverified account: SES has not sent the mail, and a retry may work.
  return wasAnswered || neverConnected(error) ? error : new PerhapsSent(name, { cause: error });
}

export interface Sending {
  /** The sender's bare address. */
  readonly from: string;
  /** Name of the SES configuration set. */
  readonly configurationSet: string;
}

/**
 * Sends a mail with the configuration set of the stage, which requires TLS and publishes bounces and complaints.
 * @throws MailRefused the mail can never be sent
 * @throws PerhapsSent SES did not respond, so it may have sent the mail. Any other error means that the mail was not
 * sent and a retry may work.
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
