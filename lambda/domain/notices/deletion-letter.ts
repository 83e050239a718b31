/** The letter that confirms the deletion of a person's data (`docs/contract.md`, "A person's data"). Pure. */
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { momentText } from "#kit/text/time-zone.ts";
import type { Letter } from "./letter.ts";

export interface DeletedPerson {
  readonly person: { readonly email: string; readonly fname: string };
  /** Epoch milliseconds. */
  readonly deletedAt: number;
  /** When the rest goes, epoch milliseconds. */
  readonly restUntil: number;
}

export function deletionLetter({ person, deletedAt, restUntil }: DeletedPerson, settings: MailSettings): Letter {
  const club = settings.sender.name;
  return {
    tone: "closed",
    subject: `Your data at ${club} is deleted`,
    greeting: greetingOf({ person }),
    status: "Your data is deleted",
    paragraphs: [
      "Your account, your profile and what you entered in registrations are removed, and so are name, email and text of feedback that you signed. Your registrations for events to come are cancelled, and the links in our earlier mails no longer work.",
      "Payments, points, check-ins and trades of the game stay with your email for now, since a refund may still come. Then they stay without it. Records of who changed what, and of news that was sent to you, have your email for 400 days at most; a list of addresses that want no news has it for good, if you are on it. Mails that we have sent are in your mailbox, and the team's chat has what it was told. The club can tell you more, and removes the account with which you sign in if you ask.",
      "If you did not want this, please tell us soon.",
    ],
    about: {
      title: "The deletion",
      facts: [
        { label: "Email", text: person.email },
        { label: "Deleted", text: momentText(deletedAt, settings.timeZone) },
        { label: "The rest goes after", text: momentText(restUntil, settings.timeZone) },
      ],
    },
    action: { label: "See the events", url: settings.webAppUrl },
    signature: club,
  };
}
