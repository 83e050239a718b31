/** The letter that confirms the deletion of a person's data (`docs/contract.md`, "A person's data"). Pure. */
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { momentText } from "#domain/mail/when.ts";
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
      "Your account, membership and profile are gone. Your registrations for events to come are cancelled, and what you entered in registrations is removed.",
      "Refunds may still need the rest. Then it goes too, and what the club must keep, such as payments, no longer leads to you. Only your password and email for signing in stay: we remove them if you ask us.",
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
