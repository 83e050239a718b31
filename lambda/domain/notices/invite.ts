/** The calendar entry of a registration (RFC 5545, iTIP methods of RFC 5546). Pure. */
import { createEvent, type EventAttributes, type ParticipationStatus } from "ics";
import { eventUrl } from "#domain/mail/event-url.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { spanOf } from "#domain/mail/when.ts";
import { manyLines, oneLine } from "#kit/text.ts";
import type { InviteStatus } from "#outbox/notice-kinds.ts";
import { correctCalendar } from "./fold.ts";
import { inviteStatusOf, type MailNotice } from "./notice.ts";
import { noticeTextsOf } from "./notice-texts.ts";

export interface Invite {
  readonly method: "REQUEST" | "CANCEL";
  /** A whole calendar, lines ended by CRLF. */
  readonly content: string;
}

/** The person has registered already, so the entry carries the answer and asks for none. */
const attendance: Record<InviteStatus, { partstat: ParticipationStatus; busyStatus: "BUSY" | "TENTATIVE" | "FREE" }> = {
  CONFIRMED: { partstat: "ACCEPTED", busyStatus: "BUSY" },
  TENTATIVE: { partstat: "TENTATIVE", busyStatus: "TENTATIVE" },
  CANCELLED: { partstat: "DECLINED", busyStatus: "FREE" },
};

/** `20260116T020000Z` */
const utc = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");

/**
 * Text for the value of a parameter. The value cannot contain a quotation mark, and `^` begins an escape (RFC 6868).
 * Some calendars also read a backslash as an escape, although the grammar has no such escape there.
 */
const parameter = (text: string): string =>
  oneLine(text).replaceAll('"', "'").replaceAll("\\", "/").replaceAll("^", "^^");

/** The address as in a mailto URI. `?` and `&` are encoded, so that they cannot add fields to the URI. */
const uriAddress = (email: string): string => {
  const at = email.lastIndexOf("@");
  return `${encodeURIComponent(email.slice(0, at)).replaceAll("%2B", "+")}${email.slice(at)}`;
};

/** Most characters of the event's description. The link above it leads to the rest. */
const longestDescription = 2_000;

/** The beginning of a long text. Never half of a character. */
function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= longestDescription) return text;
  return `${characters
    .slice(0, longestDescription - 1)
    .join("")
    .trimEnd()}…`;
}

/** The calendar entry of a notice. Undefined when the notice adds no entry, changes none and removes none. */
export function inviteOf(notice: MailNotice, settings: MailSettings): Invite | undefined {
  const { event, person, invite } = notice;
  const status = inviteStatusOf(notice);
  const span = spanOf(event);
  if (!status || !span || !invite) return undefined;
  const method = status === "CANCELLED" ? "CANCEL" : "REQUEST";
  const { partstat, busyStatus } = attendance[status];
  const { sender } = settings;
  const { status: standing } = noticeTextsOf(notice, settings);
  const url = event.isGone ? undefined : eventUrl(event, settings);
  const description = [`${standing}.`, url, event.description && shortened(manyLines(event.description).trim())];
  const attributes: EventAttributes & { timestamp: number } = {
    productId: "-//Club Events//Notifications//EN",
    method,
    uid: invite.uid,
    sequence: invite.sequence,
    timestamp: notice.updatedAt,
    start: utc(span.start),
    end: utc(span.end),
    status,
    busyStatus,
    title: oneLine(event.ename),
    description: description.filter(Boolean).join("\n\n"),
    ...(event.elocation && { location: manyLines(event.elocation) }),
    organizer: { name: parameter(sender.name), email: uriAddress(sender.address) },
    attendees: [
      {
        name: parameter(person.fname) || person.email,
        email: uriAddress(person.email),
        role: "REQ-PARTICIPANT",
        partstat,
        rsvp: false,
      },
    ],
  };
  const { error, value } = createEvent(attributes);
  if (error || value === null) throw new Error("The invite could not be made", { cause: error });
  return { method, content: correctCalendar(value) };
}
