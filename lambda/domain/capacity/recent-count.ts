/** The number of waiting people, cached in a function instance for five seconds. */
import { keptFor } from "#kit/table/kept.ts";
import { countLine } from "./line.ts";
import type { EventKey } from "./seats.ts";

const counts = keptFor<number>(5_000);

/**
 * The number of people who wait for a seat of this generation, counted at most five seconds ago.
 * @param now epoch milliseconds of the request
 */
export const recentCount = (event: EventKey, generation: string, now: number): Promise<number> =>
  counts(`${event.id}#${event.year}#${generation}`, now, () => countLine(event, generation, "eventual"));
