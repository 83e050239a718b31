/**
 * Every minute: ends expired holds, announces the mails that are due by the clock, and ends the erasures that are due. Every
 * hour: removes what people entered for events of long ago, where the stage has it.
 */

import { isErasureDue } from "#domain/people/users/erasures.ts";
import { announceDueMails } from "#domain/registrations/reactions/announce-due.ts";
import { sweep } from "#domain/registrations/reactions/sweep.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";

const times = { reminders: JSON.parse(requiredEnv("REMINDERS")) as number[], timeZone: requiredEnv("TIME_ZONE") };

const keptDays = requiredEnv("ANSWERS_KEPT_DAYS");

/** Whether this is the first minute of an hour. @param now epoch milliseconds */
const isHour = (now: number): boolean => now % 3_600_000 < 60_000;

/** Milliseconds of a run for erasures. */
const within = 15_000;

async function erase(now: number): Promise<void> {
  // Loaded when an erasure is due, not by each run.
  if (!(await isErasureDue(now))) return;
  const { eraseDue } = await import("#domain/personal-data/erase.ts");
  const erased = await eraseDue(now, { deadline: performance.now() + within });
  if (erased > 0) log.info("people erased", { erased });
}

async function removeEntries(now: number): Promise<void> {
  const { removeOld } = await import("#domain/personal-data/remove-old.ts");
  const emptied = await removeOld(Number(keptDays), now);
  if (emptied > 0) log.info("entries removed", { emptied });
}

/** @param event of the schedule; with `forget` a test asks for what each hour does */
export async function handler(event: { readonly forget?: boolean } = {}): Promise<void> {
  const now = Date.now();
  const swept = await sweep(now);
  if (swept.ended + swept.failed > 0 || swept.ranOutOfTime) log.info("holds swept", { ...swept });
  // Holds come first: a run that is late does not announce, and the next one does.
  if (!swept.ranOutOfTime) {
    const announced = await announceDueMails(now, times);
    if (announced > 0) log.info("mails announced", { announced });
    await erase(now);
    if (keptDays !== "" && (isHour(now) || event.forget)) await removeEntries(now);
  }
  // The alarm counts failed runs. All other holds have been ended.
  if (swept.stuck > 0) throw new Error(`${swept.stuck} holds cannot be ended; the others have been`);
}
