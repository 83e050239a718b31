/** The letters of a new email (`docs/contract.md`, "A person's data"). None of them names the other address. Pure. */
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { momentText } from "#kit/text/time-zone.ts";
import type { Letter } from "./letter.ts";

export interface NewEmailNews {
  readonly person: { readonly email: string; readonly fname: string };
  /** Which address confirms; `changed`: the former one, when it is no longer the person's. */
  readonly news: keyof typeof texts;
  /** The secret of the link that confirms. */
  readonly linkSecret?: string;
  /** When the link ends, or the email was changed. Epoch milliseconds. */
  readonly at: number;
}

const texts = {
  former: {
    subject: "Do you want another email",
    status: "Please confirm your new email",
    paragraphs: [
      "You, or an admin for you, asked to keep your account, your registrations and your membership under another address. It is changed when both addresses have confirmed.",
      "If you did not ask for it, do nothing: then everything stays as it is.",
    ],
    time: "The link works until",
  },
  next: {
    subject: "Is this your new email",
    status: "Please confirm this address",
    paragraphs: [
      "Somebody with an account asked to keep it under this address from now on. If it was you, please confirm; what is stored moves when your former address has confirmed, too. Then sign up, or sign in, with this address.",
      "If you did not ask for it, do nothing: then nothing happens.",
    ],
    time: "The link works until",
  },
  changed: {
    subject: "Your email was changed",
    status: "Your email was changed",
    paragraphs: [
      "Your account, your registrations and your membership are under your new address now. Please sign in with it. You get your tickets again there; the tickets and links in earlier mails no longer work.",
      "If you did not want this, please tell us soon.",
    ],
    time: "Changed",
  },
} as const;

export function newEmailLetter({ person, news, linkSecret, at }: NewEmailNews, settings: MailSettings): Letter {
  const club = settings.sender.name;
  const { subject, status, paragraphs, time } = texts[news];
  const url = linkSecret === undefined ? settings.webAppUrl : `${settings.linkPage}#${linkSecret}/new-email`;
  return {
    tone: news === "changed" ? "closed" : "pending",
    subject: `${subject} at ${club}${news === "changed" ? "" : "?"}`,
    greeting: greetingOf({ person }),
    status,
    paragraphs: [...paragraphs],
    about: {
      title: "The change",
      facts: [
        { label: "This address", text: person.email },
        { label: time, text: momentText(at, settings.timeZone) },
      ],
    },
    action: { label: linkSecret === undefined ? "See the events" : "Confirm", url },
    signature: club,
  };
}
