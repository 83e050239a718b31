/** The letter with the link to what is stored about a person (`docs/contract.md`, "A person's data"). Pure. */
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { momentText } from "#kit/text/time-zone.ts";
import type { Letter } from "./letter.ts";

export interface ExportOffer {
  readonly person: { readonly email: string; readonly fname: string };
  /** The secret of the link. */
  readonly linkSecret: string;
  /** The link works until then, epoch milliseconds. */
  readonly until: number;
}

export function exportLetter({ person, linkSecret, until }: ExportOffer, settings: MailSettings): Letter {
  const club = settings.sender.name;
  return {
    tone: "pending",
    subject: `Your data at ${club}`,
    greeting: greetingOf({ person }),
    status: "Here is your data",
    paragraphs: [
      `An admin of ${club} was asked to send you what the club stores about you. Behind the link below you can save all of it.`,
      "Whoever has the link can read it, so please do not forward this mail. If you did not ask, you can ignore it.",
    ],
    about: {
      title: "What is stored about you",
      facts: [
        { label: "Email", text: person.email },
        { label: "The link works until", text: momentText(until, settings.timeZone) },
      ],
    },
    action: { label: "See my data", url: `${settings.linkPage}#${linkSecret}/export` },
    signature: club,
  };
}
