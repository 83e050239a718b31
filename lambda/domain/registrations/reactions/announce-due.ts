/**
 * Announces the mails that are due by the clock: reminders before an event, and invitations to give feedback after it. Each
 * is announced once for a generation of the event, by a marker in the transaction of the message (`announce.ts` writes
 * one row per seat holder). A reminder's marker names its day, so that an event of another day reminds again.
 */
import pMap from "p-map";
import { type DueMail, dueMails, earliestReminder, feedbackWindow, type MailTimes } from "#domain/events/due-mails.ts";
import { type EventRecord, isHidden } from "#domain/events/event.ts";
import { factOf } from "#domain/events/facts.ts";
import { announcedKey, eventsStarting, markAnnounced } from "#domain/events/store.ts";
import { allOf, queryItems } from "#kit/lists/pages.ts";
import { systemContext } from "#kit/request/context.ts";
import { commit, getItems, recordOf } from "#kit/table/table.ts";
import { hour, minute } from "#kit/text/time.ts";
import { outboxRow } from "#outbox/store.ts";

const atOnce = 4;

const nameOf = (due: DueMail): string =>
  due.mail === "reminder" ? `reminder#${due.hours}#${due.day}` : `feedback#${due.form}${due.isLate ? "#late" : ""}`;

/** Milliseconds: no event lasts longer. */
const longestEvent = 183 * 24 * 3_600_000;

/** From when on events are read: those that began long ago once an hour, which is soon enough after nine o'clock. */
const readFrom = (now: number): number => now - feedbackWindow - (now % hour < minute ? longestEvent : 0);

/** Two clock changes more than the earliest reminder, for rules that count days. */
const readAhead = (earliestReminder + 2) * hour;

/** The visible events of which mails may be due. @param now epoch milliseconds */
export async function eventsAround(now: number): Promise<EventRecord[]> {
  const events = await allOf(queryItems<EventRecord>(eventsStarting(readFrom(now), now + readAhead)));
  return events.map(recordOf<EventRecord>).filter((event) => !isHidden(event, now));
}

/** The due mails that have no marker yet. The read may be old: the transaction decides. */
async function unannounced(due: readonly { readonly event: EventRecord; readonly mail: DueMail }[]) {
  const keys = due.map(({ event, mail }) => announcedKey(event, nameOf(mail)));
  const markers = new Set((await getItems(keys, "eventual")).map(({ PK, SK }) => `${PK} ${SK}`));
  return due.filter((_, place) => !markers.has(`${keys[place]?.PK} ${keys[place]?.SK}`));
}

/**
 * @param events those around now
 * @param now epoch milliseconds
 * @returns how many mails were announced
 */
export async function announceDueMails(events: readonly EventRecord[], now: number, times: MailTimes): Promise<number> {
  const due = events.flatMap((event) => dueMails(event, now, times).map((mail) => ({ event, mail })));
  if (due.length === 0) return 0;
  const announced = await pMap(
    await unannounced(due),
    async ({ event, mail }) => {
      const context = systemContext(`due-${nameOf(mail)}`, now);
      const message = outboxRow({ type: "event.mailDue", data: { ...factOf(event), ...mail } }, context);
      const { committed } = await commit({ marker: markAnnounced(event, nameOf(mail), now), message });
      return committed;
    },
    { concurrency: atOnce, stopOnError: false },
  );
  return announced.filter(Boolean).length;
}
