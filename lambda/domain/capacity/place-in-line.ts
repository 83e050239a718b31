/** What a bounded read of the line shows about a person's position and the number of people. Pure. */
import { decodeTime } from "ulid";

/** Maximum people ahead that are counted for one place. */
export const maxCountedAhead = 100;

/** The result of a read from the end of the line, or from a place, towards the head. */
export interface Seen {
  /** Places of the event's generation. */
  readonly places: number;
  /** The sort key at which the read stopped. Undefined: it reached the head. */
  readonly stoppedAt: string | undefined;
}

/** Epoch milliseconds at which a generation was created. For an id without a time `NaN`, before which there is nothing. */
function createdAt(generation: string): number {
  try {
    return decodeTime(generation);
  } catch {
    return Number.NaN;
  }
}

/**
 * The number of places of a generation, if the read shows it. Places of an earlier generation come first in the line, so
 * a read that stopped at a place older than the generation has seen all places of it. (Except for a request that
 * arrived before the event was created again and then read it: its place may be among the older ones.)
 */
export function exactCount({ places, stoppedAt }: Seen, generation: string): number | undefined {
  if (stoppedAt === undefined) return places;
  return Number.parseInt(stoppedAt, 10) < createdAt(generation) ? places : undefined;
}

/** A place as a caller sees it: the position from 1, or that more than so many people are ahead. */
export type PlaceInLine = { readonly waitlistPosition: number } | { readonly waitlistAhead: number };

/** The place of the person behind the people that were seen. Undefined when the read does not show it. */
export function placeBehind(ahead: Seen, generation: string): PlaceInLine | undefined {
  if (ahead.places > maxCountedAhead) return { waitlistAhead: maxCountedAhead };
  const exact = exactCount(ahead, generation);
  return exact === undefined ? undefined : { waitlistPosition: exact + 1 };
}
