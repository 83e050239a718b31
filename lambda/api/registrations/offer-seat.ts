/** The route by which a person offers the own seat to another one (`docs/contract.md`, "Handing on"). */
import { registrationAnswer } from "#api/records/registration-answer.ts";
import { withTicketCode } from "#domain/registrations/links/ticket-key.ts";
import { originOf } from "#domain/registrations/record/acts.ts";
import { offerSeat as offer } from "#domain/registrations/register/offer-seat.ts";
import { requiredEnv } from "#kit/env.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { present, showingPresent } from "./one-registration.ts";
import * as routes from "./routes.ts";

const mails = JSON.parse(requiredEnv("SIGN_UP_LIMITS"));

/**
 * The named person; undefined when an offer is withdrawn.
 * @throws ValidationFailed one of the fields is missing
 */
export function namedIn({
  email,
  fname,
}: {
  readonly email?: string | undefined;
  readonly fname?: string | undefined;
}) {
  if (email === undefined && fname === undefined) return undefined;
  if (email !== undefined && fname !== undefined) return { email, fname };
  throw new ValidationFailed([{ path: `/offer/${email === undefined ? "email" : "fname"}`, message: "is required" }]);
}

export const offerSeat = api(routes.offerSeat, async ({ params, body, caller, context }) => {
  const { eventID: id, year, seenStatus, offer: named } = body;
  const { email } = params;
  const origin = originOf(caller, email, "desk");
  const asked = { email, event: { id, year }, to: namedIn(named), origin, seenStatus };
  const registration = await showingPresent(offer(asked, mails, context), present);
  const isOffered = registration.offer !== undefined;
  return ok({
    message: isOffered
      ? "The offer is on its way. The seat stays yours until it is accepted."
      : "Nobody is offered your seat.",
    registrationStatus: registration.status,
    registration: registrationAnswer(registration, await withTicketCode(registration)),
  });
});
