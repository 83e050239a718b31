/** A notice as one line for an incoming webhook (Slack's format). Pure. */

import { oneLine } from "#kit/text.ts";
import type { NoticeKind } from "#outbox/notice-kinds.ts";
import type { Notice } from "./notice.ts";

export interface ChatMessage {
  readonly text: string;
}

/**
 * The three characters that the format reserves for links and mentions, and a word joiner, which nobody sees, behind those
 * that make it guess a link, an address or a mention of everybody out of plain words.
 */
export const escapeChat = (text: string): string =>
  oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[.:@#](?=\S)/g, "$&\u2060");

const sentences: Record<NoticeKind, ((who: string, event: string, notice: Notice) => string) | undefined> = {
  registered: (who, event, { movedUp }) =>
    movedUp ? `${who} moved up from the waitlist and is registered for ${event}` : `${who} is registered for ${event}`,
  acceptedComplete: (who, event) => `${who} has confirmed a seat at ${event}`,
  waitlist: (who, event, { waitlistPosition }) =>
    `${who} is on the waitlist of ${event}${waitlistPosition === undefined ? "" : ` (number ${waitlistPosition})`}`,
  incomplete: (who, event, { movedUp }) =>
    `${who} ${movedUp ? "moved up from the waitlist and" : "has a seat held and"} still has to pay for ${event}`,
  acceptedPending: (who, event) => `${who} is accepted for ${event} and still has to pay`,
  applicant: (who, event) => `${who} applied for ${event}`,
  accepted: (who, event) => `${who} is accepted for ${event} and still has to confirm`,
  rejected: (who, event) => `${who} gets no seat at ${event}`,
  cancelled: (who, event) => `${who} is no longer registered for ${event}`,
  checkedIn: (who, event) => `${who} checked in at ${event}`,
  moved: undefined,
};

/** Undefined where the chat hears nothing. Names the person by first name; by email only without one. */
export function chatMessage(notice: Notice): ChatMessage | undefined {
  const sentence = sentences[notice.kind];
  if (!sentence) return undefined;
  const who = escapeChat(notice.person.fname) || escapeChat(notice.person.email);
  return { text: sentence(who, escapeChat(notice.event.ename), notice) };
}
