/** Maps an event of the previous backend. Pure. */
import { NewEvent as schema } from "#api/events/schemas.ts";
import { datesAfter, isDateAlone, momentOf, toUtc } from "#domain/events/dates.ts";
import { type EventRecord, type EventSettings, newEvent } from "#domain/events/event.ts";
import type { NewEvent } from "#domain/events/event-input.ts";
import { checkCounters } from "#domain/events/workshop-size.ts";
import { formats } from "#kit/schema/formats.ts";
import { fitTo } from "./fit.ts";
import { eventIdOf, eventName, yearOf } from "./keys.ts";
import { questionLists } from "./questions.ts";
import { type Mapped, mapped, type Reading, Refused, type Row } from "./reading.ts";

/** An event, and the questions whose ids differ from those in the source's answers. */
export interface MappedEvent {
  /** Without a generation, which depends on the table. */
  readonly event: EventRecord;
  readonly renamed: { readonly attendee: ReadonlyMap<string, string>; readonly partner: ReadonlyMap<string, string> };
}

const fit = fitTo<NewEvent>(schema);

const maxSeats = 1_000_000;

/** An unreadable capacity becomes 0, not "unlimited", so that no other person is admitted. */
function capacityOf(reading: Reading): number | undefined {
  const value = reading.raw("capac");
  if (value === undefined || value === null || value === "") return undefined;
  const capac = reading.whole("capac", 1, maxSeats);
  if (capac === undefined) reading.note("capac", "one seat, because the number cannot be read", value, 1);
  return capac ?? 1;
}

/** A date that the service can read; the schema leaves out another one. @throws Refused */
function dateOf(reading: Reading, name: string, timeZone: string): string | undefined {
  const text = reading.text(name, { most: 60 });
  if (text === undefined || reading.moment(name, text, timeZone) === undefined) return text;
  if (formats["iso-date"].check(toUtc(text.trim(), timeZone))) return text;
  reading.note(name, "left out: not of the years 1900 to 2200 in UTC", text, null);
  return undefined;
}

const cents = (dollars: number): number => Math.round(dollars * 100) / 100;

/** The prices, and whether the event is members-only, which it is in the source without a price for others. */
function termsOf(reading: Reading): { readonly pricing?: object; readonly nonBizTechAllowed?: boolean | undefined } {
  const nonBizTechAllowed = reading.flag("nonBizTechAllowed");
  const prices = reading.map("pricing");
  if (prices === undefined) return { nonBizTechAllowed };
  const price = (...names: string[]) => {
    const name = names.find((one) => prices.raw(one) !== undefined) ?? names[0] ?? "";
    const dollars = prices.number(name);
    if (dollars === undefined) return undefined;
    const whole = Math.max(0, cents(dollars));
    if (whole !== dollars) prices.note(name, "dollars with two decimals, from 0", dollars, whole);
    return whole;
  };
  const [members = 0, nonMembers] = [price("members", "member"), price("nonMembers", "nonMember")];
  prices.leftOut();
  if (nonMembers !== undefined) return { nonBizTechAllowed, pricing: { members, nonMembers } };
  if (nonBizTechAllowed !== false) reading.note("nonBizTechAllowed", "members only: there is no price for others");
  return { nonBizTechAllowed: false, pricing: { members, nonMembers: members } };
}

/**
 * @param settings of the stage: the time zone of dates without an offset, and the currency of prices
 * @param partnersOf how many partners have a seat at an event, by its name: it gets as many seats for them
 */
export const mapEvent = (
  row: Row,
  settings: EventSettings,
  partnersOf: (name: string) => number = () => 0,
): Mapped<MappedEvent> =>
  mapped(row, (reading) => {
    const { timeZone } = settings;
    const [givenId, givenYear] = [reading.raw("id"), reading.raw("year")];
    const id = typeof givenId === "string" || typeof givenId === "number" ? eventIdOf(String(givenId)) : undefined;
    const year = yearOf(givenYear);
    if (id === undefined) throw new Refused("the event has no usable id");
    if (year === undefined) throw new Refused("the event has no usable year");
    if (id !== givenId) reading.note("id", "an id of letters, digits, - and _", givenId, id);
    if (year !== givenYear) reading.note("year", "a number instead of a text", givenYear, year);
    const { lists, renamed } = questionLists(reading);
    const startDate = dateOf(reading, "startDate", timeZone);
    const fields = {
      id,
      year,
      ename: reading.text("ename") ?? id,
      description: reading.text("description", { most: 10_000, lines: true }),
      partnerDescription: reading.text("partnerDescription", { most: 10_000, lines: true }),
      capac: capacityOf(reading),
      partnerCapac: partnersOf(eventName({ id, year })) || undefined,
      startDate,
      endDate: dateOf(reading, "endDate", timeZone),
      deadline: dateOf(reading, "deadline", timeZone),
      elocation: reading.text("elocation", { most: 500 }),
      latitude: reading.number("latitude"),
      longitude: reading.number("longitude"),
      facebookUrl: reading.text("facebookUrl", { most: 4_096 }),
      imageUrl: reading.text("imageUrl", { most: 4_096 }),
      isPublished: reading.flag("isPublished"),
      isCompleted: reading.flag("isCompleted"),
      isApplicationBased: reading.flag("isApplicationBased"),
      ...termsOf(reading),
      attendeeFeedbackEnabled: reading.flag("attendeeFeedbackEnabled"),
      partnerFeedbackEnabled: reading.flag("partnerFeedbackEnabled"),
      ...lists,
    };
    if (fields.ename === id) reading.note("ename", "the id as its name, because it has none");
    const { createdAt, updatedAt } = reading.times(timeZone);
    reading.leftOut();
    const value = fit(fields, reading);
    const dates = (["startDate", "endDate", "deadline"] as const).flatMap((name) => {
      const text = value[name]?.trim();
      return text ? [[name, text, momentOf(name, text, timeZone)] as const] : [];
    });
    const utc: { startDate?: string; endDate?: string; deadline?: string } = Object.fromEntries(
      dates.map(([name, , moment]) => [name, moment]),
    );
    if (utc.startDate && utc.endDate && utc.endDate < utc.startDate) {
      reading.note("endDate", "left out: before startDate", value.endDate, null);
      delete (value as { endDate?: unknown }).endDate;
      delete utc.endDate;
    }
    const wholeDays = Object.fromEntries(dates.filter(([, text]) => isDateAlone(text)));
    if (datesAfter({ ...utc, wholeDays }).includes("deadline")) {
      reading.note("deadline", "left out: after the event", value.deadline, null);
      delete (value as { deadline?: unknown }).deadline;
    }
    const event = newEvent(value, { now: createdAt, generation: "", ...settings });
    checkCounters(event);
    return { event: { ...event, updatedAt }, renamed };
  });
