/** The times of an event that matter at its door (`docs/contract.md`, "The door"). Pure. */

import { noLimit } from "#domain/capacity/seats.ts";
import { type EventDates, endOf, usualDuration } from "#domain/events/dates.ts";
import { day, hour } from "#kit/text/time.ts";

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
  /** Scans can be uploaded until then. */
  readonly acceptedUntil: number;
}

/**
 * The evening of an event. Without dates it ends for each device, and for a link that no device has used.
 * @param since epoch milliseconds at which the device joined, or the link was made. Absent: the evening has no end.
 */
export function eveningOf(event: EventDates, since = noLimit): Evening {
  const { startDate } = event;
  const end = endOf(event);
  if (end === undefined) {
    const last = Math.min(noLimit, since + acceptsFor);
    return { opens: 0, closes: last, acceptedUntil: last };
  }
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
