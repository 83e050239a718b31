/** Limits the size of an event's workshop counters. Pure. */

import type { Seats } from "#domain/capacity/seats.ts";
import { assertFits, valueSize } from "#kit/table/item-size.ts";
import type { EventRecord } from "./event.ts";
import { workshopQuestions } from "./seat-settings.ts";

/** Every registration writes the item with the counters, and DynamoDB charges for the whole item. */
const maxBytes = 100 * 1_024;

/** The stored counters, with an entry for each available choice. */
const everyCounter = (event: EventRecord, counted: Seats["choiceHolders"]): Seats["choiceHolders"] => {
  const all: Record<string, Record<string, number>> = { ...counted };
  for (const { questionId, choices = [] } of workshopQuestions(event)) {
    all[questionId] = { ...Object.fromEntries(choices.map((choice) => [choice, 0])), ...all[questionId] };
  }
  return all;
};

/**
 * Refuses workshops with too large counters. A choice keeps its counter after its removal, because it may be offered
 * again.
 * @param counted the stored counters
 * @throws ValidationFailed
 */
export const checkCounters = (event: EventRecord, counted: Seats["choiceHolders"] = {}): void =>
  assertFits(valueSize(everyCounter(event, counted)), "/registrationQuestions", {
    maxBytes,
    what: "choices of all workshops, the former ones too,",
  });
