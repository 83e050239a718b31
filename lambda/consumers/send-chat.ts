/** Tells the club's chat of every change of a registration, and of money that has to go back: at most once each. */

import { readEventOrMemory } from "#domain/events/store.ts";
import { type ChatMessage, chatMessage } from "#domain/notices/chat.ts";
import { composeNotice, eventOf, keyOf, type RegistrationNews } from "#domain/notices/compose.ts";
import { refundMessage } from "#domain/notices/refund-chat.ts";
import type { Ending } from "#domain/notices/store.ts";
import { supersessionOf } from "#domain/notices/superseded.ts";
import { postChat } from "#domain/notices/webhook.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";
import { retried } from "#kit/retry.ts";
import { readSecret } from "#kit/secret.ts";
import { chatNewsIn, type RefundNews } from "#outbox/messages.ts";
import { channelsOf, type NoticeKind } from "#outbox/notice-kinds.ts";
import { consumer } from "./consumer.ts";
import { once } from "./once.ts";

const secretName = requiredEnv("CHAT_WEBHOOK_SECRET");

/** `updated` reports no change that the chat has not heard of: a ticket that is sent again, a moved event. */
const isChatted = ({ type, data }: RegistrationNews): boolean =>
  type !== "registration.updated" && data.notice !== undefined && channelsOf[data.notice].chat;

async function tell(news: RegistrationNews, kind: NoticeKind, context: RequestContext): Promise<Ending> {
  const { id } = news;
  const [event, registration] = await Promise.all([
    retried(() => readEventOrMemory(eventOf(news)), context),
    retried(() => readRegistration(keyOf(news), "strong"), context),
  ]);
  const reason = supersessionOf(news.data, registration, event);
  if (reason || !event) {
    log.info("chat message superseded", { id, reason });
    return "superseded";
  }
  const message = chatMessage(await composeNotice(news, kind, { registration, event }, context));
  if (!message) throw new Error(`No chat message for the notice ${kind}.`);
  return deliver(id, message);
}

async function deliver(id: string, message: ChatMessage): Promise<Ending> {
  const posting = await postChat(new URL(await readSecret(secretName)), message);
  if (posting.outcome === "posted") return "sent";
  const { outcome, reason } = posting;
  if (outcome === "refused") log.error("chat message refused", { id, reason });
  else log.warn("given up: the chat message may have been posted", { id, reason });
  return "failed";
}

/** Posts one piece of news, if it has a notice that the chat hears of. */
export async function chatNews(news: RegistrationNews, context: RequestContext): Promise<void> {
  const { id, data } = news;
  const { notice: kind, email } = data;
  if (kind === undefined || !isChatted(news)) return;
  const marker = { outboxId: id, channel: "chat", email } as const;
  await once(marker, { takesOver: false }, () => tell(news, kind, context), context);
}

/** Posts that an executive has to send money back. */
export async function chatRefund({ id, data }: RefundNews, context: RequestContext): Promise<void> {
  const marker = { outboxId: id, channel: "chat", email: data.email } as const;
  await once(marker, { takesOver: false }, () => deliver(id, refundMessage(data)), context);
}

export const handler = consumer(chatNewsIn, (news, context) =>
  news.type === "payment.refundRequired" ? chatRefund(news, context) : chatNews(news, context),
);
