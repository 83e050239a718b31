/** The calendar entry of a registration (RFC 5545, iTIP methods of RFC 5546). Pure. */
import { createEvent, type EventAttributes, type ParticipationStatus } from "ics";
import { eventUrl } from "#domain/mail/event-url.ts";
import { correctCalendar } from "#domain/mail/fold.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { spanOf, timesOf } from "#domain/mail/when.ts";
import { manyLines, oneLine, shortened } from "#kit/text/text.ts";
import type { InviteStatus } from "#outbox/notice-kinds.ts";
import { inviteStatusOf, type MailNotice } from "./notice.ts";
import { noticeTextsOf } from "./notice-texts.ts";

export interface Invite {
  readonly method: "REQUEST" | "CANCEL";
  /** A complete calendar object, with CRLF line ends. */
  readonly content: string;
}

/** The person has registered already, so the entry includes the reply and requests none. */
const attendance: Record<InviteStatus, { partstat: ParticipationStatus; busyStatus: "BUSY" | "TENTATIVE" | "FREE" }> = {
  CONFIRMED: { partstat: "ACCEPTED", busyStatus: "BUSY" },
  TENTATIVE: { partstat: "TENTATIVE", busyStatus: "TENTATIVE" },
  CANCELLED: { partstat: "DECLINED", busyStatus: "FREE" },
};

/**
 * Text for a parameter value, which cannot contain a quotation mark, and in which `^` begins an escape (RFC 6868). Some
 * calendars also treat a backslash as an escape, contrary to the grammar.
 */
const parameter = (text: string): string =>
  oneLine(text).replaceAll('"', "'").replaceAll("\\", "/").replaceAll("^", "^^");

/** The address for a mailto URI. `?` and `&` are encoded, so that they cannot add fields to the URI. */
const uriAddress = (email: string): string => {
  const at = email.lastIndexOf("@");
  return `${encodeURIComponent(email.slice(0, at)).replaceAll("%2B", "+")}${email.slice(at)}`;
};

/** Maximum characters of the event's description. The link above it leads to the rest. */
const longestDescription = 2_000;

/** The calendar entry of a notice. Undefined when the notice does not add, change or remove one. */
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
  const description = [
    `${standing}.`,
    url,
    event.description && shortened(manyLines(event.description).trim(), longestDescription),
  ];
  const attributes: EventAttributes & { timestamp: number } = {
    productId: "-//Club Events//Notifications//EN",
    method,
    uid: invite.uid,
    sequence: invite.sequence,
    timestamp: notice.updatedAt,
    ...timesOf(event, span),
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
  if (error || value === null) throw new Error("The invite could not be created", { cause: error });
  return { method, content: correctCalendar(value) };
}
