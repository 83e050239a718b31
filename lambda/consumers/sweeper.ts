/** Ends expired holds every minute. */
import { sweep } from "#domain/registrations/reactions/sweep.ts";
import { log } from "#kit/log.ts";

export async function handler(): Promise<void> {
  const swept = await sweep(Date.now());
  if (swept.ended + swept.failed > 0 || swept.ranOutOfTime) log.info("holds swept", { ...swept });
  // The alarm counts failed runs. All other holds have been ended.
  if (swept.stuck > 0) throw new Error(`${swept.stuck} holds cannot be ended; the others have been`);
}
