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
      "What you told us is removed, such as your profile and what you entered in registrations, and your registrations for events to come are cancelled.",
      "Payments, points and check-ins stay for now, since a refund may still come. Later they no longer have your name. Some records, such as who changed what, have your email for 400 days at most. The club can tell you which, and removes the account with which you sign in if you ask.",
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
