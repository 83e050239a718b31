/**
 * Sends a notice once for each channel, also when its message comes twice, at the same time or after a crash
 * (`docs/design.md`, "Messages and consumers").
 */
import { randomUUID } from "node:crypto";
import { type Claimant, claim, type Ending, type Marker, markEnded, release } from "#domain/notices/store.ts";
import { UnknownOutcome } from "#kit/conflict.ts";
import type { RequestContext } from "#kit/context.ts";
import { log } from "#kit/log.ts";
import { PerhapsSent } from "#kit/unsent.ts";
import { NotYet } from "./consumer.ts";

/**
 * `takesOver`: whether a try may take over the claim of an earlier try whose lease has ended. `true`: the notice goes out
 * at least once, and twice when the earlier try ended between sending and noting. `false`: the notice goes out at most
 * once, whatever became of the earlier try: the claim is the note that it was sent, and is given back when it was not.
 */
export type Rules = Pick<Claimant, "takesOver" | "invites">;

/** How a notice ended, and whether its mail had no calendar entry although its kind comes with one. */
export interface Told {
  readonly ending: Ending;
  readonly withoutEntry?: boolean;
}

/**
 * Claims the notice, sends it, and notes how that ended, if another try has to know.
 * @param tell sends, and answers how that ended. It throws `PerhapsSent` when this is unknown: then the claim stays, so
 * that no other try sends before the lease has ended. Any other error means that nothing was sent.
 * @throws NotYet another try has the claim
 */
export async function once(
  marker: Marker,
  { takesOver, invites = false }: Rules,
  tell: () => Promise<Told>,
  context: RequestContext,
): Promise<void> {
  const claimedBy = randomUUID();
  const outcome = await claim(marker, { claimedBy, now: Date.now(), takesOver, invites }, context).catch(
    async (error: unknown) => {
      // The claim may have been written after all. Nothing was sent, so it is given back: otherwise the next try would
      // take it for the claim of another function.
      if (error instanceof UnknownOutcome) await giveBack(marker, claimedBy, context);
      throw error;
    },
  );
  if (outcome === "busy") throw new NotYet("another run is sending it");
  if (outcome !== "claimed") return;
  const { ending, withoutEntry = false } = await tell().catch(async (error: unknown) => {
    if (!(error instanceof PerhapsSent)) await giveBack(marker, claimedBy, context);
    throw error;
  });
  if (ending === "sent" && !takesOver) return;
  await markEnded(marker, ending, { claimedBy, now: Date.now(), invites, withoutEntry }, context);
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
