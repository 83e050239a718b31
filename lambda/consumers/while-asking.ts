/** What a person is told of the line while the own request still waits for a seat. */
import type { RegistrationMessage } from "#domain/notices/compose.ts";
import { NotYet } from "#outbox/messages.ts";
import type { Delivery } from "./consumer.ts";

/**
 * In a crowd a person joins the line although seats are free, and mostly has one a moment later. So the notice of the
 * waitlist waits for the second delivery, which comes after the longest request. By then it is superseded, or true.
 * @throws NotYet
 */
export function waitWhileAsking({ data }: RegistrationMessage, { isFirst }: Delivery): void {
  if (isFirst && data.isAsking) throw new NotYet("the person's own request still waits for the seat");
}
