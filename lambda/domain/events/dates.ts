/** Converts dates of requests to UTC (`docs/contract.md`, "Dates"). Pure. */
import { TZDate } from "@date-fns/tz";
import { zoneAt } from "#kit/text/time-zone.ts";

/** The fields of an event that are dates. */
export const dateFields = ["startDate", "endDate", "deadline", "opensAt", "publishAt", "refundUntil"] as const;

const withoutOffset = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/i;

/**
 * Converts an ISO 8601 date or date-time to UTC. Without an offset the time is in `timeZone` (IANA name). A date alone
 * means 00:00 in that time zone. Expects text of the format `iso-date`.
 */
export function toUtc(text: string, timeZone: string): string {
  const match = withoutOffset.exec(text);
  if (!match) return new Date(text.replace(" ", "T")).toISOString();
  const part = (index: number): number => Number(match[index] ?? 0);
  const milliseconds = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const timeIn = (zone: string): number =>
    new TZDate(part(1), part(2) - 1, part(3), part(4), part(5), part(6), milliseconds, zone).getTime();
  return new Date(timeIn(zoneAt(timeIn(timeZone), timeZone))).toISOString();
}
