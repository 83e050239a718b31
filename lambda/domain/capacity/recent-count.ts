/** The number of waiting people, cached in a function instance for five seconds. */
import { keptFor } from "#kit/table/kept.ts";
import { countLine } from "./line.ts";
import type { EventKey, Place } from "./seats.ts";

const counts = keptFor<number>(5_000);

/**
 * The number of people who wait in a line, counted at most five seconds ago.
 * @param now epoch milliseconds of the request
 */
export const recentCount = (
  event: EventKey,
  { generation, pool }: Pick<Place, "generation" | "pool">,
  now: number,
): Promise<number> =>
  counts(`${event.id}#${event.year}#${generation}#${pool}`, now, () =>
    countLine(event, { generation, pool }, "eventual"),
  );
