/** The letter that welcomes a new member (`docs/contract.md`, "Notices"). Pure. */

import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { amountText } from "#kit/text/amount.ts";
import { momentText } from "#kit/text/time-zone.ts";
import type { MembershipFact } from "#outbox/catalogue.ts";
import type { Letter } from "./letter.ts";

export interface NewMember {
  readonly person: { readonly email: string; readonly fname: string };
  readonly paid?: MembershipFact["paid"];
  /** Epoch milliseconds: the moment of the grant. */
  readonly since: number;
}

export function membershipLetter({ person, paid, since }: NewMember, settings: MailSettings): Letter {
  const club = settings.sender.name;
  const received = paid && `We have received your payment of ${amountText(paid)}. Thank you!`;
  return {
    tone: "confirmed",
    subject: `You're a member of ${club}`,
    greeting: greetingOf({ person }),
    status: "You're a member",
    paragraphs: [
      `Welcome to ${club}! We are glad to have you.`,
      ...(received ? [received] : []),
      "Events for members only are open to you, and where an event has a price for members, you pay that price. " +
        "You can fill in your profile and choose what others see of it.",
    ],
    about: {
      title: "Your membership",
      facts: [
        { label: "Member since", text: momentText(since, settings.timeZone) },
        { label: "Paid", text: paid && amountText(paid) },
        { label: "Email", text: person.email },
      ],
    },
    action: { label: "See the events", url: settings.webAppUrl },
    signature: club,
  };
}
