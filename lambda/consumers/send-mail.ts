/**
 * Consumer that mails people what became of their registration, and that they are members now: each mail at least once,
 * and twice only when a function ends between sending and noting (`docs/contract.md`, "Notices").
 */

import type { EventRecord } from "#domain/events/event.ts";
import { readEventOrMemory } from "#domain/events/store.ts";
import { senderDomain } from "#domain/mail/sender.ts";
import { MailRefused, post } from "#domain/mail/ses.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { composeNotice, eventKeyIn, keyOf, type RegistrationMessage } from "#domain/notices/compose.ts";
import { membershipMail, renderMail } from "#domain/notices/mail.ts";
import type { NoticeInvite } from "#domain/notices/notice.ts";
import { type Ending, rememberInvite, wasInvited } from "#domain/notices/store.ts";
import { supersessionOf } from "#domain/notices/superseded.ts";
import { isMemberAlready } from "#domain/people/members/member.ts";
import { readMember } from "#domain/people/members/store.ts";
import { readUser } from "#domain/people/users/store.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import { withTicketCode } from "#domain/registrations/tickets/codes.ts";
import type { RequestContext } from "#kit/context.ts";
import { count } from "#kit/count.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";
import { retried } from "#kit/retry.ts";
import { PerhapsSent } from "#kit/unsent.ts";
import { type MembershipMessage, messageForMail } from "#outbox/messages.ts";
import { channelsOf, type MailKind, type NoticeKind } from "#outbox/notice-kinds.ts";
import { consumer } from "./consumer.ts";
import { once } from "./once.ts";

const settings: MailSettings = {
  sender: { name: requiredEnv("MAIL_SENDER_NAME"), address: requiredEnv("MAIL_SENDER") },
  webAppUrl: requiredEnv("WEB_APP_URL"),
  eventPage: requiredEnv("EVENT_PAGE"),
  timeZone: requiredEnv("TIME_ZONE"),
};
const sending = { from: settings.sender.address, configurationSet: requiredEnv("MAIL_CONFIGURATION_SET") };
const domain = senderDomain(settings.sender);

type MailedMessage = RegistrationMessage | MembershipMessage;

const messageIdOf = ({ id }: MailedMessage): string => `<${id}.mail@${domain}>`;

const isMailed = (kind: NoticeKind | undefined): kind is MailKind => kind !== undefined && channelsOf[kind].mail;

function superseded({ id }: MailedMessage, reason: string): Ending {
  log.info("mail superseded", { id, reason });
  return "superseded";
}

const ends = (kind: MailKind): boolean => channelsOf[kind].invite === "CANCELLED";

/**
 * The calendar entry of the mail, and whether there is an entry to cancel. The invite is noted before the registration
 * is read for the decision. A later cancellation therefore finds the note. An earlier cancellation is visible to the
 * decision, and then no invite is sent.
 */
async function entryOf(kind: MailKind, calendarUid: string, event: EventRecord, context: RequestContext) {
  if (ends(kind)) return { calendarUid, wasSent: await wasInvited(calendarUid, context) };
  if (event.startDate) await rememberInvite(calendarUid, context);
  return { calendarUid, wasSent: true };
}

const inviteOf = (
  { calendarUid, wasSent }: Awaited<ReturnType<typeof entryOf>>,
  registration: RegistrationRecord,
  { scheduleVersion }: EventRecord,
): NoticeInvite => ({ uid: `${calendarUid}@${domain}`, sequence: registration.version + scheduleVersion, wasSent });

async function send(message: RegistrationMessage, kind: MailKind, context: RequestContext): Promise<Ending> {
  const read = () => retried(() => readRegistration(keyOf(message), "strong"), context);
  const [event, known] = await Promise.all([retried(() => readEventOrMemory(eventKeyIn(message)), context), read()]);
  const early = supersessionOf(message.data, known, event);
  if (early || !event) return superseded(message, early ?? "event long gone");
  const entry = known && (await entryOf(kind, known.calendarUid, event, context));
  const registration = await read();
  const late = supersessionOf(message.data, registration, event);
  if (late) return superseded(message, late);
  const notice = {
    ...(await composeNotice(message, kind, { registration, event })),
    ...(registration && (await withTicketCode(registration))),
    ...(registration && entry && { invite: inviteOf(entry, registration, event) }),
  };
  const mail = await renderMail(notice, settings, messageIdOf(message));
  if (!mail) throw new Error(`No mail for the notice ${kind}.`);
  return deliver(message, mail);
}

/** Welcomes a new member. A membership that has ended since is not told of. */
async function welcome(message: MembershipMessage, context: RequestContext): Promise<Ending> {
  const { email, paid } = message.data;
  const [user, member] = await Promise.all([
    retried(() => readUser(email), context),
    retried(() => readMember(email), context),
  ]);
  if (!isMemberAlready({ user, member })) return superseded(message, "membership ended");
  const person = { email, fname: member?.firstName || user?.fname || "" };
  const news = { person, since: message.occurredAt, ...(paid && { paid }) };
  return deliver(message, await membershipMail(news, settings, messageIdOf(message)));
}

async function deliver({ id }: MailedMessage, mail: Parameters<typeof post>[0]): Promise<Ending> {
  try {
    await post(mail, sending);
    count("MailsSent");
    return "sent";
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      count(error instanceof PerhapsSent ? "MailsUnconfirmed" : "MailsPostponed");
      throw error;
    }
    count("MailsRefused");
    log.error("mail refused", { id, reason: error.message });
    return "failed";
  }
}

const isMembership = (message: MailedMessage): message is MembershipMessage => message.type === "member.granted";

/** Mails one message, if it is about a membership or its notice goes by mail. */
export async function mailAbout(message: MailedMessage, context: RequestContext): Promise<void> {
  const marker = { outboxId: message.id, channel: "mail", email: message.data.email } as const;
  const mailOnce = (tell: () => Promise<Ending>) => once(marker, { takesOver: true }, tell, context);
  if (isMembership(message)) return mailOnce(() => welcome(message, context));
  const { notice: kind } = message.data;
  if (isMailed(kind)) await mailOnce(() => send(message, kind, context));
}

export const handler = consumer(messageForMail, mailAbout);
