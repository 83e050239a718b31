/**
 * The letter with the link by which a person without an account registers, or takes an offered seat (`docs/contract.md`,
 * "Guests", "Handing on"). The sender of the
 * form may be a stranger to the mailbox, so it has no text of the form. Pure.
 */
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { whenText } from "#domain/mail/when.ts";
import { oneLine } from "#kit/text/text.ts";
import type { Letter } from "./letter.ts";
import type { NoticeEvent } from "./notice.ts";

export interface GuestRequest {
  readonly email: string;
  readonly event: NoticeEvent;
  /** The secret of the link. */
  readonly linkSecret: string;
  /** The email of who offers a seat. Absent: the mailbox itself may have asked. */
  readonly from?: string;
}

const askedTexts = (title: string) => ({
  subject: `Please confirm: ${title}`,
  status: "One step is left",
  paragraphs: [
    "You asked to come to this event. Please confirm with the link below within a day: until then you have no seat.",
    "If it was not you, please ignore this mail. Nothing happens then.",
  ],
  label: "Confirm",
});

const offeredTexts = (title: string, from: string) => ({
  subject: `A seat for you? ${title}`,
  status: "A seat is offered to you",
  paragraphs: [
    `${from} has a seat at this event, and would like to hand it on to you. It becomes yours with the link below; until then it stays theirs.`,
    "You pay nothing. What was paid for the seat stays the payment of who has paid it, and so would a refund.",
    "If you do not want the seat, please ignore this mail. Nothing happens then.",
  ],
  label: "Take the seat",
});

export function guestLetter({ event, linkSecret, from }: GuestRequest, settings: MailSettings): Letter {
  const title = oneLine(event.ename);
  const { label, ...texts } = from === undefined ? askedTexts(title) : offeredTexts(title, from);
  return {
    tone: "pending",
    greeting: greetingOf({ person: { fname: "" } }),
    ...texts,
    about: {
      title,
      facts: [
        { label: "When", text: whenText(event, settings.timeZone) },
        { label: "Where", text: event.elocation && oneLine(event.elocation) },
      ],
    },
    action: { label, url: `${settings.linkPage}#${linkSecret}/guest` },
    signature: settings.sender.name,
  };
}
