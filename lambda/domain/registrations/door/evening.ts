/** The times of an event that matter at its door (`docs/contract.md`, "The door"). Pure. */

import { noLimit } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** The assumed duration of an event with only one of its dates. */
const usualDuration = 12 * hour;
/** People arrive this long before the start. */
const opensBefore = 6 * hour;
const closesAfter = 3 * hour;
const acceptsFor = 14 * day;

/** Epoch milliseconds. */
export interface Evening {
  /** Check-ins have times from here on, until `closes`. */
  readonly opens: number;
  /** The door list can be read until then. */
  readonly closes: number;
  /** Scans can be brought until then. */
  readonly acceptedUntil: number;
}

/**
 * The evening of an event. Without dates it ends for each device, and for a link that nobody has used.
 * @param since epoch milliseconds at which the device joined, or the link was made. Absent: the evening has no end.
 */
export function eveningOf(
  { startDate, endDate }: Pick<EventRecord, "startDate" | "endDate">,
  since = noLimit,
): Evening {
  if (startDate === undefined && endDate === undefined) {
    const end = Math.min(noLimit, since + acceptsFor);
    return { opens: 0, closes: end, acceptedUntil: end };
  }
  const end = endDate === undefined ? Date.parse(startDate as string) + usualDuration : Date.parse(endDate);
  const start = startDate === undefined ? end - usualDuration : Date.parse(startDate);
  return { opens: start - opensBefore, closes: end + closesAfter, acceptedUntil: end + acceptsFor };
}

/**
 * The time of a scan by the service's clock: within the evening, and not in the future.
 * @param scannedAt by the device's clock, as is `sentAt`, the time of the request
 * @param now epoch milliseconds at which the request was received
 */
export function correctedTime(scannedAt: number, sentAt: number, now: number, { opens, closes }: Evening): number {
  const corrected = scannedAt + (now - sentAt);
  return Math.min(now, Math.max(opens, Math.min(closes, corrected)));
}
