/** The mails to all seat holders of an event that are due by the clock (`docs/contract.md`, "Notices"). Pure. */
import { hour } from "#kit/text/time.ts";
import { dateAt, zoneOf } from "#kit/text/time-zone.ts";
import { daysLater, endOf, toUtc } from "./dates.ts";
import type { EventRecord } from "./event.ts";

/**
 * A reminder, `hours` before the event's `day` (`yyyy-mm-dd`), or the invitation to a form. `isLate`: it reaches those whose
 * check-in came after the first one.
 */
export type DueMail =
  | { readonly mail: "reminder"; readonly hours: number; readonly day: string }
  | { readonly mail: "feedback"; readonly form: "attendee" | "partner"; readonly isLate?: true };

/** The earliest reminder, in hours before the start. */
export const earliestReminder = 336;

/** Milliseconds after its end: later, an event asks for no feedback, also if its form is switched on then. */
export const feedbackWindow = 14 * 24 * hour;
/** Milliseconds after the first invitation. */
const lateAfter = 7 * 24 * hour;
/** An evening that ends before this hour belongs to the day before, in milliseconds. */
const nightEnds = 6 * hour;

export interface MailTimes {
  /** Hours before the start, for events that set none themselves. */
  readonly reminders: readonly number[];
  /** Of the stage, IANA name. */
  readonly timeZone: string;
}

/** Nine o'clock in the morning after an evening, epoch milliseconds. @param end epoch milliseconds */
const morningAfter = (end: number, timeZone: string): number =>
  Date.parse(toUtc(`${daysLater(dateAt(end - nightEnds, timeZone), 1)}T09:00`, timeZone));

/** The invitations to the forms that are on. An event with nothing but a time of its start ends that evening. */
function invitations(event: EventRecord, start: number, now: number, timeZone: string): DueMail[] {
  const end = event.endDate !== undefined || event.wholeDays?.startDate ? (endOf(event) ?? start) : start;
  const due = morningAfter(end, timeZone);
  if (now < due || now >= end + feedbackWindow) return [];
  const forms = (["attendee", "partner"] as const).filter((form) => event[`${form}FeedbackEnabled`] === true);
  const first = forms.map((form) => ({ mail: "feedback", form }) as const);
  return now < due + lateAfter ? first : [...first, ...first.map((mail) => ({ ...mail, isLate: true }) as const)];
}

/**
 * The mails of an event that are due, also those that were sent already. Before the start the latest reminder, which makes
 * the earlier ones late; after the event the invitations to give feedback.
 * @param now epoch milliseconds
 */
export function dueMails(event: EventRecord, now: number, { reminders, ...stage }: MailTimes): DueMail[] {
  const timeZone = zoneOf(event, stage.timeZone);
  if (event.startDate === undefined || event.calledOff !== undefined) return [];
  const start = Date.parse(event.startDate);
  if (now >= start) return invitations(event, start, now, timeZone);
  const due = (event.reminders ?? reminders).filter((hours) => now >= start - hours * hour);
  return due.length === 0 ? [] : [{ mail: "reminder", hours: Math.min(...due), day: dateAt(start, timeZone) }];
}
