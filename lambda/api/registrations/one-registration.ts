/** The routes of one registration: a person registers, changes it, and deletes it. */

import { registrationAnswer } from "#api/records/registration-answer.ts";
import type { EventKey } from "#domain/events/event.ts";
import type { Admission } from "#domain/registrations/admission.ts";
import { changeRegistration } from "#domain/registrations/amend/change-registration.ts";
import { leave } from "#domain/registrations/leave.ts";
import { sealedTicketCode, ticketKey, withTicketCode } from "#domain/registrations/links/ticket-key.ts";
import { originOf } from "#domain/registrations/record/acts.ts";
import type { NewRegistration } from "#domain/registrations/record/new-registration.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { type State, stateOf } from "#domain/registrations/record/statuses.ts";
import { hasEarnedDeposit } from "#domain/registrations/record/transition.ts";
import { AlreadyRegistered, StatusChanged } from "#domain/registrations/refusals.ts";
import { register as registerPerson } from "#domain/registrations/register/register.ts";
import { Duplicate, ValidationFailed } from "#kit/errors.ts";
import { created, ok } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import { api } from "#kit/request/api.ts";
import type { RequestContext } from "#kit/request/context.ts";
import * as routes from "./routes.ts";
import type { RegistrationForm } from "./schemas.ts";

const mayBeBlank: readonly string[] = ["fname", "code"];

/** Drops empty fields: `null`, and a blank first name or code. */
const said = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== null && !(mayBeBlank.includes(name) && value.trim() === ""),
    ),
  );

export const readForm = ({ basicInformation, ...form }: RegistrationForm): NewRegistration => ({
  ...(said(form) as NewRegistration),
  ...(basicInformation && { basicInformation: said(basicInformation) }),
});

/**
 * Adds the existing registration with its ticket to the error. The caller is the person or an admin: the route's `owner`
 * refuses others. Otherwise it is the bearer of a link.
 * @param shown what they may see of it
 * @throws Duplicate
 */
export async function showingExisting<T>(
  work: Promise<T>,
  shown = (registration: RegistrationRecord): RegistrationRecord => registration,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AlreadyRegistered)) throw error;
    const { registration } = error;
    throw new Duplicate(error.message, {
      registration: registrationAnswer(shown(registration), await withTicketCode(registration)),
    });
  }
}

/**
 * Adds the present registration to the error of a person who saw another status.
 * @param shown what the person may see of it
 * @throws StatusChanged
 */
export const showingPresent = <T>(
  work: Promise<T>,
  shown: (registration: RegistrationRecord) => Record<string, unknown>,
): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof StatusChanged)) throw error;
    throw new StatusChanged(error.registration, shown(error.registration));
  });

export const present = (registration: RegistrationRecord) => ({ registration: registrationAnswer(registration) });

const messages: Partial<Record<State, string>> = {
  registered: "You are registered.",
  incomplete: "A seat is held for you. It is yours once it is paid for.",
  applicant: "Your application is in. You will be told when it is decided.",
  accepted: "The seat is yours. Please confirm that you come.",
  acceptedComplete: "Your seat is confirmed.",
  waitlist: "The event is full. You are on the waitlist and will be told when a seat is yours.",
};

const behindOthers =
  "The event is full. You are on the waitlist behind everyone else, because you did not come to three events within a year.";

const messageTo = (registration: RegistrationRecord): string =>
  registration.status === "waitlist" && registration.behindOthers
    ? behindOthers
    : (messages[stateOf(registration) as State] ?? "Your registration was changed meanwhile.");

/**
 * The answer to a person who has registered.
 * @param key the ticket key of the stage
 * @param more fields of the answer
 */
export const admissionAnswer = (
  { registration, place }: Admission,
  key: string,
  { queueKey }: RequestContext,
  more: { readonly link?: string } = {},
) =>
  // A registration that waits for its payment is not new.
  (registration.queueKey === queueKey ? created : ok)({
    message: messageTo(registration),
    registrationStatus: registration.status,
    registration: registrationAnswer(registration, { place, ...sealedTicketCode(registration, key) }),
    ...more,
  });

export const register = apiOnce(routes.register, async ({ body, caller, context, claimed }) => {
  const form = readForm(body);
  // Loads the key first: no avoidable failure may follow the allocation of the seat.
  const key = await ticketKey();
  const answerTo = (admission: Admission) => admissionAnswer(admission, key, context);
  const request = { form, origin: originOf(caller, form.email, "desk") };
  return answerTo(await showingExisting(registerPerson(request, context, claimed?.keeping(answerTo))));
});

/** An executive who undoes a check-in hears that a deposit does not come back by it. */
const updated = (registration: RegistrationRecord): string =>
  hasEarnedDeposit(registration) && registration.status !== "checkedIn"
    ? "Registration updated. Its deposit has gone back, or is about to, all the same."
    : "Registration updated.";

export const updateRegistration = api(routes.updateRegistration, async ({ params, body, caller, context }) => {
  const { email } = params;
  const { eventID: id, year, seenStatus, ...amendment } = body;
  // Loads the key first: no avoidable failure may follow the change.
  await ticketKey();
  const request = { email, event: { id, year }, amendment, seenStatus, origin: originOf(caller, email, "desk") };
  const changing = changeRegistration(request, context);
  const { registration, place } = await showingPresent(showingExisting(changing), present);
  return ok({
    message: updated(registration),
    registrationStatus: registration.status,
    registration: registrationAnswer(registration, { place, ...(await withTicketCode(registration)) }),
  });
});

interface Named {
  readonly eventID?: string;
  readonly year?: number;
  readonly seenStatus?: string;
}

/**
 * The web application names the event in the body; other clients may use the query.
 * @throws ValidationFailed
 */
function namedEvent(body: Named, query: Named): EventKey {
  const { eventID, year } = { ...query, ...body };
  const names = ["eventID", "year"] as const;
  const missing = names.filter((name) => (body[name] ?? query[name]) === undefined);
  const twice = [...names, "seenStatus" as const].filter(
    (name) => (query[name] ?? body[name]) !== (body[name] ?? query[name]),
  );
  if (eventID !== undefined && year !== undefined && twice.length === 0) return { id: eventID, year };
  throw new ValidationFailed([
    ...missing.map((name) => ({ path: `/${name}`, message: "is required" })),
    ...twice.map((name) => ({ path: `/${name}`, message: "must be the same in body and query" })),
  ]);
}

export const deleteRegistration = api(
  routes.deleteRegistration,
  async ({ params: { email }, body, query, caller, context }) => {
    const { seenStatus = query.seenStatus } = body;
    const origin = originOf(caller, email, "desk");
    const leaving = leave({ email, event: namedEvent(body, query), to: "deleted", origin, seenStatus }, context);
    await showingPresent(leaving, present);
    return ok({ message: "Registration deleted." });
  },
);
