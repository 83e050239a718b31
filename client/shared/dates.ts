/** Times and amounts as people read them: in the zone of the place, and in the reader's. Pure. */
import { language } from "./texts.ts";

const hour = 3_600_000;
const day = 24 * hour;

export interface Schedule {
  /** IANA name. Absent: the stage's. */
  readonly timeZone?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly wholeDays?: { readonly startDate?: string; readonly endDate?: string } | undefined;
}

/** The zone of what people read about an event. @param stageZone IANA name */
export const zoneOf = ({ timeZone }: Schedule, stageZone: string): string => timeZone ?? stageZone;

/** The first and the last day, `yyyy-mm-dd`, of an event that has no times. */
export function daysOf({ endDate, wholeDays }: Schedule): readonly [first: string, last: string] | undefined {
  const { startDate: first, endDate: last = endDate ? undefined : first } = wholeDays ?? {};
  return first && last ? [first, last] : undefined;
}

/** An event that does not end after its start lasts an hour, as in the service's mails. Epoch milliseconds. */
export function spanOf({ startDate = "", endDate }: Schedule): readonly [start: number, end: number] {
  const [start, end] = [Date.parse(startDate), Date.parse(endDate ?? startDate)];
  return [start, end > start ? end : start + hour];
}

/**
 * Zones whose clocks no longer change, since when, and a zone with that offset. Devices may have older rules, with which a
 * time in winter is an hour wrong (`lambda/kit/text/time-zone.ts`).
 */
const fixed: Readonly<Record<string, readonly [since: number, as: string]>> = {
  "America/Vancouver": [Date.UTC(2026, 10, 1, 9), "Etc/GMT+7"],
  "America/Edmonton": [Date.UTC(2026, 10, 1, 8), "Etc/GMT+6"],
};

function formatAt(at: number, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const [since = Number.POSITIVE_INFINITY, as = zone] = fixed[zone] ?? [];
  return new Intl.DateTimeFormat(language, { ...options, timeZone: at < since ? zone : as });
}

/** A time as a form of the stage's zone has it: `2030-03-01T19:00`. Empty for what is no time. */
export function localTime(iso: string, timeZone: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return "";
  const parts = formatAt(at, timeZone, {
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  }).formatToParts(at);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  return `${of("year")}-${of("month")}-${of("day")}T${of("hour")}:${of("minute")}`;
}

const time = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
const styles = {
  full: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  card: { weekday: "short", day: "numeric", month: "short", timeZoneName: undefined },
} as const;

/** Without the spaces that some engines write around times. */
const plain = (text: string): string => text.replaceAll(/[\u202f\u2009]/g, " ");

/** `Friday, March 1, 2030 at 7:00 PM GMT-7` @param at epoch milliseconds */
export const momentText = (at: number, timeZone: string): string =>
  plain(formatAt(at, timeZone, { ...styles.full, ...time }).format(at));

/** `7:30 PM GMT-7`, with the day unless it is today. */
export function shortMoment(at: number, timeZone: string, now: number): string {
  const date = formatAt(at, timeZone, { dateStyle: "short" });
  return date.format(at) === date.format(now)
    ? plain(formatAt(at, timeZone, time).format(at))
    : momentText(at, timeZone);
}

/** When an event is; undefined without dates. @param stageZone IANA name */
export function whenText(event: Schedule, stageZone: string, style: keyof typeof styles = "full"): string | undefined {
  if (!event.startDate) return undefined;
  const [first, last] = (daysOf(event) ?? []).map(Date.parse);
  if (first !== undefined && last !== undefined)
    return plain(formatAt(first, "UTC", { ...styles[style] }).formatRange(first, last));
  const [start, end] = spanOf(event);
  const format = formatAt(start, zoneOf(event, stageZone), { ...time, ...styles[style] });
  return plain(event.endDate ? format.formatRange(start, end) : format.format(start));
}

/** When an event is by the reader's clock; undefined if that shows the same, and for whole days. */
export function readersWhen(event: Schedule, stageZone: string, reader: string): string | undefined {
  if (!event.startDate || daysOf(event)) return undefined;
  const [at] = spanOf(event);
  const [here, there] = [zoneOf(event, stageZone), reader].map((zone) =>
    formatAt(at, zone, { dateStyle: "short", timeStyle: "short" }).format(at),
  );
  return here === there ? undefined : whenText({ ...event, timeZone: reader }, reader);
}

export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Day and month of an event's start, for the tile of a card. */
export function tileOf(event: Schedule, stageZone: string): { readonly day: string; readonly month: string } {
  const [first] = daysOf(event) ?? [];
  const at = Date.parse(first ?? event.startDate ?? "");
  const text = (options: Intl.DateTimeFormatOptions) =>
    formatAt(at, first ? "UTC" : zoneOf(event, stageZone), options).format(at);
  return { day: text({ day: "numeric" }), month: text({ month: "short" }).replace(".", "") };
}

/** An event without an end lasts twelve hours, or its day. @param now epoch milliseconds */
export function isPast({ startDate, endDate, wholeDays }: Schedule, now: number): boolean {
  if (endDate) return Date.parse(endDate) <= now;
  return startDate !== undefined && Date.parse(startDate) + (wholeDays?.startDate ? day : day / 2) <= now;
}

/** `$8.00` @param dollars the unit of the events' pricing */
export const moneyText = (dollars: number, currency: string): string =>
  new Intl.NumberFormat(language, { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(dollars);
