/** Chat messages out, to an incoming webhook. */
import { neverConnected } from "#kit/unsent.ts";
import type { ChatMessage } from "./chat.ts";

const maxMilliseconds = 5_000;

/** Nothing was posted, and another try makes sense. */
class NotPosted extends Error {}

/** `refused`: the webhook will not take it. `unknown`: it may have been posted. */
export type Posting =
  | { readonly outcome: "posted" }
  | { readonly outcome: "refused" | "unknown"; readonly reason: string };

function outcomeOf(status: number): Posting {
  if (status >= 200 && status < 300) return { outcome: "posted" };
  if (status === 429) throw new NotPosted("too many messages");
  // A webhook has one address: whoever sends us elsewhere gets nothing.
  return { outcome: status < 500 ? "refused" : "unknown", reason: `status ${status}` };
}

/**
 * Posts once, never follows a redirect, and waits five seconds at most.
 * @throws NotPosted
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
  // Nobody reads what it says; the connection is given back.
  await response.body?.cancel().catch(() => undefined);
  return outcomeOf(response.status);
}
