/** Posts chat messages to the chat's incoming webhook. */
import { neverConnected } from "#kit/unsent.ts";
import type { ChatMessage } from "./chat.ts";

const maxMilliseconds = 5_000;

/** The message was not posted, and a retry may work. */
class NotPosted extends Error {}

/** `refused`: the webhook will never accept the message. `unknown`: the message may have been posted. */
export type Posting =
  | { readonly outcome: "posted" }
  | { readonly outcome: "refused" | "unknown"; readonly reason: string };

/** Statuses about the message itself: it is malformed, too large or of an unknown type. */
const refusals = new Set([400, 413, 415, 422]);

/**
 * The outcome for an HTTP status. Redirects, and refusals that are not about the message, concern the webhook's address
 * or permissions; 503 means that the chat is down (RFC 9110, 15.6.4). The message is retried after both.
 */
function outcomeOf(status: number): Posting {
  if (status >= 200 && status < 300) return { outcome: "posted" };
  const reason = `status ${status}`;
  if (refusals.has(status)) return { outcome: "refused", reason };
  if (status < 500 || status === 503) throw new NotPosted(reason);
  return { outcome: "unknown", reason };
}

/**
 * Posts the message once, without following redirects, with a timeout of five seconds. Connections are not reused: Lambda
 * freezes the environment between batches, an idle connection may be dead afterwards, and a post on it would have an
 * unknown outcome. https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html
 * @throws NotPosted there was no connection, or the chat accepts no messages now
 */
export async function postChat(url: URL, message: ChatMessage): Promise<Posting> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify(message),
      redirect: "manual",
      signal: AbortSignal.timeout(maxMilliseconds),
    });
  } catch (error) {
    if (neverConnected(error)) throw new NotPosted("no connection", { cause: error });
    return { outcome: "unknown", reason: (error as Error).name };
  }
  // Cancelling the unused body closes the connection.
  await response.body?.cancel().catch(() => undefined);
  return outcomeOf(response.status);
}
