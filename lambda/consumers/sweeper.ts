/**
 * Every minute: ends expired holds, announces the mails and begins the campaigns that are due by the clock, and ends the erasures that are due. Every
 * hour: removes what people entered for events of long ago, where the stage has it.
 */

import type { EventRecord } from "#domain/events/event.ts";
import { beginRules, beginScheduled, dueRules } from "#domain/mail/campaigns/begin-due.ts";
import { isErasureDue } from "#domain/people/users/erasures.ts";
import { announceDueMails, eventsAround } from "#domain/registrations/reactions/announce-due.ts";
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

async function beginCampaigns(events: readonly EventRecord[], now: number): Promise<void> {
  const due = dueRules(events, now, times.timeZone);
  const begun = (await beginScheduled(now)) + (due.length > 0 ? await beginRules(due, now) : 0);
  if (begun > 0) log.info("campaigns begun", { begun });
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
    const events = await eventsAround(now);
    const announced = await announceDueMails(events, now, times);
    if (announced > 0) log.info("mails announced", { announced });
    await beginCampaigns(events, now);
    await erase(now);
    if (keptDays !== "" && (isHour(now) || event.forget)) await removeEntries(now);
  }
  // The alarm counts failed runs. All other holds have been ended.
  if (swept.stuck > 0) throw new Error(`${swept.stuck} holds cannot be ended; the others have been`);
}
