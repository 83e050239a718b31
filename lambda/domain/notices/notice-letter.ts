/** The letter of a notice: its texts and the details of the event. Pure. */

import { eventUrl } from "#domain/mail/event-url.ts";
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { whenText } from "#domain/mail/when.ts";
import { amountText } from "#kit/text/amount.ts";
import { oneLine } from "#kit/text/text.ts";
import { momentText } from "#kit/text/time-zone.ts";
import type { Letter } from "./letter.ts";
import { type MailNotice, ticketOf } from "./notice.ts";
import { noticeTextsOf, type Place } from "./notice-texts.ts";

const paidText = ({ at, ...money }: NonNullable<MailNotice["paid"]>, { timeZone }: MailSettings): string =>
  at === undefined ? amountText(money) : `${amountText(money)}, ${momentText(at, timeZone)}`;

/**
 * The address of a link. The secret and what the page asks are in the fragment, which no server gets. A mail about a
 * registration that is gone leads to the event's page, and one about an event that is gone to the web application.
 */
function urlOf(place: Place, { event, linkSecret }: MailNotice, settings: MailSettings): string {
  if (event.isGone) return settings.webAppUrl;
  if (place === "event" || linkSecret === undefined) return eventUrl(event, settings);
  return `${settings.linkPage}#${linkSecret}${place === "registration" ? "" : `/${place}`}`;
}

export function noticeLetter(notice: MailNotice, settings: MailSettings): Letter {
  const { event, paid, toPay, isDeposit } = notice;
  const { action, also, ticket, ...texts } = noticeTextsOf(notice, settings);
  const code = ticketOf(notice);
  const linkOf = ({ label, to }: typeof action) => ({ label, url: urlOf(to, notice, settings) });
  return {
    ...texts,
    greeting: greetingOf(notice),
    about: {
      title: oneLine(event.ename),
      facts: [
        { label: "When", text: whenText(event, settings.timeZone) },
        { label: "Where", text: event.elocation && oneLine(event.elocation) },
        { label: "Paid", text: paid && paidText(paid, settings) },
        { label: "To pay", text: toPay && amountText(toPay) },
        { label: "Deposit", text: isDeposit ? "You get it back when you come and are checked in" : undefined },
      ],
    },
    action: event.isGone ? { label: "See the events", url: settings.webAppUrl } : linkOf(action),
    ...(also && notice.linkSecret && !event.isGone && { also: linkOf(also) }),
    ...(code && ticket && { ticket: { code, text: ticket } }),
    signature: settings.sender.name,
  };
}
