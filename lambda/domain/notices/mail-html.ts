/** A notice as HTML that a phone shows well: one column, inline styles, no content from other servers. Pure. */

import { eventUrl } from "#domain/mail/event-url.ts";
import { type Html, html } from "#domain/mail/html.ts";
import { greetingOf, signatureOf } from "#domain/mail/sender.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { whenText } from "#domain/mail/when.ts";
import { oneLine } from "#kit/text.ts";
import type { MailNotice } from "./notice.ts";
import { type NoticeTexts, noticeTextsOf, type Tone } from "./notice-texts.ts";

/** Content id of the mail's part that has the picture of the ticket. */
export const ticketCid = "ticket@club.events";

const ink = "#1c1e21";
const quiet = "#5c6370";
const line = "#e3e6ea";
const font = "font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif;";
const colorOf: Record<Tone, string> = { sure: "#0b6b3a", open: "#8a4b00", over: "#5c6370" };

const paragraph = (text: string): Html =>
  html`<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:${ink};">${text}</p>`;

const fact = (label: string, text: string | undefined): Html | undefined =>
  text
    ? html`<p style="margin:8px 0 0;font-size:16px;line-height:24px;color:${ink};"><span style="color:${quiet};">${label}</span><br>${text}</p>`
    : undefined;

const button = (label: string, url: string, color: string): Html =>
  html`<p style="margin:24px 0;"><a href="${url}" style="display:block;padding:14px 20px;border-radius:8px;background-color:${color};color:#ffffff;font-size:17px;line-height:22px;font-weight:600;text-align:center;text-decoration:none;">${label}</a></p>`;

const ticket = (text: string | undefined): Html | undefined =>
  text === undefined
    ? undefined
    : html`<div style="margin:24px 0 0;padding:24px 0 0;border-top:1px solid ${line};text-align:center;">
<img src="cid:${ticketCid}" width="240" height="240" alt="Your ticket as a QR code" style="display:block;margin:0 auto;width:240px;height:240px;border:0;">
<p style="margin:8px 0 0;font-size:14px;line-height:20px;color:${quiet};">${text}</p>
</div>`;

function content(notice: MailNotice, settings: MailSettings, texts: NoticeTexts): Html {
  const { event } = notice;
  const color = colorOf[texts.tone];
  return html`<p style="margin:0 0 8px;font-size:16px;line-height:24px;color:${ink};">${greetingOf(notice)}</p>
<h1 style="margin:0 0 16px;font-size:28px;line-height:34px;font-weight:700;color:${color};">${texts.status}</h1>
${texts.paragraphs.map(paragraph)}
<div style="margin:24px 0;padding:16px 20px;border:1px solid ${line};border-left:4px solid ${color};border-radius:8px;">
<h2 style="margin:0;font-size:20px;line-height:26px;font-weight:700;color:${ink};">${oneLine(event.ename)}</h2>
${fact("When", whenText(event, settings.timeZone))}
${fact("Where", event.elocation && oneLine(event.elocation))}
</div>
${button(texts.action, eventUrl(event, settings), color)}
${ticket(texts.ticket)}
<p style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid ${line};font-size:13px;line-height:18px;color:${quiet};">${signatureOf(settings)}</p>`;
}

export function mailHtml(notice: MailNotice, settings: MailSettings): string {
  const texts = noticeTextsOf(notice, settings);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<title>${texts.subject}</title>
</head>
<body style="margin:0;padding:0;background-color:#ffffff;">
<div style="display:none;max-height:0;overflow:hidden;">${texts.paragraphs[0]}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;"><tr><td align="left" style="padding:24px 20px 32px;${font}overflow-wrap:anywhere;">
${content(notice, settings, texts)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.source;
}
