/** Makes the mail of a campaign to one person. */
import { createHash } from "node:crypto";
import { headerText, inHeader, type Mail, mimeOf } from "../mime.ts";
import { senderDomain } from "../sender.ts";
import type { Mailbox } from "../settings.ts";
import { type ParsedTemplate, render } from "../templates/template.ts";
import type { CampaignContent, Recipient } from "./campaign.ts";
import { unsubscribeUrl } from "./unsubscribe.ts";

/** Sender of the campaigns and the address for people who want no more of them. */
export interface Desk {
  readonly sender: Mailbox;
  /** A person who wants no more campaigns writes to this address. */
  readonly unsubscribeAddress: string;
}

/** Does not show the recipient's address. The same campaign and recipient always give the same id. */
const messageIdOf = (campaignId: string, email: string, domain: string): string =>
  `<${campaignId}.${createHash("sha256").update(email).digest("hex").slice(0, 20)}@${domain}>`;

/** @throws RenderFailed when the template cannot be rendered for this person */
export async function campaignMail(
  campaignId: string,
  template: ParsedTemplate,
  { event }: Pick<CampaignContent, "event">,
  { email, fname, lname }: Recipient,
  { sender, unsubscribeAddress }: Desk,
): Promise<Mail> {
  const unsubscribe = unsubscribeUrl(unsubscribeAddress);
  const { subject, html, text } = render(template, {
    email,
    unsubscribe,
    ...(fname !== undefined && { fname }),
    ...(lname !== undefined && { lname }),
    ...(event && { event }),
  });
  const raw = await mimeOf({
    from: inHeader(sender),
    to: inHeader({ name: [fname, lname].filter(Boolean).join(" "), address: email }),
    subject: headerText(subject),
    messageId: messageIdOf(campaignId, email, senderDomain(sender)),
    headers: { "List-Unsubscribe": `<${unsubscribe}>` },
    html,
    ...(text !== "" && { text }),
  });
  return { to: email, subject, raw };
}
