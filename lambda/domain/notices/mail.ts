/** Builds the mails of notices and memberships, for the SES call `SendRawEmail`. */
import { answersTo, headerText, inHeader, type Mail, mimeOf } from "#domain/mail/mime.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { type DeletedPerson, deletionLetter } from "./deletion-letter.ts";
import { type ExportOffer, exportLetter } from "./export-letter.ts";
import { type GuestRequest, guestLetter } from "./guest-letter.ts";
import { type Invite, inviteOf } from "./invite.ts";
import type { Letter } from "./letter.ts";
import { type KnownLinks, linksLetter } from "./links-letter.ts";
import { mailHtml, ticketCid } from "./mail-html.ts";
import { type MembershipNews, membershipLetter } from "./membership-letter.ts";
import { type NewEmailNews, newEmailLetter } from "./new-email-letter.ts";
import { hasMail, type Notice } from "./notice.ts";
import { noticeLetter } from "./notice-letter.ts";
import { qrPng } from "./qr.ts";
import { type RefundOfPerson, refundLetter } from "./refund-letter.ts";

/** A letter as plain text, for mail programs without HTML. */
function mailText({ greeting, status, paragraphs, about, action, more = [], also, ticket, signature }: Letter): string {
  const facts = about.facts.filter(({ text }) => text).map(({ label, text }) => `${label}: ${text}`);
  const parts = [
    greeting,
    status.toUpperCase(),
    ...paragraphs,
    [about.title, ...facts].join("\n"),
    ...[action, ...more].map(({ label, url }) => `${label}:\n${url}`),
    also && `${also.label}:\n${also.url}`,
    ticket && `Your ticket: ${ticket.code}\n${ticket.text}`,
    signature,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** What a mail is about, with its own address for answers. */
interface AnswersTo {
  readonly replyTo?: string | undefined;
}

async function mailOf(
  letter: Letter,
  person: MembershipNews["person"],
  { sender, replyTo }: MailSettings,
  event?: AnswersTo,
  invite?: Invite,
): Promise<Mail> {
  const { subject, ticket } = letter;
  const raw = await mimeOf({
    from: inHeader(sender),
    to: inHeader({ name: person.fname, address: person.email }),
    ...answersTo(event?.replyTo, replyTo),
    subject: headerText(subject),
    text: mailText(letter),
    html: mailHtml(letter),
    // The composer adds the invite twice: as an alternative that calendars read, and as a file for other mail programs.
    ...(invite && { icalEvent: { method: invite.method, filename: "invite.ics", content: invite.content } }),
    ...(ticket && {
      attachments: [
        {
          cid: ticketCid,
          filename: "ticket.png",
          contentType: "image/png",
          contentDisposition: "inline",
          content: await qrPng(ticket.code),
        },
      ],
    }),
  });
  return { to: person.email, subject, raw };
}

/** Undefined for a kind of notice without a mail. */
export async function renderMail(notice: Notice, settings: MailSettings): Promise<Mail | undefined> {
  if (!hasMail(notice)) return undefined;
  return mailOf(noticeLetter(notice, settings), notice.person, settings, notice.event, inviteOf(notice, settings));
}

export const guestMail = (request: GuestRequest, settings: MailSettings): Promise<Mail> =>
  mailOf(guestLetter(request, settings), { email: request.email, fname: "" }, settings, request.event);

export const exportMail = (offer: ExportOffer, settings: MailSettings): Promise<Mail> =>
  mailOf(exportLetter(offer, settings), offer.person, settings);

export const linksMail = (known: KnownLinks, settings: MailSettings): Promise<Mail> =>
  mailOf(linksLetter(known, settings), { email: known.email, fname: "" }, settings);

export const deletionMail = (deleted: DeletedPerson, settings: MailSettings): Promise<Mail> =>
  mailOf(deletionLetter(deleted, settings), deleted.person, settings);

export const newEmailMail = (news: NewEmailNews, settings: MailSettings): Promise<Mail> =>
  mailOf(newEmailLetter(news, settings), news.person, settings);

export const refundMail = (refund: RefundOfPerson, settings: MailSettings): Promise<Mail> =>
  mailOf(refundLetter(refund, settings), refund.person, settings, refund);

export const membershipMail = (news: MembershipNews, settings: MailSettings): Promise<Mail> =>
  mailOf(membershipLetter(news, settings), news.person, settings);
