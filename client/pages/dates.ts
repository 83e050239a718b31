/** Times as people read them: in the zone of the place, and in the reader's. Pure. */

const language = "en-US";
const minute = 60_000;

export interface Schedule {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly wholeDays?: { readonly startDate?: string; readonly endDate?: string } | undefined;
}

/**
 * Zones whose clocks no longer change, since when, and a zone with that offset. Devices may have older rules, with which a
 * time in winter is an hour wrong (`lambda/kit/text/time-zone.ts`).
 */
const fixed: Readonly<Record<string, readonly [since: number, as: string]>> = {
  "America/Vancouver": [Date.UTC(2026, 10, 1, 9), "Etc/GMT+7"],
  "America/Edmonton": [Date.UTC(2026, 10, 1, 8), "Etc/GMT+6"],
};

function zoneAt(at: number, timeZone: string): string {
  const [since = Number.POSITIVE_INFINITY, as = timeZone] = fixed[timeZone] ?? [];
  return at < since ? timeZone : as;
}

const time = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
const styles = {
  full: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  card: { weekday: "short", day: "numeric", month: "short", timeZoneName: undefined },
} as const;

/** Spaces that some engines write around times. */
const plain = (text: string): string => text.replaceAll(/[\u202f\u2009]/g, " ");

const formatAt = (at: number, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: zoneAt(at, timeZone) });

/** `Friday, March 1, 2030 at 7:00 PM GMT-7` @param at epoch milliseconds */
export const momentText = (at: number, timeZone: string): string =>
  plain(formatAt(at, timeZone, { ...styles.full, ...time }).format(at));

/** `7:30 PM GMT-7`, with the day unless it is today. */
export function shortMoment(at: number, timeZone: string, now: number): string {
  const day = formatAt(at, timeZone, { dateStyle: "short" });
  return day.format(at) === day.format(now) ? plain(formatAt(at, timeZone, time).format(at)) : momentText(at, timeZone);
}

/** When an event is; undefined without dates. */
export function whenText(event: Schedule, timeZone: string, style: keyof typeof styles = "full"): string | undefined {
  const { startDate, endDate, wholeDays } = event;
  if (!startDate) return undefined;
  if (wholeDays?.startDate && (!endDate || wholeDays.endDate)) {
    const [first, last] = [Date.parse(wholeDays.startDate), Date.parse(wholeDays.endDate ?? wholeDays.startDate)];
    return plain(formatAt(first, "UTC", styles[style]).formatRange(first, last));
  }
  const start = Date.parse(startDate);
  const format = formatAt(start, timeZone, { ...time, ...styles[style] });
  return plain(endDate ? format.formatRange(start, Date.parse(endDate)) : format.format(start));
}

/** Minutes that a zone's clocks are ahead of UTC. */
function minutesAhead(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...{
      timeZone: zoneAt(at, timeZone),
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    },
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return Math.round((local - at) / minute);
}

/** When an event is by the reader's clock; undefined if that shows the same, and for whole days. */
export function readersWhen(event: Schedule, timeZone: string, reader: string): string | undefined {
  const { startDate, wholeDays } = event;
  if (!startDate || wholeDays?.startDate) return undefined;
  const at = Date.parse(startDate);
  return minutesAhead(at, timeZone) === minutesAhead(at, reader) ? undefined : whenText(event, reader);
}

export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Day and month for the tile of a card. */
export function tileOf(startDate: string, timeZone: string): { readonly day: string; readonly month: string } {
  const part = (options: Intl.DateTimeFormatOptions) =>
    formatAt(Date.parse(startDate), timeZone, options).format(Date.parse(startDate));
  return { day: part({ day: "numeric" }), month: part({ month: "short" }).replace(".", "") };
}

/** Milliseconds that an event without an end lasts. */
const usualDuration = 12 * 60 * minute;

/** @param now epoch milliseconds */
export function isPast({ startDate, endDate, wholeDays }: Schedule, now: number): boolean {
  if (endDate) return Date.parse(endDate) <= now;
  const lasts = wholeDays?.startDate ? 24 * 60 * minute : usualDuration;
  return startDate !== undefined && Date.parse(startDate) + lasts <= now;
}

/** `$8.00`; free for 0. @param dollars the unit of the events' pricing */
export const moneyText = (dollars: number, currency: string): string =>
  new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(dollars);
