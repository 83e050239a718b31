/** The letter of a notice: its texts and the details of the event. Pure. */

import { eventUrl } from "#domain/mail/event-url.ts";
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { momentText, whenText } from "#domain/mail/when.ts";
import { amountText } from "#kit/text/amount.ts";
import { oneLine } from "#kit/text/text.ts";
import type { Letter } from "./letter.ts";
import { type MailNotice, ticketOf } from "./notice.ts";
import { noticeTextsOf } from "./notice-texts.ts";

const paidText = ({ at, ...money }: NonNullable<MailNotice["paid"]>, { timeZone }: MailSettings): string =>
  at === undefined ? amountText(money) : `${amountText(money)}, ${momentText(at, timeZone)}`;

/** The page of the person's registration. The secret is in the fragment, which no server gets. */
const linkOf = ({ linkSecret }: MailNotice, { linkPage }: MailSettings): string | undefined =>
  linkSecret && `${linkPage}#${linkSecret}`;

export function noticeLetter(notice: MailNotice, settings: MailSettings): Letter {
  const { event, paid, toPay } = notice;
  const { action, also, ticket, ...texts } = noticeTextsOf(notice, settings);
  const code = ticketOf(notice);
  const own = linkOf(notice, settings);
  const isAboutOwn = own !== undefined && also === undefined && texts.tone !== "closed";
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
      ],
    },
    action: event.isGone
      ? { label: "See the events", url: settings.webAppUrl }
      : { label: action, url: isAboutOwn ? own : eventUrl(event, settings) },
    ...(own && also && { also: { label: also, url: own } }),
    ...(code && ticket && { ticket: { code, text: ticket } }),
    signature: settings.sender.name,
  };
}
