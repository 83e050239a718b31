/**
 * Consumer that sends mails to one person, such as about a registration: each at least once, and twice only if a function
 * stops between sending and recording, or SES accepts a mail without a response (`docs/contract.md`, "Notices").
 */

import { isOver } from "#domain/events/dates.ts";
import { type EventRecord, isOffProgram } from "#domain/events/event.ts";
import { amountOwed } from "#domain/events/pricing.ts";
import { readEvent, readEventOrMemory } from "#domain/events/store.ts";
import { readSubmission } from "#domain/feedback/store.ts";
import { formKey, submissionId } from "#domain/feedback/submission.ts";
import { senderDomain } from "#domain/mail/sender.ts";
import { MailRefused, post } from "#domain/mail/ses.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { composeNotice, keyOf, type RegistrationMessage, readSubject } from "#domain/notices/compose.ts";
import {
  deletionMail,
  exportMail,
  guestMail,
  linksMail,
  membershipMail,
  newEmailMail,
  refundMail,
  renderMail,
} from "#domain/notices/mail.ts";
import type { MembershipNews } from "#domain/notices/membership-letter.ts";
import type { Notice, NoticeEvent, NoticeInvite } from "#domain/notices/notice.ts";
import type { RefundNews, RefundOfPerson } from "#domain/notices/refund-letter.ts";
import { type Marker, wasInvited } from "#domain/notices/store.ts";
import { isMemberAlready } from "#domain/people/members/member.ts";
import { readMember } from "#domain/people/members/store.ts";
import { endOf } from "#domain/people/members/terms.ts";
import { dueAfter, isPseudonym } from "#domain/people/users/erasures.ts";
import { isOpen, readNewEmail } from "#domain/people/users/new-email.ts";
import { type Side, sides } from "#domain/people/users/sides.ts";
import { readUser } from "#domain/people/users/store.ts";
import { exportLinkLasts, exportLinkSecret } from "#domain/registrations/links/export-link.ts";
import { linkSecret } from "#domain/registrations/links/link.ts";
import { newEmailSecret } from "#domain/registrations/links/new-email-link.ts";
import { ticketHashOf } from "#domain/registrations/links/ticket-code.ts";
import { ticketKey, withTicketCode } from "#domain/registrations/links/ticket-key.ts";
import { calendarIdOf } from "#domain/registrations/record/calendar-entry.ts";
import {
  countsAsMember,
  holdsSeat,
  isUnpaid,
  type RegistrationRecord,
} from "#domain/registrations/record/registration.ts";
import { readOffer } from "#domain/registrations/store/offers.ts";
import { readRegistration, readRegistrationsOf } from "#domain/registrations/store/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import {
  type MembershipMessage,
  type Message,
  mailedRefundTypes,
  membershipTypes,
  messageForMail,
  type RefundMessage,
} from "#outbox/messages.ts";
import { type Channels, channelsOf, type MailKind, type NoticeKind } from "#outbox/notice-kinds.ts";
import { consumer, type Delivery } from "./consumer.ts";
import { once, type Told } from "./once.ts";
import { waitWhileAsking } from "./while-asking.ts";

const settings: MailSettings = {
  sender: { name: requiredEnv("MAIL_SENDER_NAME"), address: requiredEnv("MAIL_SENDER") },
  replyTo: requiredEnv("REPLY_TO"),
  webAppUrl: requiredEnv("WEB_APP_URL"),
  eventPage: requiredEnv("EVENT_PAGE"),
  linkPage: requiredEnv("LINK_PAGE"),
  timeZone: requiredEnv("TIME_ZONE"),
};
const sending = { from: settings.sender.address, configurationSet: requiredEnv("MAIL_CONFIGURATION_SET") };
const domain = senderDomain(settings.sender);
const currency = requiredEnv("CURRENCY");

