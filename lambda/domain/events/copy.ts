/** A draft from an event (`docs/contract.md`, "Events"). Pure. */
import { TZDate } from "@date-fns/tz";
import { dateAt, zoneAt } from "#kit/text/time-zone.ts";
import { dateFields, daysLater, isDateAlone, toUtc } from "./dates.ts";
import type { EventRecord } from "./event.ts";
import type { NewEvent } from "./event-input.ts";

/** What differs in the copy. */
export interface CopyTerms {
  readonly id: string;
  readonly year: number;
  readonly ename?: string;
  /** ISO 8601; without an offset it is in the stage's time zone. Absent: the copy has no dates. */
  readonly startDate?: string;
}

/** The wall clock of a time zone as milliseconds, as if it were UTC. */
const wallOf = (utc: string, timeZone: string): number => {
  const time = Date.parse(utc);
  return time - new TZDate(time, zoneAt(time, timeZone)).getTimezoneOffset() * 60_000;
};

/**
 * The dates of an event that starts at another time. They keep their distance to the start on the wall clock of the time
 * zone, so that doors that open at 18:00 do so on both sides of a clock change; whole days keep it in days. The draft does
 * not publish itself.
 * @returns none when the event or its copy has no start
 */
function shifted(source: EventRecord, startDate: string | undefined, timeZone: string): Partial<NewEvent> {
  if (startDate === undefined) return {};
  const start = toUtc(startDate, timeZone);
  const given = isDateAlone(startDate) ? startDate : start;
  if (source.startDate === undefined) return { startDate: given };
  const by = wallOf(start, timeZone) - wallOf(source.startDate, timeZone);
  const dayOf = (utc: string): number => Date.parse(dateAt(Date.parse(utc), timeZone)) / 86_400_000;
  const days = dayOf(start) - dayOf(source.startDate);
  const others = dateFields
    .filter((name) => name !== "startDate" && name !== "publishAt" && source[name] !== undefined)
    .map((name) => {
      const whole = source.wholeDays?.[name];
      if (whole) return [name, daysLater(whole, days)];
      const wall = new Date(wallOf(source[name] as string, timeZone) + by).toISOString();
      return [name, toUtc(wall.slice(0, -1), timeZone)];
    });
  return { startDate: given, ...Object.fromEntries(others) };
}

/**
 * The input that creates the copy of an event: everything an admin has entered, and no people. It is neither published
 * nor completed.
 * @param timeZone of the stage, IANA name
 */
export function copyOf(source: EventRecord, { id, year, ename, startDate }: CopyTerms, timeZone: string): NewEvent {
  const {
    generation,
    version,
    termsVersion,
    scheduleVersion,
    isWithdrawn,
    createdAt,
    updatedAt,
    formerQuestions,
    ...entered
  } = source;
  const { eventPage, isPublished, isCompleted, wholeDays, ...fields } = entered;
  const undated = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(dateFields as readonly string[]).includes(name)),
  );
  return {
    ...undated,
    ...(eventPage !== undefined && { eventPage: JSON.parse(eventPage) }),
    ...shifted(source, startDate, timeZone),
    id,
    year,
    ename: ename ?? source.ename,
  };
}
