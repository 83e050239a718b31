/** Renders a letter as HTML for phones: one column, inline styles, no external content. Pure. */

import { type Html, html } from "#kit/text/html.ts";
import type { Letter, Tone } from "./letter.ts";

/** Content id of the mail part with the ticket's QR code. */
export const ticketCid = "ticket@club.events";

const ink = "#1c1e21";
const quiet = "#5c6370";
const line = "#e3e6ea";
const font = "font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif;";
const colorOf: Record<Tone, string> = { confirmed: "#0b6b3a", pending: "#8a4b00", closed: "#5c6370" };

/**
 * Dark mode colors, for mail programs that support the query. Others show the light colors, or darken them themselves.
 * The button keeps its color, because its white text is readable on both backgrounds.
 */
const dark = html`<style>
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.page{background-color:#16181c!important}
.ink{color:#e8eaed!important}
.quiet{color:#a9b0bb!important}
.line{border-color:#3a4048!important}
.confirmed{color:#63d297!important;border-left-color:#63d297!important}
.pending{color:#f0b35a!important;border-left-color:#f0b35a!important}
.closed{color:#a9b0bb!important;border-left-color:#a9b0bb!important}
}
</style>`;

const paragraph = (text: string): Html =>
  html`<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:${ink};">${text}</p>`;

const fact = ({ label, text }: Letter["about"]["facts"][number]): Html =>
  text
    ? html`<p class="ink" style="margin:8px 0 0;font-size:16px;line-height:24px;color:${ink};"><span class="quiet" style="color:${quiet};">${label}</span><br>${text}</p>`
    : html``;

const button = ({ label, url }: Letter["action"], color: string): Html =>
  html`<p style="margin:24px 0;"><a href="${url}" style="display:block;padding:14px 20px;border-radius:8px;background-color:${color};color:#ffffff;font-size:17px;line-height:22px;font-weight:600;text-align:center;text-decoration:none;">${label}</a></p>`;

const link = ({ label, url }: Letter["action"]): Html =>
  html`<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;text-align:center;color:${ink};"><a href="${url}" class="ink" style="color:${ink};">${label}</a></p>`;

/** The image has a white margin, so that scanners can read it in dark mode too. */
const picture = (text: string): Html =>
  html`<div class="line" style="margin:24px 0 0;padding:24px 0 0;border-top:1px solid ${line};text-align:center;">
<img src="cid:${ticketCid}" width="240" height="240" alt="Your ticket as a QR code" style="display:block;margin:0 auto;width:240px;height:240px;border:0;border-radius:8px;background-color:#ffffff;">
<p class="quiet" style="margin:12px 0 0;font-size:14px;line-height:20px;color:${quiet};">${text}</p>
</div>`;

function content({
  greeting,
  tone,
  status,
  paragraphs,
  about,
  action,
  more = [],
  also,
  ticket,
  signature,
}: Letter): Html {
  const color = colorOf[tone];
  return html`<p class="ink" style="margin:0 0 8px;font-size:16px;line-height:24px;color:${ink};">${greeting}</p>
<h1 class="${tone}" style="margin:0 0 16px;font-size:28px;line-height:34px;font-weight:700;color:${color};">${status}</h1>
${paragraphs.map(paragraph)}
<div class="line ${tone}" style="margin:24px 0;padding:16px 20px;border:1px solid ${line};border-left:4px solid ${color};border-radius:8px;">
<h2 class="ink" style="margin:0;font-size:20px;line-height:26px;font-weight:700;color:${ink};">${about.title}</h2>
${about.facts.map(fact)}
</div>
${[action, ...more].map((one) => button(one, color))}
${also && link(also)}
${ticket && picture(ticket.text)}
${below(signature)}`;
}

export const mailHtml = (letter: Letter): string =>
  mailPage(letter.subject, letter.paragraphs[0] ?? "", content(letter));

/** The line below a mail. */
const below = (signature: string): Html =>
  html`<p class="quiet line" style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid ${line};font-size:13px;line-height:18px;color:${quiet};">${signature}</p>`;

/** A mail with only a heading and a paragraph, in the style of a letter. */
export const shortMailHtml = (mail: {
  readonly subject: string;
  readonly heading: string;
  readonly text: string;
  readonly signature: string;
}): string =>
  mailPage(
    mail.subject,
    mail.heading,
    html`<h1 class="ink" style="margin:0 0 16px;font-size:28px;line-height:34px;font-weight:700;color:${ink};">${mail.heading}</h1>
${paragraph(mail.text)}
${below(mail.signature)}`,
  );

/** @param preview text that mail programs show next to the subject */
function mailPage(subject: string, preview: string, content: Html): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
${dark}
</head>
<body class="page" style="margin:0;padding:0;background-color:#ffffff;">
<div style="display:none;max-height:0;overflow:hidden;">${preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="table-layout:fixed;background-color:#ffffff;"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;table-layout:fixed;"><tr><td align="left" style="padding:24px 20px 32px;${font}overflow-wrap:anywhere;word-break:break-word;">
${content}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.source;
}
