/** What goes of past events where the stage has it (`answersKeptDays`; `docs/contract.md`, "A person's data"). */
import { emptyOldFeedback } from "#domain/feedback/forget.ts";
import { removeOldEntries } from "#domain/registrations/reactions/remove-entries.ts";

/**
 * Removes what people entered in registrations, and what they wrote and signed in feedback. One portion; the next run
 * continues.
 * @param now epoch milliseconds
 * @returns how many registrations were emptied
 */
export async function removeOld(days: number, now: number): Promise<number> {
  await emptyOldFeedback(days, now);
  return removeOldEntries(days, now);
}
