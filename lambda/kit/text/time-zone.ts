/**
 * Time zones whose rules are newer than the data of a supported Node version, which may get no updates
 * (https://github.com/nodejs/node/issues/62323). Delete a row when all of `engines` have it.
 */
import { isoText, oneLine } from "./text.ts";

/** Whether this is the name of a time zone: `America/Vancouver`, `UTC`; no offset, which knows no clock changes. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false; // RangeError: not a zone that this runtime knows
  }
}

interface NewRule {
  /** The zone and its aliases. */
  readonly zones: readonly string[];
  /** When the older data becomes wrong, in epoch milliseconds. The zone has a fixed offset from then on. */
  readonly since: number;
  /** A zone with that offset. In `Etc/` names the sign is inverted: `Etc/GMT+7` is UTC-7. */
  readonly as: string;
  /** The first release of the IANA data with the rule (https://data.iana.org/time-zones/tzdb/NEWS). */
  readonly release: string;
}

const newRules: readonly NewRule[] = [
  // British Columbia and Alberta keep daylight saving time permanently.
  {
    zones: ["America/Vancouver", "Canada/Pacific"],
    since: Date.UTC(2026, 10, 1, 9),
    as: "Etc/GMT+7",
    release: "2026b",
  },
  {
    zones: ["America/Edmonton", "Canada/Mountain", "America/Yellowknife"],
    since: Date.UTC(2026, 10, 1, 8),
    as: "Etc/GMT+6",
    release: "2026c",
  },
  {
    zones: ["Africa/Casablanca", "Africa/El_Aaiun"],
    since: Date.UTC(2026, 8, 20, 1),
    as: "Etc/GMT",
    release: "2026c",
  },
  { zones: ["America/Inuvik"], since: Date.UTC(2026, 10, 1, 8), as: "Etc/GMT+6", release: "2026d" },
];

/** The zone of an event's dates without an offset, and of what people read about it. @param stageZone IANA name */
export const zoneOf = ({ timeZone }: { readonly timeZone?: string | undefined }, stageZone: string): string =>
  timeZone ?? stageZone;

/** The release of this Node's time zone data, such as `2025c`. */
const ownRelease = process.versions.tz ?? "";

/**
 * A zone in this Node's data with the same local time as `timeZone` at that time: the zone itself, unless its rule is newer
 * than Node's data.
 * @param at epoch milliseconds
 * @param timeZone IANA name
 */
export function zoneAt(at: number, timeZone: string, release = ownRelease): string {
  const rule = newRules.find(({ zones }) => zones.includes(timeZone));
  return rule && release < rule.release && at >= rule.since ? rule.as : timeZone;
}

const dates = new Map<string, Intl.DateTimeFormat>();
const clocks = new Map<string, Intl.DateTimeFormat>();

/** `yyyy-mm-dd` of a time on the clocks of a zone. @param at epoch milliseconds */
export function dateAt(at: number, timeZone: string): string {
  const zone = zoneAt(at, timeZone);
  // Making a format takes a hundred times as long as using it.
  const format = dates.get(zone) ?? new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  dates.set(zone, format);
  return format.format(at);
}

/** @param at epoch milliseconds of the time to format */
export const formatIn = (timeZone: string, at: number): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: zoneAt(at, timeZone),
  });

/**
 * A time as people read it, with its zone: `Thursday, January 15, 2026 at 6:00 PM PST`. `oneLine` replaces the special
 * spaces of some Intl versions.
 * @param at epoch milliseconds
 */
export const momentText = (at: number, timeZone: string): string => oneLine(formatIn(timeZone, at).format(at));
/** `yyyy-mm-dd hh:mm:ss` of a time on the clocks of a zone. @param at epoch milliseconds; beyond the range of dates, its end */
export function clockAt(at: number, timeZone: string): string {
  const within = Date.parse(isoText(at));
  const zone = zoneAt(within, timeZone);
  const format =
    clocks.get(zone) ?? new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", timeStyle: "medium" });
  clocks.set(zone, format);
  return `${dateAt(within, timeZone)} ${format.format(within)}`;
}
