/**
 * Consumer that posts to the club's chat: notices of registrations, and what the treasurer has to know. A message is posted at most once
 * (`docs/contract.md`, "Notices").
 */

import { type ChatMessage, chatMessage } from "#domain/notices/chat.ts";
import { composeNotice, keyOf, type RegistrationMessage, readSubject } from "#domain/notices/compose.ts";
import { moneyChat } from "#domain/notices/money-chat.ts";
import { personIn } from "#domain/notices/store.ts";
import { postChat } from "#domain/notices/webhook.ts";
import { isPseudonym } from "#domain/people/users/erasures.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { readSecret } from "#kit/secret.ts";
import { treasurersTypes } from "#outbox/catalogue.ts";
import { messageForChat, type TreasurersMessage } from "#outbox/messages.ts";
import { channelsOf, type NoticeKind } from "#outbox/notice-kinds.ts";
import { consumer, type Delivery } from "./consumer.ts";
import { once, type Told } from "./once.ts";
import { waitWhileAsking } from "./while-asking.ts";

const secretName = requiredEnv("CHAT_WEBHOOK_SECRET");
const timeZone = requiredEnv("TIME_ZONE");

/**
 * Whether the message is for the chat. Not `registration.updated`: it only resends a ticket or announces a rescheduled
 * event, and the chat has the registration already.
 */
const isChatted = ({ type, data }: RegistrationMessage): boolean =>
  type !== "registration.updated" && data.notice !== undefined && channelsOf[data.notice].chat;

async function tell(message: RegistrationMessage, kind: NoticeKind, context: RequestContext): Promise<Told> {
  const { id } = message;
  const subject = await readSubject(message, context);
  if (typeof subject === "string") {
    log.info("chat message superseded", { id, reason: subject });
    return { ending: "superseded" };
  }
  const post = chatMessage(await composeNotice(message, kind, subject, context));
  if (!post) throw new Error(`No chat message for the notice ${kind}.`);
  return deliver(id, post);
}

async function deliver(id: string, post: ChatMessage): Promise<Told> {
  const posting = await postChat(new URL(await readSecret(secretName)), post);
  if (posting.outcome === "posted") return { ending: "sent" };
  const { outcome, reason } = posting;
  if (outcome === "refused") {
    log.error("chat message refused", { id, reason });
  } else {
    log.warn("given up: the chat message may have been posted", { id, reason });
  }
  return { ending: "failed" };
}

/**
 * Posts one message about a registration, if the chat carries its notice.
 * @throws NotYet the person's own request is not over
 */
export async function chatAbout(
  message: RegistrationMessage,
  context: RequestContext,
  delivery: Delivery = { isFirst: false },
): Promise<void> {
  const { id, data } = message;
  const { notice: kind, email } = data;
  if (kind === undefined || !isChatted(message) || isPseudonym(email)) return;
  waitWhileAsking(message, delivery);
  const marker = { outboxId: id, channel: "chat", email, event: keyOf(message).event } as const;
  await once(marker, () => tell(message, kind, context), context);
}

const isForTreasurer = (message: RegistrationMessage | TreasurersMessage): message is TreasurersMessage =>
  treasurersTypes.some((type) => type === message.type);

/** Posts what the treasurer has to know about a payment or a payout. */
export async function chatMoney(message: TreasurersMessage, context: RequestContext): Promise<void> {
  const email = personIn(message.data);
  const post = moneyChat(message, { timeZone, isErased: isPseudonym(email) });
  await once({ outboxId: message.id, channel: "chat", email }, () => deliver(message.id, post), context);
}

export const handler = consumer(messageForChat, (message, context, delivery) =>
  isForTreasurer(message) ? chatMoney(message, context) : chatAbout(message, context, delivery),
);
