/**
 * Sends a notice once for each channel, also when its message comes twice, at the same time or after a crash
 * (`docs/design.md`, "Messages and consumers").
 */
import { randomUUID } from "node:crypto";
import { claim, type Ending, type Marker, markEnded, release } from "#domain/notices/store.ts";
import { UnknownOutcome } from "#kit/conflict.ts";
import type { RequestContext } from "#kit/context.ts";
import { log } from "#kit/log.ts";
import { PerhapsSent } from "#kit/unsent.ts";
import { NotYet } from "./consumer.ts";

export interface Rules {
  /**
   * Whether a try may take over the claim of an earlier try whose lease has ended. `true`: the notice goes out at least
   * once, and twice when the earlier try ended between sending and noting. `false`: the notice goes out at most once.
   */
  readonly takesOver: boolean;
}

/**
 * Claims the notice, sends it, and notes how that ended.
 * @param tell sends, and answers how that ended. It throws `PerhapsSent` when this is unknown: then the claim stays, so
 * that no other try sends before the lease has ended. Any other error means that nothing was sent.
 * @throws NotYet another try has the claim
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
      // The claim may have been written after all. Nothing was sent, so it is given back: otherwise the next try would
      // take it for the claim of another function.
      if (error instanceof UnknownOutcome) await giveBack(marker, claimedBy, context);
      throw error;
    },
  );
  if (outcome === "busy") throw new NotYet("another run is sending it");
  if (outcome === "abandoned") log.warn("given up: it may have been sent already", { id, channel });
  if (outcome !== "claimed") return;
  const ending = await tell().catch(async (error: unknown) => {
    if (!(error instanceof PerhapsSent)) await giveBack(marker, claimedBy, context);
    throw error;
  });
  await markEnded(marker, ending, { claimedBy, now: Date.now() }, context);
}

/**
 * Gives the claim back and throws nothing: the caller reports the error that ended the try. A claim that cannot be
 * given back stays until its lease ends.
 */
async function giveBack(marker: Marker, claimedBy: string, context: RequestContext): Promise<void> {
  try {
    await release(marker, claimedBy, context);
  } catch (error) {
    log.warn("claim not given back", { id: marker.outboxId, reason: (error as Error).name });
  }
}
