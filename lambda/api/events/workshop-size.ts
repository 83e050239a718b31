/** How much an event may have to count of its workshops. Pure. */

import type { EventRecord } from "#domain/events/event.ts";
import { type Seats, workshopQuestions } from "#domain/registrations/seats/seats.ts";
import { assertFits } from "#kit/item-size.ts";

/** Every registration writes the item of the counters, and pays for all of it. */
const mostBytes = 100 * 1_024;

/** The counters as they are when every choice on offer has been taken once. */
const everyCounter = (event: EventRecord, counted: Seats["taken"]): Seats["taken"] => {
  const all: Record<string, Record<string, number>> = { ...counted };
  for (const { questionId, choices = [] } of workshopQuestions(event)) {
    all[questionId] = { ...Object.fromEntries(choices.map((choice) => [choice, 0])), ...all[questionId] };
  }
  return all;
};

/**
 * Choices that were counted once are counted for ever: they may come back.
 * @param counted what is counted already
 * @throws ValidationFailed
 */
export const checkCounters = (event: EventRecord, counted: Seats["taken"] = {}): void =>
  assertFits(everyCounter(event, counted), "/registrationQuestions", {
    mostBytes,
    what: "choices of all workshops, the former ones too,",
  });
