/** Rules for what a bounded read of the line tells about a place and about the number of people. Pure. */
import { decodeTime } from "ulid";

/** People ahead that are counted for one place, at most. */
export const mostCountedAhead = 100;

/** What one read saw that begins at the end of the line, or behind a place, and goes towards the head. */
export interface Seen {
  /** Places of the event's generation. */
  readonly places: number;
  /** The queueKey at which the read stopped. Undefined: it saw everything. */
  readonly stoppedAt: string | undefined;
}

/** Epoch milliseconds at which a generation was created. Undefined for an id that has no time. */
function createdAt(generation: string): number | undefined {
  try {
    return decodeTime(generation);
  } catch {
    return undefined;
  }
}

/**
 * The number of places of a generation, when a read tells it although it stopped. Places of an earlier generation come
 * first in the line, so the read has met them last: what is older than the generation is not of it. (Only a request
 * that came before the event was created again, and then found it, has a place of this generation among them.)
 */
export function exactCount({ places, stoppedAt }: Seen, generation: string): number | undefined {
  if (stoppedAt === undefined) return places;
  const begin = createdAt(generation);
  return begin !== undefined && Number.parseInt(stoppedAt, 10) < begin ? places : undefined;
}

/** A place as a caller sees it: the position from 1, or that more than so many people are ahead. */
export type PlaceInLine = { readonly waitlistPosition: number } | { readonly waitlistAhead: number };

/** The place of the person behind the people that were seen. Undefined when the read does not tell it. */
export function placeBehind(ahead: Seen, generation: string): PlaceInLine | undefined {
  if (ahead.places > mostCountedAhead) return { waitlistAhead: mostCountedAhead };
  const exact = exactCount(ahead, generation);
  return exact === undefined ? undefined : { waitlistPosition: exact + 1 };
}
