/** Every minute: ends expired holds, and announces the mails that are due by the clock. */
import { announceDueMails } from "#domain/registrations/reactions/announce-due.ts";
import { sweep } from "#domain/registrations/reactions/sweep.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";

const times = { reminders: JSON.parse(requiredEnv("REMINDERS")) as number[], timeZone: requiredEnv("TIME_ZONE") };

export async function handler(): Promise<void> {
  const now = Date.now();
  const swept = await sweep(now);
  if (swept.ended + swept.failed > 0 || swept.ranOutOfTime) log.info("holds swept", { ...swept });
  // Holds come first: a run that is late does not announce, and the next one does.
  if (!swept.ranOutOfTime) {
    const announced = await announceDueMails(now, times);
    if (announced > 0) log.info("mails announced", { announced });
  }
  // The alarm counts failed runs. All other holds have been ended.
  if (swept.stuck > 0) throw new Error(`${swept.stuck} holds cannot be ended; the others have been`);
}
