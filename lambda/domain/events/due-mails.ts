/** The mails to all seat holders of an event that are due by the clock (`docs/contract.md`, "Notices"). Pure. */
import { dateAt } from "#kit/text/time-zone.ts";
import { toUtc } from "./dates.ts";
import type { EventRecord } from "./event.ts";

/** `hours` before the start. */
export type DueMail = { readonly mail: "reminder"; readonly hours: number } | { readonly mail: "feedback" };

/** The earliest reminder, in hours before the start. */
export const earliestReminder = 336;

const hour = 3_600_000;
const day = 24 * hour;
/** Milliseconds after which an invitation to give feedback is no longer sent. */
const feedbackWindow = 3 * day;
/** Milliseconds before now: an event that began earlier asks for no feedback. */
export const longestEvent = 10 * day;

export interface MailTimes {
  /** Hours before the start, for events that set none themselves. */
  readonly reminders: readonly number[];
  /** IANA name. */
  readonly timeZone: string;
}

/** Nine o'clock on the day after, epoch milliseconds. @param end epoch milliseconds */
function morningAfter(end: number, timeZone: string): number {
  const next = new Date(Date.parse(dateAt(end, timeZone)) + day).toISOString().slice(0, 10);
  return Date.parse(toUtc(`${next}T09:00`, timeZone));
}

function asksForFeedback(event: EventRecord, start: number, now: number, timeZone: string): boolean {
  if (!event.attendeeFeedbackEnabled && !event.partnerFeedbackEnabled) return false;
  const due = morningAfter(event.endDate ? Date.parse(event.endDate) : start, timeZone);
  return due <= now && now < due + feedbackWindow;
}

/**
 * The mails of an event that are due, also those that were sent already. None after the start, except for feedback.
 * @param now epoch milliseconds
 */
export function dueMails(event: EventRecord, now: number, { reminders, timeZone }: MailTimes): DueMail[] {
  if (event.startDate === undefined) return [];
  const start = Date.parse(event.startDate);
  if (now >= start) return asksForFeedback(event, start, now, timeZone) ? [{ mail: "feedback" }] : [];
  if (event.isCompleted) return [];
  return (event.reminders ?? reminders)
    .filter((hours) => now >= start - hours * hour)
    .map((hours) => ({ mail: "reminder", hours }));
}
