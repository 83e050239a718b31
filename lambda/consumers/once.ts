/** Telling a notice once per channel, whatever comes twice, at the same time or after a crash (`design.md`, section 8). */
import { randomUUID } from "node:crypto";
import { claim, type Ending, type Marker, markEnded, release } from "#domain/notices/store.ts";
import { UnknownOutcome } from "#kit/conflict.ts";
import type { RequestContext } from "#kit/context.ts";
import { log } from "#kit/log.ts";
import { PerhapsSent } from "#kit/unsent.ts";
import { NotYet } from "./consumer.ts";

export interface Rules {
  /**
   * Who may go on where somebody has stopped without a word. `true`: at least once, and twice when they stopped between
   * sending and saying so. `false`: at most once.
   */
  readonly takesOver: boolean;
}

/**
 * Claims the notice, tells it, and notes how that ended.
 * @param tell answers how it ended. Throws `PerhapsSent` when that is unknown; any other error means that nothing was sent
 * (after `PerhapsSent` the claim stays, so that nobody tries again before the lease has ended)
 * @throws NotYet while somebody else is at it
 */
export async function once(
  marker: Marker,
  { takesOver }: Rules,
  tell: () => Promise<Ending>,
  context: RequestContext,
): Promise<void> {
  const claimedBy = randomUUID();
  const { outboxId: id, channel } = marker;
  const outcome = await claim(marker, { claimedBy, now: Date.now(), takesOver }, context).catch(
    async (error: unknown) => {
      // It may have been made after all, and nothing was sent: nobody has to take it for somebody else's.
      if (error instanceof UnknownOutcome) await giveBack(marker, claimedBy, context);
      throw error;
    },
  );
  if (outcome === "busy") throw new NotYet("somebody else is sending it");
  if (outcome === "abandoned") log.warn("given up: it may have been sent already", { id, channel });
  if (outcome !== "claimed") return;
  const ending = await tell().catch(async (error: unknown) => {
    if (!(error instanceof PerhapsSent)) await giveBack(marker, claimedBy, context);
    throw error;
  });
  await markEnded(marker, ending, { claimedBy, now: Date.now() }, context);
}

/** The error that stopped us is the one to be reported; a claim that cannot be given back ends by itself. */
async function giveBack(marker: Marker, claimedBy: string, context: RequestContext): Promise<void> {
  try {
    await release(marker, claimedBy, context);
  } catch (error) {
    log.warn("claim not given back", { id: marker.outboxId, reason: (error as Error).name });
  }
}
