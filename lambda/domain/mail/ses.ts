/** Mails out, by SES. */
import { SESClient, SendRawEmailCommand } from "@aws-sdk/client-ses";
import { neverConnected, PerhapsSent } from "#kit/unsent.ts";
import type { Mail } from "./mime.ts";

/** One try only: sending is not idempotent, and the queue tries again. */
export const client = new SESClient({
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000 },
});

/** SES will not take this mail, now or later. */
export class MailRefused extends Error {}

/** The mail itself is refused: its address, as a rule. */
const refusals = new Set(["MessageRejected", "InvalidParameterValue"]);

/** Too many mails in a second, or in a day. */
const throttlings = new Set(["Throttling", "ThrottlingException", "TooManyRequestsException"]);

/** Whether SES says that it has had too much for now; nothing was sent. */
export const isThrottling = (error: unknown): boolean => throttlings.has((error as SesError | undefined)?.name ?? "");

interface SesError {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Never quotes SES, whose messages quote addresses. */
function classified(error: unknown): unknown {
  const { name = "", $metadata } = error as SesError;
  if (refusals.has(name)) return new MailRefused(name);
  const status = $metadata?.httpStatusCode;
  const wasAnswered = status !== undefined && status >= 400 && status < 500;
  // Throttling, a missing permission, a paused account: not sent, and worth another try.
  return wasAnswered || neverConnected(error) ? error : new PerhapsSent(name, { cause: error });
}

/**
 * @param from the sender's bare address
 * @throws MailRefused for good
 * @throws PerhapsSent no answer came; any other error: certainly not sent, worth another try
 */
export async function post({ to, raw }: Mail, from: string): Promise<void> {
  try {
    await client.send(new SendRawEmailCommand({ Source: from, Destinations: [to], RawMessage: { Data: raw } }));
  } catch (error) {
    throw classified(error);
  }
}
