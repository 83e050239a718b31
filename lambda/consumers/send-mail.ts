/** Mails the notices: at least once each, twice only when a function dies between sending and saying so. */

import type { EventRecord } from "#domain/events/event.ts";
import { readEventOrMemory } from "#domain/events/store.ts";
import { senderOf } from "#domain/mail/sender.ts";
import { MailRefused, post } from "#domain/mail/ses.ts";
import type { MailSettings } from "#domain/mail/settings.ts";
import { composeNotice, eventOf, keyOf, type RegistrationNews } from "#domain/notices/compose.ts";
import { renderMail } from "#domain/notices/mail.ts";
import type { NoticeInvite } from "#domain/notices/notice.ts";
import { type Ending, rememberInvite, wasInvited } from "#domain/notices/store.ts";
import { supersessionOf } from "#domain/notices/superseded.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import { withTicketCode } from "#domain/registrations/tickets/codes.ts";
import type { RequestContext } from "#kit/context.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";
import { retried } from "#kit/retry.ts";
import { registrationNews } from "#outbox/messages.ts";
import { channelsOf, type MailKind, type NoticeKind } from "#outbox/notice-kinds.ts";
import { consumer } from "./consumer.ts";
import { once } from "./once.ts";

const settings: MailSettings = {
  sender: requiredEnv("MAIL_SENDER"),
  webAppUrl: requiredEnv("WEB_APP_URL"),
  timeZone: requiredEnv("TIME_ZONE"),
};
const { address } = senderOf(settings);
const domain = address.slice(address.lastIndexOf("@") + 1);

const isMailed = (kind: NoticeKind | undefined): kind is MailKind => kind !== undefined && channelsOf[kind].mail;

function superseded({ id }: RegistrationNews, reason: string): Ending {
  log.info("mail superseded", { id, reason });
  return "superseded";
}

const ends = (kind: MailKind): boolean => channelsOf[kind].invite === "CANCELLED";

/**
 * Which calendar entry the mail is about, and whether there is something to cancel. An invite is noted before the
 * registration is read for the decision. Thus whoever cancels it later finds the note: had they cancelled it earlier,
 * the decision would have seen that, and no invite would be sent.
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

async function send(news: RegistrationNews, kind: MailKind, context: RequestContext): Promise<Ending> {
  const read = () => retried(() => readRegistration(keyOf(news), "strong"), context);
  const [event, known] = await Promise.all([retried(() => readEventOrMemory(eventOf(news)), context), read()]);
  const early = supersessionOf(news.data, known, event);
  if (early || !event) return superseded(news, early ?? "event long gone");
  const entry = known && (await entryOf(kind, known.calendarUid, event, context));
  const registration = await read();
  const late = supersessionOf(news.data, registration, event);
  if (late) return superseded(news, late);
  const notice = {
    ...(await composeNotice(news, kind, { registration, event }, context)),
    ...(registration && (await withTicketCode(registration))),
    ...(registration && entry && { invite: inviteOf(entry, registration, event) }),
  };
  const mail = await renderMail(notice, settings, `<${news.id}.mail@${domain}>`);
  if (!mail) throw new Error(`No mail for the notice ${kind}.`);
  return deliver(news, mail);
}

async function deliver({ id }: RegistrationNews, mail: Parameters<typeof post>[0]): Promise<Ending> {
  try {
    await post(mail, address);
    return "sent";
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.error("mail refused", { id, reason: error.message });
    return "failed";
  }
}

/** Mails one piece of news, if it has a notice that is mailed. */
export async function mailNews(news: RegistrationNews, context: RequestContext): Promise<void> {
  const { id, data } = news;
  const { notice: kind, email } = data;
  if (!isMailed(kind)) return;
  const marker = { outboxId: id, channel: "mail", email } as const;
  await once(marker, { takesOver: true }, () => send(news, kind, context), context);
}

export const handler = consumer(registrationNews, mailNews);
