/** The numbers of people who wait that a function instance keeps for five seconds, for everybody who asks it meanwhile. */
import { countLine } from "./line.ts";
import type { EventKey } from "./seats.ts";

/** Milliseconds from the beginning of a count until the line is counted again. */
const keptFor = 5_000;

interface RecentCount {
  /** Also while the line is being counted, so that all who ask share one query. */
  readonly waiting: Promise<number>;
  /** Epoch milliseconds. The other clock may stand still between two invocations. */
  readonly endsAt: number;
}

/** By event and generation. It has only the events that somebody asked for in the last seconds. */
const recent = new Map<string, RecentCount>();

/**
 * The number of people who wait for a seat of this generation, counted at most five seconds ago. A count that fails is
 * not kept.
 */
export function recentCount(event: EventKey, generation: string): Promise<number> {
  const now = Date.now();
  for (const [name, { endsAt }] of recent) if (endsAt <= now) recent.delete(name);
  const name = `${event.id}#${event.year}#${generation}`;
  const known = recent.get(name);
  if (known) return known.waiting;
  const count = { waiting: countLine(event, generation, "eventual"), endsAt: now + keptFor };
  recent.set(name, count);
  count.waiting.catch(() => {
    if (recent.get(name) === count) recent.delete(name);
  });
  return count.waiting;
}