type GuestMessage = Message<"guest.requested" | "seat.offered">;
type ExportMessage = Message<"export.requested">;
type LinksMessage = Message<"links.requested">;
type NewEmailMessage = Message<"email.requested">;
type ChangedEmailMessage = Message<"user.emailChanged">;
type DeletionMessage = Message<"user.deleted">;
type MailedMessage =
  | RegistrationMessage
  | MembershipMessage
  | RefundMessage
  | GuestMessage
  | ExportMessage
  | LinksMessage
  | NewEmailMessage
  | ChangedEmailMessage
  | DeletionMessage;

const isAboutRefund = (message: MailedMessage): message is RefundMessage =>
  mailedRefundTypes.some((type) => type === message.type);
const isInvitation = (message: MailedMessage): message is GuestMessage =>
  message.type === "guest.requested" || message.type === "seat.offered";
const isMailed = (kind: NoticeKind | undefined): kind is MailKind => kind !== undefined && channelsOf[kind].mail;

function superseded({ id }: MailedMessage, reason: string): Told {
  log.info("mail superseded", { id, reason });
  return { ending: "superseded" };
}

/** What the mail's link is for. */
const purposeOf = (kind: MailKind) => (kind === "feedback" ? "feedback" : "registration");

const inviteIn = (kind: MailKind): Channels["invite"] => (channelsOf[kind] as Channels).invite;

const ends = (kind: MailKind): boolean => inviteIn(kind) === "CANCELLED";

/** Whether notices of this kind add a calendar entry, if the event has a date. Stored in the notice's claim. */
const invites = (kind: MailKind): boolean => inviteIn(kind) !== undefined && !ends(kind);

/**
 * The notice is claimed before the registration is read: a later cancellation finds the claim, and an earlier one is
 * visible here, so that no invite is sent.
 */
async function send(message: RegistrationMessage, kind: MailKind, context: RequestContext): Promise<Told> {
  const subject = await readSubject(message, context);
  if (typeof subject === "string") return superseded(message, subject);
  const { registration, event } = subject;
  if (kind === "feedback" && registration && (await hasAnswered(registration, event, context))) {
    return superseded(message, "answered already");
  }
  const notice = {
    ...(await composeNotice(message, kind, subject, context)),
    hasBegun: event.startDate !== undefined && Date.parse(event.startDate) <= context.now,
    isOver: isOver(event, context.now),
    ...(registration && (await withTicketCode(registration))),
    ...(registration && {
      linkSecret: linkSecret(purposeOf(kind), registration, event, await ticketKey(), context.now),
    }),
    ...(registration && { invite: await inviteOf(kind, registration, event, context) }),
    // What was paid for a seat that was handed on is another person's.
    ...(registration &&
      !registration.handed &&
      !isOver(event, context.now) &&
      (await moneyOf(registration, event, context))),
  };
  const mail = await renderMail(notice, settings);
  if (!mail) throw new Error(`No mail for the notice ${kind}.`);
  return {
    ending: await deliver(message, mail),
    withoutEntry: !registration || !event.startDate || isOffProgram(event, context.now),
  };
}

/** Whether the person has given the feedback that the mail asks for. */
async function hasAnswered(
  { email, isPartner }: RegistrationRecord,
  event: EventRecord,
  context: RequestContext,
): Promise<boolean> {
  const form = formKey(event, isPartner ? "partner" : "attendee");
  const id = submissionId(form, email, await ticketKey());
  return (await retried(() => readSubmission(form, id), context)) !== undefined;
}

