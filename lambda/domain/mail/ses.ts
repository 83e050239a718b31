/** Sends mails by Amazon SES. */
import { SESClient, SendRawEmailCommand } from "@aws-sdk/client-ses";
import { neverConnected, PerhapsSent } from "#kit/unsent.ts";
import type { Mail } from "./mime.ts";

/** One try only, because a second try may send the mail twice. The queue brings the message again. */
export const client = new SESClient({
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000 },
});

/** SES refuses this mail for good. */
export class MailRefused extends Error {}

/** Errors about the mail itself, most often about its address. */
const refusals = new Set(["MessageRejected", "InvalidParameterValue"]);

/** Errors about too many mails in a second or a day. */
const throttlings = new Set(["Throttling", "ThrottlingException", "TooManyRequestsException"]);

/** Whether SES refuses because of too many mails. Then it has not sent the mail. */
export const isThrottling = (error: unknown): boolean => throttlings.has((error as SesError | undefined)?.name ?? "");

interface SesError {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** The error to throw. It never contains the text of the SES error, because that text contains addresses. */
function classified(error: unknown): unknown {
  const { name = "", $metadata } = error as SesError;
  if (refusals.has(name)) return new MailRefused(name);
  const status = $metadata?.httpStatusCode;
  const wasAnswered = status !== undefined && status >= 400 && status < 500;
  // Throttling, a missing permission or a paused account: SES has not sent the mail, and another try may work.
  return wasAnswered || neverConnected(error) ? error : new PerhapsSent(name, { cause: error });
}

/**
 * @param from the sender's bare address
 * @throws MailRefused SES refuses the mail for good
 * @throws PerhapsSent SES did not answer, so it may have sent the mail. Any other error means that the mail was not
 * sent and another try may work.
 */
export async function post({ to, raw }: Mail, from: string): Promise<void> {
  try {
    await client.send(new SendRawEmailCommand({ Source: from, Destinations: [to], RawMessage: { Data: raw } }));
  } catch (error) {
    throw classified(error);
  }
}
