/** Registers a person again after a cancellation. */
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Keep } from "#kit/table/execute.ts";
import type { Admission } from "../admission.ts";
import type { ByLink } from "../links/by-link.ts";
import { ticketHashOf } from "../links/ticket-code.ts";
import type { NewRegistration } from "../record/new-registration.ts";
import type { RegistrationRecord, RegistrationStatus } from "../record/registration.ts";
import { register } from "./register.ts";

/** The form of a registration that has ended, with the answers that it had. @param changes replace those of the same name */
export function formAgain(
  { email, eventID, year, fname, studentId, isPartner, basicInformation, dynamicResponses }: RegistrationRecord,
  changes: Pick<NewRegistration, "basicInformation" | "dynamicResponses" | "code" | "plusOnes">,
): NewRegistration {
  return {
    ...{ email, eventID, year, fname, studentId, isPartner },
    basicInformation: { ...basicInformation, ...changes.basicInformation },
    dynamicResponses: { ...dynamicResponses, ...changes.dynamicResponses },
    ...(changes.code !== undefined && { code: changes.code }),
    ...(changes.plusOnes && { plusOnes: changes.plusOnes }),
  };
}

/** What a person asks for by the link to a registration. */
export interface AgainByLink extends Pick<NewRegistration, "dynamicResponses" | "code" | "plusOnes"> {
  /** What the person saw of it. */
  readonly seenStatus?: RegistrationStatus | undefined;
}

/**
 * Registers the person of a link again, under the rules for the person: one without an account also those for guests. The
 * link ends, because the registration gets another ticket.
 * @param guests who may register without an account, where the event does not say
 * @throws Unauthenticated the registration has another ticket by now
 * @throws Refusal as `register`
 */
export function registerAgainByLink(
  { registration, hasAccount }: Pick<ByLink, "registration" | "hasAccount">,
  { seenStatus, dynamicResponses, code, plusOnes }: AgainByLink,
  guests: GuestsAllowed,
  context: RequestContext,
  keep?: Keep<Admission>,
): Promise<Admission> {
  const form = formAgain(registration, {
    dynamicResponses,
    ...(code?.trim() && { code }),
    ...(plusOnes && { plusOnes }),
  });
  const linked = { ticketHash: ticketHashOf(registration.ticketId), seenStatus, hasAccount };
  return register({ form, origin: "self/link", guests, linked, former: registration }, context, keep);
}
