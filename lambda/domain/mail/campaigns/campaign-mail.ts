/** Builds the mail of a campaign to one person. */
import { answersTo, headerText, inHeader, type Mail, mimeOf } from "../mime.ts";
import type { Mailbox } from "../settings.ts";
import { type ParsedTemplate, render } from "../templates/template.ts";
import { type CampaignContent, type Recipient, unsubscribeUrl } from "./campaign.ts";

/** The sender of campaigns and the address for unsubscribing. */
export interface Desk {
  readonly sender: Mailbox;
  readonly unsubscribeAddress: string;
  /** The stage's address for answers. Empty or absent: the sender's. */
  readonly replyTo?: string;
}

/**
 * Completes a template that is only a fragment of a page: phone width, margins, and a light background, for which its
 * author has chosen the colors. Pure.
 */
const pageOf = (markup: string): string =>
  /<(?:!doctype|html|head|body)\b/i.test(markup)
    ? markup
    : `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<style>img{max-width:100%;height:auto}</style>
</head>
<body style="margin:0 auto;padding:24px 20px 32px;max-width:600px;background-color:#ffffff;color:#1c1e21;font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word;">
${markup}
</body>
</html>
`;

/** @throws RenderFailed when the template cannot be rendered for this person */
export async function campaignMail(
  template: ParsedTemplate,
  { event, replyTo }: Pick<CampaignContent, "event" | "replyTo">,
  { email, fname, lname }: Recipient,
  { sender, unsubscribeAddress, replyTo: stages }: Desk,
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
    ...answersTo(replyTo, stages),
    subject: headerText(subject),
    headers: { "List-Unsubscribe": `<${unsubscribe}>` },
    html: pageOf(html),
    ...(text !== "" && { text }),
  });
  return { to: email, subject, raw };
}
