/**
 * Sends a notice once for each channel, also when its message comes twice, at the same time or after a crash
 * (`docs/design.md`, "Messages and consumers").
 */
import { type Ending, type Marker, sendingOf } from "#domain/notices/store.ts";
import { claim, noteEnd, release } from "#kit/claims.ts";
import type { RequestContext } from "#kit/context.ts";
import { PerhapsSent } from "#kit/unsent.ts";
import { NotYet } from "#outbox/messages.ts";

/** How a notice ended, and whether its mail had no calendar entry although its kind comes with one. */
export interface Told {
  readonly ending: Ending;
  readonly withoutEntry?: boolean;
}

/**
 * Claims the notice, sends it, and notes how that ended.
 * @param tell sends, and answers how that ended. It throws `PerhapsSent` when this is unknown: then the claim stays, so
 * that no other try sends before the lease has ended. Any other error means that nothing was sent.
 * @param invites whether a calendar entry may go out with the notice
 * @throws NotYet another try has the claim
 */
export async function once(
  marker: Marker,
  tell: () => Promise<Told>,
  context: RequestContext,
  invites = false,
): Promise<void> {
  const claimed = await claim(sendingOf(marker, invites), Date.now(), context);
  if (claimed.outcome === "busy") throw new NotYet("another run is sending it");
  if (claimed.outcome === "done") return;
  const told = await tell().catch(async (error: unknown) => {
    if (!(error instanceof PerhapsSent)) await release(claimed.claim, context);
    throw error;
  });
  const { ending, withoutEntry } = told;
  // A chat message that was posted needs no note: nobody takes over its claim.
  if (ending === "sent" && marker.channel === "chat") return;
  // A mail that is out is out, whoever has the claim now.
  const end = { state: ending, ...(withoutEntry && { withoutEntry }) };
  await noteEnd(claimed.claim, end, context, ending === "sent");
}
