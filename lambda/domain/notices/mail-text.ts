/** A notice as plain text, for those who read mail without HTML. Pure. */

import { eventUrl } from "#domain/mail/event-url.ts";
import { greetingOf, signatureOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { whenText } from "#domain/mail/when.ts";
import { oneLine } from "#kit/text.ts";
import { type MailNotice, ticketOf } from "./notice.ts";
import { wordsOf } from "./notice-texts.ts";

export function mailText(notice: MailNotice, settings: MailSettings): string {
  const { event } = notice;
  const words = wordsOf(notice, settings);
  const place = event.elocation && oneLine(event.elocation);
  const facts = [oneLine(event.ename), `When: ${whenText(event, settings.timeZone)}`, place && `Where: ${place}`];
  const ticket = words.ticket && `Your ticket: ${ticketOf(notice)}\n${words.ticket}`;
  const paragraphs = [
    greetingOf(notice),
    words.status.toUpperCase(),
    ...words.paragraphs,
    facts.filter(Boolean).join("\n"),
    `${words.action}:\n${eventUrl(event, settings)}`,
    ticket,
    signatureOf(settings),
  ];
  return `${paragraphs.filter(Boolean).join("\n\n")}\n`;
}
