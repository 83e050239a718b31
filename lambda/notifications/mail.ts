/** A notice as a whole mail, ready for `SendRawEmail`. */
import MailComposer from "nodemailer/lib/mail-composer";
import { inviteOf } from "./invite.ts";
import { mailHtml, ticketCid } from "./mail-html.ts";
import { mailText } from "./mail-text.ts";
import { type House, hasMail, type Notice, ticketOf } from "./notice.ts";
import { oneLine } from "./plain.ts";
import { qrPng } from "./qr.ts";
import { senderOf } from "./sender.ts";
import { wordsOf } from "./words.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** MIME. */
  readonly raw: Buffer;
}

/**
 * The composer takes what looks like an encoded word (RFC 2047) for one that was encoded already, and passes it on for mail
 * programs to decode into whatever it hides. A word joiner, which nobody sees, makes it plain text.
 */
const headerText = (text: string): string => oneLine(text).replaceAll("=?", "=\u2060?");

/**
 * Undefined where the kind has no mail.
 * @param messageId `<...@...>`, the same whenever the same notice is rendered, so that a second copy can be told as one
 */
export async function renderMail(notice: Notice, house: House, messageId: string): Promise<Mail | undefined> {
  if (!hasMail(notice)) return undefined;
  const { person } = notice;
  const { subject } = wordsOf(notice, house);
  const invite = inviteOf(notice, house);
  const ticketCode = ticketOf(notice);
  const composer = new MailComposer({
    from: { ...senderOf(house) },
    to: { name: headerText(person.fname), address: person.email },
    subject: headerText(subject),
    messageId,
    date: new Date(notice.updatedAt),
    // Keeps vacation notices from answering (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    text: mailText(notice, house),
    html: mailHtml(notice, house),
    // Twice, as mail programs want it: an alternative that they act on, and a file for those who do not.
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
    // Nothing in a mail is ever read from a path or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { to: person.email, subject, raw: await composer.compile().build() };
}
