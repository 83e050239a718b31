/** The letters about a membership: its beginning, its terms and its end (`docs/contract.md`, "Notices"). Pure. */

import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { amountText } from "#kit/text/amount.ts";
import { momentText } from "#kit/text/time-zone.ts";
import type { MembershipFact } from "#outbox/catalogue.ts";
import type { Letter } from "./letter.ts";

export interface MembershipNews {
  readonly news: "granted" | "renewed" | "ending" | "ended";
  readonly person: { readonly email: string; readonly fname: string };
  readonly paid?: MembershipFact["paid"];
  /** Epoch milliseconds: the moment of the news. */
  readonly at: number;
  /** Epoch milliseconds: the first moment after the membership. Absent: it has no end. */
  readonly until?: number | undefined;
}

const benefits =
  "Events for members only are open to you, and where an event has a price for members, you pay that price.";

type Texts = Pick<Letter, "tone" | "subject" | "status" | "paragraphs" | "action">;

/** @param end its end in words */
const textsOf = (
  { webAppUrl, linkPage }: MailSettings,
  club: string,
  end: string,
): Readonly<Record<MembershipNews["news"], Texts>> => {
  const renewal = { label: "Renew your membership", url: linkPage };
  return {
    granted: {
      tone: "confirmed",
      subject: `You're a member of ${club}`,
      status: "You're a member",
      paragraphs: [
        `Welcome to ${club}! We are glad to have you.`,
        `${benefits} You can fill in your profile and choose what others see of it.`,
      ],
      action: { label: "See the events", url: webAppUrl },
    },
    renewed: {
      tone: "confirmed",
      subject: `Your membership of ${club} goes on`,
      status: "Your membership goes on",
      paragraphs: ["We are glad that you stay.", benefits],
      action: { label: "See the events", url: webAppUrl },
    },
    ending: {
      tone: "pending",
      subject: `Your membership of ${club} ends soon`,
      status: "Your membership ends soon",
      paragraphs: [
        `Your membership ends on ${end}. Renew it before, and it goes on without a gap.`,
        "Places that you have already keep their price.",
      ],
      action: renewal,
    },
    ended: {
      tone: "closed",
      subject: `Your membership of ${club} has ended`,
      status: "Your membership has ended",
      paragraphs: [
        "Thank you for having been with us. Places that you have already keep their price.",
        "You can become a member again at any time. Your profile stays as it is.",
      ],
      action: renewal,
    },
  };
};

export function membershipLetter({ news, person, paid, at, until }: MembershipNews, settings: MailSettings): Letter {
  const club = settings.sender.name;
  const end = until === undefined ? undefined : momentText(until - 1, settings.timeZone);
  const { paragraphs, ...texts } = textsOf(settings, club, end ?? "")[news];
  const [first = "", ...others] = paragraphs;
  const received = paid && `We have received your payment of ${amountText(paid)}. Thank you!`;
  return {
    ...texts,
    greeting: greetingOf({ person }),
    paragraphs: [first, ...(received ? [received] : []), ...others],
    about: {
      title: "Your membership",
      facts: [
        { label: "Member since", text: news === "granted" ? momentText(at, settings.timeZone) : undefined },
        { label: "Member until", text: end },
        { label: "Paid", text: paid && amountText(paid) },
        { label: "Email", text: person.email },
      ],
    },
    signature: club,
  };
}