/** What was paid for the seat, or is still to be paid. */
async function moneyOf(
  registration: RegistrationRecord,
  event: EventRecord,
  context: RequestContext,
): Promise<Pick<Notice, "paid" | "toPay" | "isDeposit">> {
  const { email, paid, paidAt, owes, isPartner, deposit, refunded } = registration;
  const hasSeat = holdsSeat(registration);
  // A seat that has ended brings no deposit back, and nothing is left to pay of it.
  const ofDeposit = hasSeat && !refunded && (deposit === "agreed" || deposit === "held") && { isDeposit: true };
  if (!isUnpaid(registration)) {
    if (!paid?.amount) return {};
    const toPay = hasSeat && owes && { toPay: { ...paid, amount: owes } };
    return { paid: { ...paid, at: paidAt }, ...toPay, ...ofDeposit };
  }
  const user = await retried(() => readUser(email), context);
  const amount = amountOwed(event, { isMember: countsAsMember(user, registration), isPartner }, registration);
  return amount > 0 ? { toPay: { amount, currency }, ...ofDeposit } : {};
}

async function inviteOf(
  kind: MailKind,
  registration: RegistrationRecord,
  event: EventRecord,
  context: RequestContext,
): Promise<NoticeInvite> {
  const { email, eventID: id, year } = registration;
  const wasSent = !ends(kind) || (await wasInvited({ email, event: { id, year } }, context));
  return { ...calendarIdOf(registration, event, domain), wasSent };
}

const isAboutMembership = (message: MailedMessage): message is MembershipMessage =>
  membershipTypes.some((type) => type === message.type);

/** Tells a person of the membership, unless it has ended, or was renewed, since. */
async function tellMember(message: MembershipMessage, context: RequestContext): Promise<Told> {
  const { email, until } = message.data;
  const paid = "paid" in message.data ? message.data.paid : undefined;
  const news = message.type.slice("member.".length) as MembershipNews["news"];
  const [user, member] = await Promise.all([
    retried(() => readUser(email), context),
    retried(() => readMember(email), context),
  ]);
  // Of an earlier moment than the mail: a welcome may be late.
  const isMember = isMemberAlready({ user, member }, message.occurredAt);
  const isEnding = news === "ending" || news === "ended";
  if (!isEnding && !isMember) return superseded(message, "membership ended");
  if (isEnding && endOf({ user, member }) !== until) return superseded(message, "membership renewed or removed");
  const person = { email, fname: member?.firstName || user?.fname || "" };
  const told = { news, person, at: message.occurredAt, until, ...(paid && { paid }) };
  return { ending: await deliver(message, await membershipMail(told, settings)) };
}

const toldOf = ({ id, year, ename, elocation, replyTo, startDate, endDate, wholeDays }: EventRecord): NoticeEvent => ({
  id,
  year,
  ename,
  ...(elocation && { elocation }),
  ...(replyTo && { replyTo }),
  ...(startDate && { startDate }),
  ...(endDate && { endDate }),
  ...(wholeDays && { wholeDays }),
});

/** Mails a person without an account the link to register, or a named person the link to take an offered seat. */
async function inviteGuest(message: GuestMessage, context: RequestContext): Promise<Told> {
  const { email, eventID: id, year, generation, requestId: ticketId } = message.data;
  const event = await retried(() => readEventOrMemory({ id, year, generation }), context);
  if (!event || event.isGone) return superseded(message, "event long gone");
  if (isOver(event, context.now)) return superseded(message, "too late");
  const isOffer = message.type === "seat.offered";
  const mark = ticketHashOf(ticketId);
  const offer = isOffer ? await retried(() => readOffer({ event: { id, year }, mark }, "strong"), context) : undefined;
  if (isOffer && offer?.acceptedAt !== undefined) return superseded(message, "accepted already");
  if (isOffer && !offer) return superseded(message, "withdrawn");
  const ticket = { ticketId, email, eventID: id, year };
  const secret = linkSecret(isOffer ? "seat" : "guest", ticket, event, await ticketKey(), context.now);
  const request = { email, event: toldOf(event), linkSecret: secret, ...(offer && { from: offer.by }) };
  return { ending: await deliver(message, await guestMail(request, settings)) };
}

