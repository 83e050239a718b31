/** A notice as plain text, for those who read mail without HTML. Pure. */

import { greetingOf, signatureOf } from "#domain/mail/sender.ts";
import { whenText } from "#domain/mail/when.ts";
import { oneLine } from "#kit/text.ts";
import { eventUrl, type House, type MailNotice, ticketOf } from "./notice.ts";
import { wordsOf } from "./words.ts";

export function mailText(notice: MailNotice, house: House): string {
  const { event } = notice;
  const words = wordsOf(notice, house);
  const place = event.elocation && oneLine(event.elocation);
  const facts = [oneLine(event.ename), `When: ${whenText(event, house.timeZone)}`, place && `Where: ${place}`];
  const ticket = words.ticket && `Your ticket: ${ticketOf(notice)}\n${words.ticket}`;
  const paragraphs = [
    greetingOf(notice),
    words.status.toUpperCase(),
    ...words.paragraphs,
    facts.filter(Boolean).join("\n"),
    `${words.action}:\n${eventUrl(event, house)}`,
    ticket,
    signatureOf(house),
  ];
  return `${paragraphs.filter(Boolean).join("\n\n")}\n`;
}
