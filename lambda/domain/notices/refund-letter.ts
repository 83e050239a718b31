/** The letter about money that goes back to a person (`docs/contract.md`, "Notices"). Pure. */
import { greetingOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { momentText } from "#domain/mail/when.ts";
import { amountText } from "#kit/amount.ts";
import { oneLine } from "#kit/text.ts";
import type { Money } from "#outbox/catalogue.ts";
import type { Letter } from "./letter.ts";

export interface RefundOfPerson extends Pick<Money, "amount" | "currency"> {
  readonly person: { readonly email: string; readonly fname: string };
  readonly purpose: "event" | "membership";
  /** What was paid for: the event's name, or the membership. */
  readonly title: string;
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export function refundLetter(
  { person, purpose, title, reason, at, ...money }: RefundOfPerson,
  settings: MailSettings,
): Letter {
  const amount = amountText(money);
  return {
    tone: "closed",
    subject: `Your money comes back: ${oneLine(title)}`,
    greeting: greetingOf({ person }),
    status: `${amount} on the way to you`,
    paragraphs: [
      `We are sending ${amount} back the way you paid. It usually takes five to ten days until your bank shows it.`,
      ...(reason ? [`Reason: ${oneLine(reason)}`] : []),
      ...(purpose === "event"
        ? ["If you have registered again meanwhile: this refund goes on, and the new seat has to be paid anew."]
        : []),
    ],
    about: {
      title: oneLine(title),
      facts: [
        { label: "Amount", text: amount },
        { label: "Sent", text: momentText(at, settings.timeZone) },
      ],
    },
    action: { label: "See the events", url: settings.webAppUrl },
    signature: settings.sender.name,
  };
}