/** Mails a person the link to what is stored about them. Its time begins with the mail. */
async function offerExport(message: ExportMessage, context: RequestContext): Promise<Told> {
  const { email } = message.data;
  const user = await retried(() => readUser(email), context);
  const until = context.now + exportLinkLasts;
  const linkSecret = exportLinkSecret({ email, until }, await ticketKey());
  const offer = { person: { email, fname: user?.fname ?? "" }, linkSecret, until };
  return { ending: await deliver(message, await exportMail(offer, settings)) };
}

/** The most registrations of which a mail has the links. */
const mostLinks = 20;

/**
 * The registrations of a person whose data was not deleted, with their events: those that have a use for a link, the next
 * ones first, and whether there are any.
 */
async function linkableOf(email: string, context: RequestContext) {
  const all = await retried(() => readRegistrationsOf(email), context);
  const own = all.filter(({ status, ofDeletedAccount }) => status !== "deleted" && !ofDeletedAccount);
  const found = await Promise.all(
    own.map(async (registration) => {
      const { eventID: id, year, generation } = registration;
      const event = await retried(() => readEvent({ id, year }), context);
      return event?.generation === generation && !isOver(event, context.now) ? { registration, event } : undefined;
    }),
  );
  const startOf = ({ event: { startDate = "~" } }: { readonly event: EventRecord }): string => startDate;
  const open = found.filter((one) => one !== undefined);
  return { isKnown: own.length > 0, open: open.sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1)) };
}

/** Mails an address its links, if it is known. Their time begins with the mail. */
async function sendLinks(message: LinksMessage, context: RequestContext): Promise<Told> {
  const { email } = message.data;
  const [user, member, { isKnown, open }, key] = await Promise.all([
    retried(() => readUser(email), context),
    retried(() => readMember(email), context),
    linkableOf(email, context),
    ticketKey(),
  ]);
  if (!user && !member && !isKnown) return superseded(message, "address not known");
  const until = context.now + exportLinkLasts;
  const known = {
    email,
    registrations: open.slice(0, mostLinks).map(({ registration, event }) => ({
      event: toldOf(event),
      linkSecret: linkSecret("registration", registration, event, key, context.now),
    })),
    ...{ isPart: open.length > mostLinks, dataSecret: exportLinkSecret({ email, until }, key), until },
  };
  return { ending: await deliver(message, await linksMail(known, settings)) };
}

/** Mails each address of a new email its link, unless it has confirmed. The message names the former one only. */
async function askForNewEmail(message: NewEmailMessage, marker: Marker, context: RequestContext): Promise<void> {
  const { email } = message.data;
  const request = await retried(() => readNewEmail(email), context);
  if (!request || !isOpen(request, context.now)) {
    superseded(message, "request over");
    return;
  }
  const { to, requestId, ttl = 0 } = request;
  const key = await ticketKey();
  const tell = async (side: Side, address: string): Promise<Told> => {
    const person = { email: address, fname: "" };
    const secret = newEmailSecret({ side, requestId, email }, key);
    const news = { person, news: side, linkSecret: secret, at: ttl * 1_000 };
    return { ending: await deliver(message, await newEmailMail(news, settings)) };
  };
  const addresses = { former: email, next: to };
  for (const side of sides.filter((one) => request.confirmed[one] === undefined)) {
    await once({ ...marker, email: addresses[side] }, () => tell(side, addresses[side]), context);
  }
}

/** Tells the former address that it is given up. */
async function tellChanged(message: ChangedEmailMessage): Promise<Told> {
  const news = { person: { email: message.data.email, fname: "" }, news: "changed", at: message.occurredAt } as const;
  return { ending: await deliver(message, await newEmailMail(news, settings)) };
}

/** Confirms the deletion of a person, whose name is gone. */
async function confirmDeletion(message: DeletionMessage): Promise<Told> {
  const { occurredAt: deletedAt, data } = message;
  const deleted = { person: { email: data.email, fname: "" }, deletedAt, restUntil: dueAfter(deletedAt) };
  return { ending: await deliver(message, await deletionMail(deleted, settings)) };
}

