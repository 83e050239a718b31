/** A notice as one line for the chat's incoming webhook, in Slack's format (`docs/contract.md`, "Notices"). Pure. */

import { oneLine } from "#kit/text/text.ts";
import type { NoticeKind } from "#outbox/notice-kinds.ts";
import type { Notice } from "./notice.ts";

export interface ChatMessage {
  readonly text: string;
}

/**
 * Escapes the three characters that the format reserves for links and mentions. Also adds an invisible word joiner
 * (U+2060) after `.`, `:`, `@` and `#`, because the chat turns words with these characters into links or mentions.
 */
export const escapeChat = (text: string): string =>
  oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[.:@#](?=\S)/g, "$&\u2060");

function placeText({ waitlistPosition, waitlistAhead }: Notice): string {
  if (waitlistPosition !== undefined) return ` (number ${waitlistPosition})`;
  return waitlistAhead === undefined ? "" : ` (more than ${waitlistAhead} ahead)`;
}

const sentences: Record<NoticeKind, ((who: string, event: string, notice: Notice) => string) | undefined> = {
  registered: (who, event, { movedUp }) =>
    movedUp ? `${who} moved up from the waitlist and is registered for ${event}` : `${who} is registered for ${event}`,
  acceptedComplete: (who, event) => `${who} has confirmed a seat at ${event}`,
  waitlist: (who, event, notice) =>
    `${who} ${notice.movedDown ? "was moved to" : "is on"} the waitlist of ${event}${placeText(notice)}`,
  incomplete: (who, event, { movedUp }) =>
    `${who} ${movedUp ? "moved up from the waitlist and" : "has a seat held and"} still has to pay for ${event}`,
  acceptedPending: (who, event) => `${who} is accepted for ${event} and still has to pay`,
  applicant: (who, event) => `${who} applied for ${event}`,
  accepted: (who, event) => `${who} is accepted for ${event} and still has to confirm`,
  rejected: (who, event) => `${who} gets no seat at ${event}`,
  cancelled: (who, event) => `${who} is no longer registered for ${event}`,
  checkedIn: (who, event) => `${who} checked in at ${event}`,
  moved: undefined,
  reminder: undefined,
  feedback: undefined,
};

/**
 * Undefined for a kind without a chat message. The message contains the email only if there is no first name.
 */
export function chatMessage(notice: Notice): ChatMessage | undefined {
  const sentence = sentences[notice.kind];
  if (!sentence) return undefined;
  const who = escapeChat(notice.person.fname) || escapeChat(notice.person.email);
  return { text: sentence(who, escapeChat(notice.event.ename), notice) };
}
