/** Posts chat messages to the chat's incoming webhook. */
import { neverConnected } from "#kit/unsent.ts";
import type { ChatMessage } from "./chat.ts";

const maxMilliseconds = 5_000;

/** The message was not posted, and another try may work. */
class NotPosted extends Error {}

/** `refused`: the webhook can never take the message. `unknown`: the message may have been posted. */
export type Posting =
  | { readonly outcome: "posted" }
  | { readonly outcome: "refused" | "unknown"; readonly reason: string };

/** Answers about the message itself: it is malformed, too large or of an unknown kind. */
const refusals = new Set([400, 413, 415, 422]);

/**
 * The outcome by the HTTP status. A redirect, and every refusal that is not about the message, is a matter of the
 * webhook's address or rights; 503 says that the chat is not working (RFC 9110, 15.6.4). The message waits for both.
 */
function outcomeOf(status: number): Posting {
  if (status >= 200 && status < 300) return { outcome: "posted" };
  const reason = `status ${status}`;
  if (refusals.has(status)) return { outcome: "refused", reason };
  if (status < 500 || status === 503) throw new NotPosted(reason);
  return { outcome: "unknown", reason };
}

/**
 * Posts the message once. It never follows a redirect and waits five seconds at most. The connection serves no second
 * post: Lambda freezes the environment between two batches, an idle connection may be dead after that, and a post on it
 * would have an unknown outcome. https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html
 * @throws NotPosted when there was no connection, or the chat takes no message now
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
  // The body is not needed. Cancelling it ends the connection.
  await response.body?.cancel().catch(() => undefined);
  return outcomeOf(response.status);
}