/** What was paid for, in words, and its address for answers. The event may be deleted, and created again. */
async function subjectOf(
  { data }: RefundMessage,
  context: RequestContext,
): Promise<Pick<RefundOfPerson, "title" | "replyTo" | "isHandedOn">> {
  if (data.purpose !== "event") return { title: "Your membership" };
  const { email, eventID: id, year } = data;
  const registration = await retried(() => readRegistration({ email, event: { id, year } }, "strong"), context);
  const { generation = "" } = registration ?? {};
  const event = await retried(() => readEventOrMemory({ id, year, generation }), context);
  const isHandedOn = registration?.left === "self/transfer";
  return { title: event?.ename ?? `${id} ${year}`, replyTo: event?.replyTo, isHandedOn };
}

/** What the person hears; undefined when the treasurer has yet to decide, or the person was promised nothing. */
function refundNewsIn({ type, data }: RefundMessage): RefundNews | undefined {
  if (type === "payment.refundStarted") return "sent";
  if (type === "payment.refundFailed") return data.wasTold ? "failed" : undefined;
  return data.because === "stage" || data.because === "unknown" ? "owed" : undefined;
}

/** Whether the money is the deposit of a person who came. */
const isDepositIn = ({ type, data }: RefundMessage): boolean =>
  type === "payment.refundStarted"
    ? data.isDeposit === true
    : type === "payment.refundByHand" && data.reason === "checked in";

/** Tells the person of money that comes back, or does not. */
async function announceRefund(message: RefundMessage, news: RefundNews, context: RequestContext): Promise<Told> {
  const { data } = message;
  const { email } = data;
  const reason = message.type === "payment.refundStarted" ? message.data.reason : undefined;
  const [user, about] = await Promise.all([retried(() => readUser(email), context), subjectOf(message, context)]);
  const person = { email, fname: user?.fname ?? "" };
  const { amount, currency, purpose } = data;
  const told = {
    news,
    person,
    amount,
    currency,
    purpose,
    ...about,
    isDeposit: isDepositIn(message),
    at: message.occurredAt,
  };
  const refund = reason === undefined ? told : { ...told, reason };
  return { ending: await deliver(message, await refundMail(refund, settings)) };
}

async function deliver({ id }: MailedMessage, mail: Parameters<typeof post>[0]): Promise<"sent" | "failed"> {
  try {
    await post(mail, sending);
    return "sent";
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.error("mail refused", { id, reason: error.message });
    return "failed";
  }
}

/**
 * Mails one message, unless its notice or its news of a refund does not go by mail.
 * @throws NotYet another run sends it, or the person's own request is not over
 */
export async function mailAbout(
  message: MailedMessage,
  context: RequestContext,
  delivery: Delivery = { isFirst: false },
): Promise<void> {
  if (isPseudonym(message.data.email)) {
    superseded(message, "person erased");
    return;
  }
  const marker: Marker = { outboxId: message.id, channel: "mail", email: message.data.email };
  if (isAboutMembership(message)) return once(marker, () => tellMember(message, context), context);
  if (isInvitation(message)) return once(marker, () => inviteGuest(message, context), context);
  if (message.type === "export.requested") return once(marker, () => offerExport(message, context), context);
  if (message.type === "links.requested") return once(marker, () => sendLinks(message, context), context);
  if (message.type === "email.requested") return askForNewEmail(message, marker, context);
  if (message.type === "user.emailChanged") return once(marker, () => tellChanged(message), context);
  if (message.type === "user.deleted") return once(marker, () => confirmDeletion(message), context);
  if (isAboutRefund(message)) {
    const news = refundNewsIn(message);
    return news && once(marker, () => announceRefund(message, news, context), context);
  }
  const { notice: kind } = message.data;
  if (!isMailed(kind)) return;
  waitWhileAsking(message, delivery);
  const about: Marker = { ...marker, event: keyOf(message).event };
  await once(about, () => send(message, kind, context), context, invites(kind));
}

export const handler = consumer(messageForMail, mailAbout);
