/** A notice as plain text, for mail programs that show no HTML. Pure. */

import { eventUrl } from "#domain/mail/event-url.ts";
import { greetingOf, signatureOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { whenText } from "#domain/mail/when.ts";
import { oneLine } from "#kit/text.ts";
import { type MailNotice, ticketOf } from "./notice.ts";
import { noticeTextsOf } from "./notice-texts.ts";

export function mailText(notice: MailNotice, settings: MailSettings): string {
  const { event } = notice;
  const texts = noticeTextsOf(notice, settings);
  const place = event.elocation && oneLine(event.elocation);
  const facts = [oneLine(event.ename), `When: ${whenText(event, settings.timeZone)}`, place && `Where: ${place}`];
  const ticket = texts.ticket && `Your ticket: ${ticketOf(notice)}\n${texts.ticket}`;
  const paragraphs = [
    greetingOf(notice),
    texts.status.toUpperCase(),
    ...texts.paragraphs,
    facts.filter(Boolean).join("\n"),
    `${texts.action}:\n${eventUrl(event, settings)}`,
    ticket,
    signatureOf(settings),
  ];
  return `${paragraphs.filter(Boolean).join("\n\n")}\n`;
}
