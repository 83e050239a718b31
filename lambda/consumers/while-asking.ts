/** Delays the waitlist notice while the person's own request still waits for a seat. */
import type { RegistrationMessage } from "#domain/notices/compose.ts";
import { NotYet } from "#outbox/messages.ts";
import type { Delivery } from "./consumer.ts";

/**
 * In a crowd people join the line even while seats are free, and usually get one soon. The waitlist notice therefore waits
 * for the second delivery, after the longest possible request. By then it is superseded, or correct.
 * @throws NotYet
 */
export function waitWhileAsking({ data }: RegistrationMessage, { isFirst }: Delivery): void {
  if (isFirst && data.isAsking) throw new NotYet("the person's own request still waits for the seat");
}
