import { readEvent } from "#domain/events/store.ts";
import { factOf, type RegistrationRecord } from "#domain/registrations/registration.ts";
import { noticeOfState, stateOf } from "#domain/registrations/statuses.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { IllegalTransition, NotFound } from "#kit/errors.ts";
import { retried } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import type { NoticeKind } from "#outbox/notice-kinds.ts";
import { outboxRow } from "#outbox/store.ts";
import * as routes from "./routes.ts";

/**
 * The notice that is sent again: that of the present state.
 * @throws IllegalTransition the registration has ended
 */
function noticeOf(registration: RegistrationRecord): NoticeKind {
  const state = stateOf(registration);
  if (state === "checkedIn") return registration.cameFrom ?? "registered";
  const notice = noticeOfState(registration);
  if (!notice) throw new IllegalTransition(`This registration is ${state}: it has no ticket.`);
  return notice;
}

export const resendTicket = api(routes.resendTicket, async ({ body, context }) => {
  const event = { id: body.eventID, year: body.year };
  const [registration, known] = await Promise.all([
    readRegistration({ email: body.email, event }, "strong"),
    readEvent(event),
  ]);
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  if (known?.generation !== registration.generation) throw new NotFound("Event");
  const data = { ...factOf(registration), notice: noticeOf(registration) };
  const message = outboxRow({ type: "registration.updated", data }, context);
  await retried(() => commit({ message }), context);
  return ok({ message: "The ticket is on its way." });
});
