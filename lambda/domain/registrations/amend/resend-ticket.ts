import { readEvent } from "#domain/events/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import { commit } from "#kit/table/table.ts";
import type { NoticeKind } from "#outbox/notice-kinds.ts";
import { outboxRow } from "#outbox/store.ts";
import { factOf, type RegistrationRecord } from "../record/registration.ts";
import { noticeOfState, stateOf } from "../record/statuses.ts";
import { IllegalTransition } from "../refusals.ts";
import { type RegistrationKey, readRegistration } from "../store/store.ts";

/**
 * The notice to resend: that of the current state.
 * @throws IllegalTransition the registration has ended
 */
export function noticeOf(registration: RegistrationRecord): NoticeKind {
  const state = stateOf(registration);
  if (state === "checkedIn") return registration.cameFrom ?? "registered";
  const notice = noticeOfState(registration);
  if (!notice) throw new IllegalTransition(`This registration is ${state}: it has no ticket.`);
  return notice;
}

/**
 * Requests the mail of the registration's current state again.
 * @throws NotFound IllegalTransition
 */
export async function resendTicket(key: RegistrationKey, context: RequestContext): Promise<void> {
  const [registration, event] = await Promise.all([readRegistration(key, "strong"), readEvent(key.event)]);
  if (!registration || registration.status === "deleted" || registration.ofDeletedAccount)
    throw new NotFound("Registration");
  if (event?.generation !== registration.generation) throw new NotFound("Event");
  const data = { ...factOf(registration), notice: noticeOf(registration) };
  const message = outboxRow({ type: "registration.updated", data }, context);
  await retried(() => commit({ message }), context);
}
