/** The letters about refunds (`docs/contract.md`, "Notices"). Pure. */
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { amountText } from "#kit/text/amount.ts";
import { oneLine } from "#kit/text/text.ts";
import { momentText } from "#kit/text/time-zone.ts";
import type { Money } from "#outbox/catalogue.ts";
import type { Letter } from "./letter.ts";

/** `owed`: the club sends it by hand. `sent`: the provider has it. `failed`: it was sent, and came back. */
export type RefundNews = "owed" | "sent" | "failed";

export interface RefundOfPerson extends Pick<Money, "amount" | "currency"> {
  readonly news: RefundNews;
  readonly person: { readonly email: string; readonly fname: string };
  readonly purpose: "event" | "membership";
  /** What was paid for: the event's name, or the membership. */
  readonly title: string;
  /** The event's address for answers. */
  readonly replyTo?: string | undefined;
  readonly reason?: string;
  /** It was a deposit, and its seat was used. */
  readonly isDeposit?: boolean | undefined;
  /** By another person, to whom the seat was handed on. */
  readonly isHandedOn?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface NewsText {
  readonly subject: string;
  readonly status: (amount: string) => string;
  readonly text: (amount: string) => string;
  /** The name of the moment. */
  readonly moment: string;
}

const texts: Readonly<Record<RefundNews, NewsText>> = {
  owed: {
    subject: "We owe you money",
    status: (amount) => `We owe you ${amount}`,
    text: (amount) =>
      `We have ${amount} from you, and nothing that it pays for any more. It goes back to you: our treasurer sends it by hand. ` +
      "You do not have to do anything.",
    moment: "Since",
  },
  sent: {
    subject: "Your money comes back",
    status: (amount) => `${amount} on the way to you`,
    text: (amount) =>
      `We are sending ${amount} back the way you paid. It usually takes five to ten days until your bank shows it.`,
    moment: "Sent",
  },
  failed: {
    subject: "Your money has not reached you",
    status: (amount) => `${amount} came back to us`,
    text: (amount) =>
      `We wrote to you that ${amount} comes back to you. Your bank has not taken it, so we still owe it to you. ` +
      "Our treasurer will find another way: please answer this mail if your card or account has changed.",
    moment: "Came back",
  },
};

const deposits: Readonly<Partial<Record<RefundNews, Pick<NewsText, "subject" | "text">>>> = {
  owed: {
    subject: "Your deposit",
    text: (amount) =>
      `Your deposit of ${amount} goes back to you: we give it back by hand. You do not have to do anything.`,
  },
  sent: {
    subject: "Your deposit comes back",
    text: (amount) =>
      `We are sending your deposit of ${amount} back the way you paid. ` +
      "It usually takes five to ten days until your bank shows it.",
  },
};

const came = (isHandedOn: boolean): string =>
  isHandedOn ? "The person who has your seat has come." : "Thank you for coming.";

const registeredAgain = "If you have registered again meanwhile: this goes on, and the new seat has to be paid anew.";

export function refundLetter(
  { news, person, purpose, title, reason, isDeposit = false, isHandedOn = false, at, ...money }: RefundOfPerson,
  settings: MailSettings,
): Letter {
  const amount = amountText(money);
  const ofDeposit = isDeposit ? deposits[news] : undefined;
  const { subject, status, text, moment } = { ...texts[news], ...ofDeposit };
  return {
    tone: "closed",
    subject: `${subject}: ${oneLine(title)}`,
    greeting: greetingOf({ person }),
    status: status(amount),
    paragraphs: [
      ofDeposit ? `${came(isHandedOn)} ${text(amount)}` : text(amount),
      ...(reason ? [`Reason: ${oneLine(reason)}`] : []),
      ...(purpose === "event" && !isDeposit ? [registeredAgain] : []),
    ],
    about: {
      title: oneLine(title),
      facts: [
        { label: "Amount", text: amount },
        { label: moment, text: momentText(at, settings.timeZone) },
      ],
    },
    action: { label: "See the events", url: settings.webAppUrl },
    signature: settings.sender.name,
  };
}
