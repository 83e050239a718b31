/**
 * The letter with the link by which a person without an account registers (`docs/contract.md`, "Guests"). The sender of the
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
}

export function guestLetter({ event, linkSecret }: GuestRequest, settings: MailSettings): Letter {
  const title = oneLine(event.ename);
  return {
    tone: "pending",
    subject: `Please confirm: ${title}`,
    greeting: greetingOf({ person: { fname: "" } }),
    status: "One step is left",
    paragraphs: [
      "You asked to come to this event. Please confirm with the link below within a day: until then you have no seat.",
      "If it was not you, please ignore this mail. Nothing happens then.",
    ],
    about: {
      title,
      facts: [
        { label: "When", text: whenText(event, settings.timeZone) },
        { label: "Where", text: event.elocation && oneLine(event.elocation) },
      ],
    },
    action: { label: "Confirm", url: `${settings.linkPage}#${linkSecret}/guest` },
    signature: settings.sender.name,
  };
}
