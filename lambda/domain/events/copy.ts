/** A draft from an event (`docs/contract.md`, "Events"). Pure. */
import { dateAt, zoneOf } from "#kit/text/time-zone.ts";
import { dateFields, daysLater, isDateAlone, toUtc, wallOf, withoutZone } from "./dates.ts";
import type { EventRecord } from "./event.ts";
import type { NewEvent } from "./event-input.ts";

/** What differs in the copy. */
export interface CopyTerms {
  readonly id: string;
  readonly year: number;
  readonly ename?: string;
  /** ISO 8601; without an offset it is in the event's time zone. Absent: the copy has no dates. */
  readonly startDate?: string;
}

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
      return [name, toUtc(withoutZone(wallOf(source[name] as string, timeZone) + by), timeZone)];
    });
  return { startDate: given, ...Object.fromEntries(others) };
}

/**
 * The input that creates the copy of an event: everything an admin has entered, and no people. It is neither published
 * nor completed.
 * @param stageZone of the stage, IANA name
 */
export function copyOf(source: EventRecord, { id, year, ename, startDate }: CopyTerms, stageZone: string): NewEvent {
  const {
    generation,
    version,
    termsVersion,
    scheduleVersion,
    isWithdrawn,
    createdAt,
    updatedAt,
    formerQuestions,
    takesCodes,
    partnersNeedCode,
    ...entered
  } = source;
  const { eventPage, isPublished, isCompleted, calledOff, wholeDays, ...fields } = entered;
  const undated = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(dateFields as readonly string[]).includes(name)),
  );
  return {
    ...undated,
    ...(eventPage !== undefined && { eventPage: JSON.parse(eventPage) }),
    ...shifted(source, startDate, zoneOf(source, stageZone)),
    id,
    year,
    ename: ename ?? source.ename,
  };
}
