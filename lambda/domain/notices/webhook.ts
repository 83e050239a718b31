/** Posts chat messages to the chat's incoming webhook. */
import { neverConnected } from "#kit/unsent.ts";
import type { ChatMessage } from "./chat.ts";

const maxMilliseconds = 5_000;

/** The message was not posted, and another try may work. */
class NotPosted extends Error {}

/** `refused`: the webhook does not take the message. `unknown`: the message may have been posted. */
export type Posting =
  | { readonly outcome: "posted" }
  | { readonly outcome: "refused" | "unknown"; readonly reason: string };

function outcomeOf(status: number): Posting {
  if (status >= 200 && status < 300) return { outcome: "posted" };
  if (status === 429) throw new NotPosted("too many messages");
  // A redirect counts as refused: the webhook has one address, and the message must not go to another one.
  return { outcome: status < 500 ? "refused" : "unknown", reason: `status ${status}` };
}

/**
 * Posts the message once. It never follows a redirect and waits five seconds at most.
 * @throws NotPosted when there was no connection, or the chat gets too many messages
 */
export async function postChat(url: URL, message: ChatMessage): Promise<Posting> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
      redirect: "manual",
      signal: AbortSignal.timeout(maxMilliseconds),
    });
  } catch (error) {
    if (neverConnected(error)) throw new NotPosted("no connection", { cause: error });
    return { outcome: "unknown", reason: (error as Error).name };
  }
  // The body is not needed. Cancelling it frees the connection.
  await response.body?.cancel().catch(() => undefined);
  return outcomeOf(response.status);
}
