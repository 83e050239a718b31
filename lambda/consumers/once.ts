/**
 * Sends a notice once per channel, even if its message is duplicated, concurrently or after a crash (`docs/design.md`,
 * "Messages and consumers").
 */
import { type Ending, type Marker, sendingOf } from "#domain/notices/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { claim, recordEnd, release } from "#kit/table/claims.ts";
import { PerhapsSent } from "#kit/unsent.ts";
import { NotYet } from "#outbox/messages.ts";

/** How a notice ended, and whether its mail lacked the calendar entry of its kind. */
export interface Told {
  readonly ending: Ending;
  readonly withoutEntry?: boolean;
}

/**
 * Claims the notice, sends it, and records how that ended.
 * @param tell sends, and returns how that ended. Throws `PerhapsSent` when this is unknown: the claim is then kept, so that
 * no other try sends before the lease has ended. Any other error means that nothing was sent.
 * @param invites whether the notice may include a calendar entry
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
  // A posted chat message needs no record: its claim is never taken over.
  if (ending === "sent" && marker.channel === "chat") return;
  // A sent mail is recorded even if another try has taken over the claim.
  const end = { state: ending, ...(withoutEntry && { withoutEntry }) };
  await recordEnd(claimed.claim, end, context, ending === "sent");
}
