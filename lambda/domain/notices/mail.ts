/** Makes the whole mail of a notice, for the SES call `SendRawEmail`. */
import { headerText, inHeader, type Mail, mimeOf } from "#domain/mail/mime.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { inviteOf } from "./invite.ts";
import { mailHtml, ticketCid } from "./mail-html.ts";
import { mailText } from "./mail-text.ts";
import { hasMail, type Notice, ticketOf } from "./notice.ts";
import { noticeTextsOf } from "./notice-texts.ts";
import { qrPng } from "./qr.ts";

/**
 * Undefined for a kind of notice without a mail.
 * @param messageId `<...@...>`. It must be the same for each try of a notice, so that a mail program recognizes a
 * second copy.
 */
export async function renderMail(notice: Notice, settings: MailSettings, messageId: string): Promise<Mail | undefined> {
  if (!hasMail(notice)) return undefined;
  const { person } = notice;
  const { subject } = noticeTextsOf(notice, settings);
  const invite = inviteOf(notice, settings);
  const ticketCode = ticketOf(notice);
  const raw = await mimeOf({
    from: inHeader(settings.sender),
    to: inHeader({ name: person.fname, address: person.email }),
    subject: headerText(subject),
    messageId,
    date: new Date(notice.updatedAt),
    text: mailText(notice, settings),
    html: mailHtml(notice, settings),
    // The composer adds the invite twice: as an alternative that calendars read, and as a file for other mail programs.
    ...(invite && { icalEvent: { method: invite.method, filename: "invite.ics", content: invite.content } }),
    ...(ticketCode && {
      attachments: [
        {
          cid: ticketCid,
          filename: "ticket.png",
          contentType: "image/png",
          contentDisposition: "inline",
          content: await qrPng(ticketCode),
        },
      ],
    }),
  });
  return { to: person.email, subject, raw };
}
