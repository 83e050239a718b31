/**
 * The letter with the links of an address (`docs/contract.md`, "Links"). A stranger may have asked for it, so it has no text
 * of the request, and no name. Pure.
 */
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { whenText } from "#domain/mail/when.ts";
import { oneLine } from "#kit/text/text.ts";
import { momentText } from "#kit/text/time-zone.ts";
import type { Letter } from "./letter.ts";
import type { NoticeEvent } from "./notice.ts";

export interface KnownLinks {
  readonly email: string;
  /** The registrations, as the letter lists them, each with the secret of its link. */
  readonly registrations: readonly { readonly event: NoticeEvent; readonly linkSecret: string }[];
  /** There are more than the letter has. */
  readonly isPart: boolean;
  /** The secret of the link to what is stored about the person. */
  readonly dataSecret: string;
  /** That link works until then, epoch milliseconds. */
  readonly until: number;
}

export function linksLetter(
  { email, registrations, isPart, dataSecret, until }: KnownLinks,
  settings: MailSettings,
): Letter {
  const { linkPage, timeZone } = settings;
  const club = settings.sender.name;
  const data = { label: "See, or delete, what is stored about me", url: `${linkPage}#${dataSecret}/export` };
  const [first, ...others] = registrations.map(({ event, linkSecret }) => ({
    label: oneLine(event.ename),
    url: `${linkPage}#${linkSecret}`,
  }));
  return {
    tone: "pending",
    subject: `Your links at ${club}`,
    greeting: greetingOf({ person: { fname: "" } }),
    status: "Here are your links",
    paragraphs: [
      first
        ? `Behind each button is your registration for that event${isPart ? ", the next ones first; there are more" : ""}.`
        : "You have no registration for an event to come.",
      "The bearer of a link acts as you, so please do not forward this mail. If you did not ask, you can ignore it.",
    ],
    about: {
      title: "Your registrations",
      facts: [
        { label: "Email", text: email },
        ...registrations.map(({ event }) => ({ label: oneLine(event.ename), text: whenText(event, timeZone) })),
        { label: "The link to your data works until", text: momentText(until, timeZone) },
      ],
    },
    ...(first ? { action: first, more: others, also: data } : { action: data }),
    signature: club,
  };
}
