/**
 * Sealed links: the secret in the fragment of a mail's link (`docs/contract.md`, "Links"). It contains what the link is for,
 * its last day, and a ticket, which names one registration of one generation of an event. Nothing of it is stored. Pure.
 */

import { type EventDates, endOf } from "#domain/events/dates.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { Unauthenticated } from "#kit/errors.ts";
import { day } from "#kit/text/time.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { type OpenedTicket, sealedTicket, type Ticket, ticketHashOf, unsealedTicket } from "./ticket-code.ts";

const authorization = /^Link +(\S+)$/i;

/** The secret of the link that a request carries as `Authorization: Link ...`; empty when it carries none. */
export const sentLink = (header: string | undefined): string => authorization.exec(header?.trim() ?? "")?.[1] ?? "";

/** The link opens nothing, whatever the reason. */
export const linkNotValid = () => new Unauthenticated("This link is not valid (any more).");

/** What a link is for. The order is part of the format. */
export const linkPurposes = ["registration", "feedback", "guest", "seat"] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** What can be done by a link to a registration. */
export const linkActions = ["cancel", "accept", "come", "edit", "pay", "again", "handOn"] as const;
export type LinkAction = (typeof linkActions)[number];

export interface OpenedLink extends OpenedTicket {
  readonly purpose: LinkPurpose;
  /** The link works until then, epoch milliseconds. */
  readonly until: number;
}

const use = "link";
const prefix = "L1.";
/** The purpose and the last day. */
const headBytes = 3;
/** Days after the event's end, or after the mail if the event has no date. */
const daysAfter = { event: 60, mail: 400 };

/** When a link of a mail stops working: the end of a day (UTC), epoch milliseconds. @param now of the mail */
function lastDayOf(event: EventDates, now: number): number {
  const over = endOf(event);
  const end = over === undefined ? now + daysAfter.mail * day : over + daysAfter.event * day;
  return Math.ceil(Math.max(now, end) / day) * day;
}

/**
 * @param event determines the end of the link
 * @param secret the ticket key of the stage
 * @param now epoch milliseconds
 */
export function linkSecret(
  purpose: LinkPurpose,
  ticket: Ticket,
  event: EventDates,
  secret: string,
  now: number,
): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(linkPurposes.indexOf(purpose));
  head.writeUInt16BE(lastDayOf(event, now) / day, 1);
  return prefix + sealedTicket(ticket, secret, use, head);
}

/** Opens a link. Undefined when it is malformed, forged, or sealed with another key. Its end is not looked at. */
export function openedLink(link: string, secret: string): OpenedLink | undefined {
  const opened = link.startsWith(prefix)
    ? unsealedTicket(link.slice(prefix.length), secret, use, headBytes)
    : undefined;
  const purpose = opened && linkPurposes[opened.head.readUInt8(0)];
  return purpose && { ...opened.ticket, purpose, until: opened.head.readUInt16BE(1) * day };
}

/** Whether the link is to this registration of this event: it is there, and has the ticket of the link. */
export const isLinked = (
  { ticketHash }: Pick<OpenedLink, "ticketHash">,
  registration: RegistrationRecord | undefined,
  event: EventRecord | undefined,
): boolean =>
  registration !== undefined &&
  registration.status !== "deleted" &&
  registration.generation === event?.generation &&
  ticketHashOf(registration.ticketId) === ticketHash;
